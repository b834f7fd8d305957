"""Modified Rodrigues parameters."""
