"""The whole book, page by page, in headless Chromium; run by `make test-book`.

Builds the book of the library, twice with different hash seeds, and looks at every page as the tests do at
a few: console, requests, formulas, contrast and roles in light and dark, a phone's width, and the links of
each line of C. Prints what is wrong; exit code 1 if anything is.
"""

from __future__ import annotations

import filecmp
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from codegen.show import progress
from tests.browser import browser, lonely, problems

LIMIT = 120
"""Seconds that the book may take on two cores."""


def write(directory: Path, seed: str) -> float:
    """Write the book; how long it took."""
    start = time.monotonic()
    command = [sys.executable, "-m", "codegen", "book", "-o", str(directory)]
    subprocess.run(command, check=True, env={**os.environ, "PYTHONHASHSEED": seed})
    return time.monotonic() - start


def look(pages: list[Path], profile: Path) -> Iterator[str]:
    """What is wrong with the pages, as it is found."""
    with browser(profile) as driver:
        for page in progress(pages, "looking at pages"):
            yield from (f"{page.name}: {p}" for p in problems(driver, page))
            yield from (f"{page.name}: a line without counterparts: {line}" for line in lonely(driver))


def check(first: Path, second: Path, profile: Path) -> Iterator[str]:
    """Build twice, compare, look at every page; what is wrong."""
    seconds = write(first, "1")
    if seconds > LIMIT:
        yield f"the book took {seconds:.0f} s, more than {LIMIT} s"
    write(second, "2")
    names = sorted(f.name for f in first.iterdir())
    _, differing, missing = filecmp.cmpfiles(first, second, names, shallow=False)
    yield from (f"{name}: not the same in a second run" for name in (*differing, *missing))
    yield from look(sorted(first.glob("*.html")), profile)


def main() -> int:
    """Print what is wrong."""
    count = 0
    with tempfile.TemporaryDirectory() as place:
        for problem in check(*(Path(place) / name for name in ("first", "second", "profile"))):
            print(problem, flush=True)
            count += 1
    print(f"{count} problems")
    return min(count, 1)


if __name__ == "__main__":
    sys.exit(main())
