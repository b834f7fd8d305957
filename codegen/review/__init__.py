"""Review of regenerated trees: check, diff, policy and reports."""
