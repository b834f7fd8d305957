"""Reads text files that a user names: regular ones of limited size, with errors of one line."""

from __future__ import annotations

import errno
import os
import stat
import tomllib
from decimal import Decimal, InvalidOperation
from pathlib import Path
from typing import Any

from codegen.errors import FeatherError

_LARGEST = 2**20
"""Limit on the bytes of a file."""


def read_text(path: Path) -> str:
    """The text of a file; FeatherError when it cannot be read."""
    try:
        return _regular(path)
    except OSError as error:
        raise FeatherError(f"cannot read {path}: {error.strerror}") from None
    except UnicodeDecodeError:
        raise FeatherError(f"{path} is not a text file in UTF-8") from None


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


def _regular(path: Path) -> str:
    """The text of a regular file of limited size: from others, reading might never end."""
    handle = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0))
    with open(handle, encoding="utf-8") as file:
        status = os.fstat(handle)
        if stat.S_ISDIR(status.st_mode):
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
        if not stat.S_ISREG(status.st_mode) or status.st_size > _LARGEST:
            raise FeatherError(f"{path} is not a regular file of at most {_LARGEST >> 20} MB")
        return file.read()
