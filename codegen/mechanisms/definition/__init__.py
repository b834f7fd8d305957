"""The definition of a robot's dynamics, which knows no recursion: proofs and references compare with it."""
