"""Reads text files that a user names, and the numbers in them: of limited size, with errors of one line."""

from __future__ import annotations

import errno
import os
import stat
import tomllib
from decimal import Decimal, InvalidOperation
from fractions import Fraction
from pathlib import Path
from typing import Any

from codegen.errors import FeatherError

_LARGEST = 2**20
"""Limit on the bytes of a file."""

_DECADES = 290
"""Limit on the decimal exponent: beyond it a number, or its value in SI, is not a double."""


def read_text(path: Path) -> str:
    """The text of a file; FeatherError when it cannot be read."""
    try:
        return read_bytes(path, _LARGEST).decode("utf-8").replace("\r\n", "\n").replace("\r", "\n")
    except UnicodeDecodeError:
        raise FeatherError(f"{path} is not a text file in UTF-8") from None


def read_bytes(path: Path, largest: int) -> bytes:
    """What a regular file of at most `largest` bytes holds: from others, reading might never end."""
    try:
        with open(os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0)), "rb") as file:
            status = os.fstat(file.fileno())
            if stat.S_ISDIR(status.st_mode):
                raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
            if not stat.S_ISREG(status.st_mode) or status.st_size > largest:
                raise FeatherError(f"{path} is not a regular file of at most {largest >> 20} MB")
            return file.read()
    except OSError as error:
        raise FeatherError(f"cannot read {path}: {error.strerror}") from None


def read_toml(path: Path) -> dict[str, Any]:
    """A TOML file with exact decimals; FeatherError with the place where it is wrong."""
    text = read_text(path)
    try:
        return tomllib.loads(text, parse_float=Decimal)
    except RecursionError:
        raise FeatherError(f"{path} is not valid TOML: it is too deeply nested") from None
    except InvalidOperation:
        raise FeatherError(f"{path}: the exponent of a number is out of range") from None
    except ValueError as error:
        raise FeatherError(f"{path} is not valid TOML: {error}") from None


def exact_decimal(number: str | int | Decimal) -> Fraction:
    """The fraction that a decimal states; FeatherError unless C can hold it, however large its exponent."""
    try:
        decimal = Decimal(number)
    except (InvalidOperation, ValueError):
        raise FeatherError(f"{number!r} is not a number") from None
    if not decimal.is_finite() or abs(decimal.adjusted()) > _DECADES:
        raise FeatherError(f"{decimal:.6g} is not a finite number that C can hold")
    return Fraction(decimal)
