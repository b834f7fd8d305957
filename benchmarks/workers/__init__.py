"""One program for each peer, run in the peer's own environment; they share only the module `graph`."""
