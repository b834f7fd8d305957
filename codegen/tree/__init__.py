"""The files of a generated tree: written completely or not at all, read from a directory or from git."""
