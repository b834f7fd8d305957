"""The equations of kernels in the notation: what they state, and what of them nothing compares."""
