"""Checks of pages of the book in headless Chromium; a defect is a line of text."""

from __future__ import annotations

import importlib.util
import json
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any

from selenium.webdriver import Chrome, ChromeOptions
from selenium.webdriver.chrome.service import Service

from tests.conftest import tool

_SWITCHES = (
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-sync",
    "--disable-background-networking", "--disable-component-update", "--disable-dev-shm-usage",
    "--hide-scrollbars", "--window-size=1300,900",
)  # fmt: skip


PATIENCE = 1800
"""Seconds until a browser counts as hung: longer than a script takes on any machine, however busy it is."""


@contextmanager
def browser(profile: Path) -> Iterator[Chrome]:
    """A headless Chromium with an empty profile; skips, or fails in CI, where there is none."""
    options = ChromeOptions()
    options.binary_location = tool("chromium")
    for switch in (*_SWITCHES, f"--user-data-dir={profile}"):
        options.add_argument(switch)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    driver = Chrome(options=options, service=Service(tool("chromedriver")))
    driver.set_script_timeout(PATIENCE)
    driver.set_page_load_timeout(PATIENCE)
    try:
        yield driver
    finally:
        driver.quit()


def load(driver: Chrome, page: Path, query: str = "") -> list[str]:
    """Load a page; return its console messages and network requests."""
    _log(driver, "browser")
    _log(driver, "performance")
    driver.get(page.as_uri() + query)
    said = [f"console: {entry['message']}" for entry in _log(driver, "browser")]
    return said + [f"request: {url}" for url in _requests(driver) if not url.startswith(_OWN)]


_OWN = ("file:", "data:", "chrome:")
"""A page's own files, and the browser's, whose first tab may load still."""


def _log(driver: Chrome, name: str) -> list[Any]:
    """The messages that were logged since the last call."""
    entries: list[Any] = driver.get_log(name)  # type: ignore[no-untyped-call]
    return entries


def _requests(driver: Chrome) -> Iterator[str]:
    for entry in _log(driver, "performance"):
        message = json.loads(entry["message"])["message"]
        if message["method"] == "Network.requestWillBeSent":
            yield message["params"]["request"]["url"]


def problems(driver: Chrome, page: Path) -> list[str]:
    """The defects of a page on a desktop and on a phone, in light, and in dark with a selection."""
    found = load(driver, page)
    found += [f"formula without size: {text}" for text in driver.execute_script(_FLAT)]
    found += violations(driver)
    found += [f"light: {problem}" for problem in contrasts(driver)]
    colours(driver, "dark")
    driver.execute_script("document.querySelector('.c a:last-of-type')?.click()")
    found += [f"dark: {problem}" for problem in contrasts(driver)]
    colours(driver, "light")
    return found + overflows(driver)


_FLAT = """
return [...document.querySelectorAll("math")].filter((formula) => {
  const box = formula.getBoundingClientRect();
  return !(box.width > 2 && box.height > 5);
}).map((formula) => formula.textContent);
"""


def colours(driver: Chrome, scheme: str) -> None:
    """Set the preferred theme, light or dark."""
    features = [{"name": "prefers-color-scheme", "value": scheme}]
    driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": features})


def violations(driver: Chrome) -> list[str]:
    """The serious and critical violations that axe-core finds in the loaded page, contrast apart."""
    return _axe_finds(driver, "document", "rules: {'color-contrast': {enabled: false}}")


def contrasts(driver: Chrome) -> list[str]:
    """Texts of the loaded page with too little contrast; one of each kind is checked, as all take minutes."""
    return _axe_finds(driver, _KINDS, "runOnly: ['color-contrast']")


_KINDS = """(() => {
const within = (item) => item ? `${item.tagName}.${item.getAttribute("class")} ` : "";
const kind = (item) => within(item) + within(item.parentElement) + within(item.parentElement?.parentElement);
const texts = [...document.body.querySelectorAll("*")].filter((item) =>
  [...item.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.data.trim()));
return {include: [...new Map(texts.map((item) => [kind(item), item])).values()]};
})()"""


