"""The whole book, page by page, in headless Chromium; run by `make test-book`.

Builds the book of the library, and looks at every page as the tests do at a few: console, requests, formulas,
contrast and roles in light and dark, a phone's width, the links of each line of C and back, the search for
each function, the bytes of all but a few. Prints what is wrong; exit code 1 if anything is.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path
from queue import SimpleQueue

from selenium.webdriver import Chrome

from codegen.show import progress
from tests.browser import browser, lonely, problems, unfound

BROWSERS = 2
LARGEST, HEAVY = 5, 150_000
"""The pages that may have more bytes than this."""


def look(pages: Sequence[Path], profiles: Path) -> Iterator[str]:
    """The defects of the pages, as several browsers find them in parallel."""
    idle: SimpleQueue[Chrome] = SimpleQueue()

    def wrong(page: Path) -> list[str]:
        driver = idle.get()
        try:
            return [f"{page.name}: {problem}" for problem in _wrong(driver, page)]
        finally:
            idle.put(driver)

    with ExitStack() as stack, ThreadPoolExecutor(BROWSERS) as pool:
        for i in range(BROWSERS):
            idle.put(stack.enter_context(browser(profiles / str(i))))
        looked = [pool.submit(wrong, page) for page in pages]
        for done in progress(looked, "looking at pages"):
            yield from done.result()


def _wrong(driver: Chrome, page: Path) -> Iterator[str]:
    yield from problems(driver, page)
    yield from (f"without counterparts: {text}" for text in lonely(driver))
    yield from (f"the search does not find {name}" for name in unfound(driver))


def check(book: Path, profiles: Path) -> Iterator[str]:
    """Build the book and check every page; return the defects."""
    subprocess.run([sys.executable, "-m", "codegen", "book", "-o", str(book)], check=True)
    pages = sorted(book.glob("*.html"), key=lambda page: page.stat().st_size)
    too_heavy = (page.name for page in pages[:-LARGEST] if page.stat().st_size > HEAVY)
    yield from (f"{name}: over {HEAVY} bytes" for name in too_heavy)
    yield from look(pages, profiles)


def main() -> int:
    """Print the defects."""
    count = 0
    with tempfile.TemporaryDirectory() as place:
        for problem in check(Path(place) / "book", Path(place) / "profiles"):
            print(problem, flush=True)
            count += 1
    print(f"{count} problems")
    return min(count, 1)


if __name__ == "__main__":
    sys.exit(main())
