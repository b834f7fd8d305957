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


def look(pages: list[Path], profile: Path) -> list[str]:
    """What is wrong with the pages."""
    found = []
    with browser(profile) as driver:
        for page in progress(pages, "looking at pages"):
            found += [f"{page.name}: {p}" for p in problems(driver, page)]
            found += [f"{page.name}: a line without counterparts: {line}" for line in lonely(driver)]
    return found


def main() -> int:
    """Build, compare, look at every page."""
    with tempfile.TemporaryDirectory() as name:
        first, second, profile = (Path(name) / part for part in ("first", "second", "profile"))
        seconds = write(first, "1")
        write(second, "2")
        names = sorted(f.name for f in first.iterdir())
        _, differing, missing = filecmp.cmpfiles(first, second, names, shallow=False)
        found = [f"{f}: not the same in a second run" for f in (*differing, *missing)]
        found += look(sorted(first.glob("*.html")), profile)
    if seconds > LIMIT:
        found.append(f"the book took {seconds:.0f} s, more than {LIMIT} s")
    print("\n".join(found) or f"{len(names)} files in {seconds:.0f} s, nothing wrong")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
