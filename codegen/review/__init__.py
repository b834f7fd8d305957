"""What a regenerated tree changes: check, diff, policy and reports."""
