"""The tree of moving bodies, the passes that reduce it, and how vectors pass between its frames."""
