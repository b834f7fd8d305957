"""The errors that a user can cause: one clear line that names the thing and the remedy."""


class FeatherError(Exception):
    """The user's input or environment is wrong; the message is the whole story. Exit code 2."""


class CheckFailed(Exception):
    """A check that the user asked for did not hold. Exit code 1."""
