"""The search for a cheaper form of sums of products, and the guard that keeps it as accurate."""
