"""Units and frames of arguments and values."""
