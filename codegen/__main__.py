"""The entry point: it runs the command line, prints errors as one line and sets the exit code."""

from __future__ import annotations

import contextlib
import gc
import io
import os
import sys
import tempfile
import traceback
from typing import NoReturn

import click

from codegen.errors import CheckFailed, FeatherError
from codegen.show import printable

FINE, FAILED, USER, BUG, INTERRUPTED, BROKEN_PIPE = 0, 1, 2, 3, 130, 141


COLLECTIONS = (50_000, 20, 50)
"""Thresholds of the garbage collector: Programs are many small tuples without cycles, and with Python's own
thresholds an eighth of the time goes into looking for cycles among them."""


def main() -> NoReturn:
    """Run the command line and leave with its exit code."""
    gc.set_threshold(*COLLECTIONS)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")  # whatever the terminal's encoding
    sys.exit(run(sys.argv[1:]))


def run(arguments: list[str]) -> int:
    """The exit code of a command, after its one line on stderr if it went wrong."""
    try:
        from codegen.cli.commands import cli

        with cli.make_context("featherc", list(arguments)) as context:
            cli.invoke(context)
        sys.stdout.flush()
    except CheckFailed as failure:
        return _say(str(failure), FAILED)
    except FeatherError as error:
        return _say(str(error), USER)
    except click.exceptions.Exit as finished:
        return finished.exit_code
    except (KeyboardInterrupt, click.Abort):
        return _say("interrupted", INTERRUPTED)
    except click.UsageError as error:
        command = error.ctx.command_path if error.ctx else "featherc"
        return _say(f"{error.format_message()} (see {command} --help)", USER)
    except click.ClickException as error:
        return _say(error.format_message(), USER)
    except BrokenPipeError:
        return _hang_up()
    except OSError as error:
        return _say(f"{error.filename or 'cannot write'}: {error.strerror or error}", USER)
    except Exception as error:
        return _bug(error)
    return FINE


_LONGEST = 4000
"""Characters of a message that are printed: a name in it may be a whole file."""


def _say(message: str, code: int) -> int:
    line = " ".join(message.split())
    if len(line) > _LONGEST:
        line = f"{line[: _LONGEST // 2]} ... {line[-_LONGEST // 2 :]}"
    with contextlib.suppress(OSError):
        print(f"featherc: {printable(line)}", file=sys.stderr)
    return code


def _hang_up() -> int:
    """The reader has closed the pipe: print nothing, not even when Python flushes at exit."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return BROKEN_PIPE


def _bug(error: Exception) -> int:
    """An internal error: one line on stderr, and the traceback in a file."""
    handle, path = tempfile.mkstemp(prefix="featherc-", suffix=".log")
    with os.fdopen(handle, "w", encoding="utf-8") as log:
        traceback.print_exc(file=log)
    return _say(f"this is a bug ({type(error).__name__}: {error}); please report it with {path}", BUG)


if __name__ == "__main__":
    main()
