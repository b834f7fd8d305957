"""From a statement of C back to its equation, derivation step and inputs."""