def _axe_finds(driver: Chrome, where: str, options: str) -> list[str]:
    """What axe-core finds there. Only violations are described: describing all that is well takes longest."""
    script = f"axe.run({where}, {{resultTypes: ['violations'], {options}}}).then(arguments[0])"
    if not driver.execute_script("return 'axe' in window"):
        driver.execute_script(_axe())
    result: Any = driver.execute_async_script(script)
    return [
        f"{v['id']}: {v['help']} at {v['nodes'][0]['html'][:200]}"
        for v in result["violations"]
        if v["impact"] in ("serious", "critical")
    ]


@cache
def _axe() -> str:
    spec = importlib.util.find_spec("axe_core_python")
    assert spec is not None
    assert spec.origin is not None
    return (Path(spec.origin).parent / "axe.min.js").read_text(encoding="utf-8")


def overflows(driver: Chrome, width: int = 360) -> list[str]:
    """Elements that are wider than a phone's screen and cannot be scrolled."""
    size = {"width": width, "height": 740, "deviceScaleFactor": 1, "mobile": True}
    driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
    found: list[str] = driver.execute_script(_WIDE, width)
    driver.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
    return [f"wider than {width} px: {text}" for text in found]


_WIDE = """
const width = arguments[0], found = [];
if (document.documentElement.scrollWidth > width) found.push("the page");
const contained = (item) => {
  for (let up = item.parentElement; up; up = up.parentElement) {
    if (getComputedStyle(up).overflowX !== "visible") return true;
  }
  return false;
};
for (const item of document.body.querySelectorAll("*")) {
  const box = item.getBoundingClientRect();
  if (box.width && box.right > width + 1 && !contained(item)) found.push(item.outerHTML.slice(0, 120));
}
return found;
"""


def lonely(driver: Chrome) -> list[str]:
    """Elements of the loaded page whose selection does not mark their counterparts.

    A line of C marks part of the equation, a formula and a node of the graph, if one is drawn; each of these
    marks a line in both precisions. A load needs no formula; what only holds the status has no counterpart.
    """
    found: list[str] = driver.execute_script(_LONELY)
    return found


_LONELY = r"""
history.replaceState = () => {};  // hundreds of addresses one after the other keep the browser busy
const marked = (css) => document.querySelector(css) !== null;
const load = /^ *const (double|float) \w+ =\s+\w+(->|\[)[\w.\[\]]+;$/;
const held = /^ *(fc_status status = FC_OK|return status);$/;
const graph = marked(".canvas");
const lines = [...document.querySelectorAll(".c a")].filter((line) => !held.test(line.textContent));
const there = lines.filter((line) => {
  line.click();
  const formula = load.test(line.textContent) || marked("[id^=row-].on");
  return !(formula && marked("#equation + ul .on") && (!graph || marked(".canvas g.on")));
});
const others = [...document.querySelectorAll("#linked .links a, .canvas g[data-s]")];
const seen = new Set([""]);
const back = others.filter((item) => {
  const keys = item.dataset.s;
  if (item.namespaceURI.endsWith("svg") && seen.has(keys)) return false;
  seen.add(keys);
  item.dispatchEvent(new MouseEvent("click", {bubbles: true, cancelable: true}));
  return [...document.querySelectorAll(".c")].some((code) => !code.querySelector(".on"));
});
return [...there, ...back].map((item) => item.textContent);
"""


def unfound(driver: Chrome) -> list[str]:
    """The entries of the loaded index that a search for their name does not find."""
    found: list[str] = driver.execute_script(_UNFOUND)
    return found


_UNFOUND = """
const box = document.getElementById("q");
return [...document.querySelectorAll(".index a")].filter((link) => {
  let opened = false;
  link.addEventListener("click", (event) => { event.preventDefault(); opened = true; });
  box.value = link.textContent;
  box.dispatchEvent(new Event("input"));
  box.form.requestSubmit();
  return !opened;
}).map((link) => link.textContent);
"""
