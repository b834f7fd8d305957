"""What callers see of a tree: declarations, documentation, and what a file gives to those who include it."""
