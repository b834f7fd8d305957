"""One program for each peer, run in the peer's own environment; they share `graph`, nothing of ours."""
