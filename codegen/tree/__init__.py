"""A generated tree as files: written whole or not at all, read from a directory or from git."""
