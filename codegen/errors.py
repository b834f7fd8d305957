"""The errors that a user can cause: one line that names the object at fault and the remedy."""

from collections.abc import Iterator
from contextlib import contextmanager


class FeatherError(Exception):
    """The user's input or environment is wrong; the message is all that is printed. Exit code 2."""


class FormulaError(FeatherError, TypeError):
    """A formula uses a computed value in a way that C cannot follow; the message says what to write."""


class CallError(FeatherError, TypeError):
    """A call does not fit the parameters; the message says what to write."""


class Misfit(FeatherError):
    """The shapes of what an equation adds, multiplies or equates do not fit."""


class PartError(FeatherError):
    """A part of a description does not fit the others: of this `kind`, link or joint, and this name."""

    kind: str = ""
    name: str = ""

    @classmethod
    def of(cls, kind: str, name: str, message: str) -> "PartError":
        """The error of a part."""
        error = cls(message)
        error.kind, error.name = kind, name
        return error


class CheckFailed(Exception):
    """A check that the user asked for did not hold. Exit code 1."""


@contextmanager
def naming(thing: str) -> Iterator[None]:
    """Put the object at fault, such as `output y`, once before the message of an error raised inside.

    The error remains one of its kind.
    """
    try:
        yield
    except FeatherError as error:
        known = str(error).startswith(f"{thing}: ")
        named = type(error)(str(error) if known else f"{thing}: {error}")
        named.__dict__.update(error.__dict__)
        raise named.with_traceback(error.__traceback__) from None
