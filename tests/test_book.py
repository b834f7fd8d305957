"""The book: every claim about its pages, in headless Chromium and on the files themselves."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from html import escape
from html.parser import HTMLParser
from pathlib import Path
from shutil import copy
from xml.etree.ElementTree import fromstring

import numpy as np
import pytest
from click.testing import CliRunner, Result
from selenium.webdriver import Chrome
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import WebDriverWait

from codegen.cli.commands import cli
from codegen.emit.function import function
from codegen.emit.options import Options
from codegen.emit.render import template_directory
from codegen.errors import FeatherError
from codegen.explain.book.accuracy import panels
from codegen.explain.book.arrays import rounded
from codegen.explain.book.calls import callers, calls
from codegen.explain.book.glossary import GLOSSARY
from codegen.explain.book.listing import listing
from codegen.explain.book.pages import Around, range_in_signs
from codegen.explain.book.pages import page as page_of
from codegen.explain.book.places import places
from codegen.explain.book.site import _index, _render, build
from codegen.explain.book.spans import ranges
from codegen.explain.inspection.page import in_line
from codegen.ir.operations import Op
from codegen.ir.status import Status
from codegen.ir.systems import NumberSystem, Precision
from codegen.library import library
from codegen.library.routines import routines
from codegen.loading.model_file import load_kernels
from codegen.modeling.equations.textbook import is_notation
from codegen.modeling.kernel import Kernel
from codegen.modeling.routine import Routine
from codegen.notation.functions import CONSTANTS, KNOWN
from codegen.notation.prose import pieces
from codegen.notation.reader import read_formulas
from codegen.passes import REGISTERS, SEARCH, SMALL_PASSES
from codegen.proof.derivation import derivation, hand_written
from codegen.provenance.shown import prose
from codegen.tree.write import generate
from codegen.verify.record import digest
from tests.browser import PATIENCE, browser, colours, load, lonely, problems, unfound
from tests.conftest import GENERATED, sampled
from tests.texts import texts

SAMPLE = (
    "quat_rotate", "quat_conjugate", "rpy_kinematics", "dcm_from_euler_xyz", "inertia_multiply",
    "inertia_com", "central_rotate", "rpy_from_quat", "gravity_body", "so3_left_jacobian",
    "contact_solve_pgs",
)  # fmt: skip

EVIL = """</title><script>document.title='owned'</script><img src=x onerror=alert(1)> "it's" & $x^2$"""
HOSTILE = f'''
from codegen import REAL, Arg, kernel

EVIL = {EVIL!r}


@kernel(
    inputs=[Arg("x", REAL, "m", EVIL + " long" * 400, "<b>B</b>")],
    outputs=[Arg("y_{"w" * 40}", REAL, "m^2", EVIL)],
    equation="y = <script>x</script> + [[x, {"x + " * 200}x]]; " + EVIL,
    source=EVIL,
    requires=EVIL,
)
def hostile(x):
    """<script>document.title = 'owned'</script> {"w" * 3000}

    with details <b>that</b> are not markup & go on, {"w" * 3000}
    """
    return x * x
'''


def page(site: Path, name: str) -> Path:
    return site / f"kernel-{name}.html"


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The book of a few kernels of every sort."""
    directory = tmp_path_factory.mktemp("book")
    assert build(SAMPLE, {}, directory) == len(SAMPLE)
    return directory


@pytest.fixture(scope="session")
def chromium(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Chrome]:
    with browser(tmp_path_factory.mktemp("profile")) as driver:
        yield driver


@pytest.fixture(scope="session")
def hostile_site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    directory = tmp_path_factory.mktemp("hostile")
    model = directory / "hostile_model.py"
    model.write_text(HOSTILE, encoding="utf-8")
    build(["hostile"], load_kernels(model), directory / "book")
    return directory / "book"


@pytest.fixture(scope="session")
def printed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Pages with long formulas and wide tables, and with the record of a verification."""
    directory = tmp_path_factory.mktemp("printed")
    names = ("inertia_com", "rigid_body_dynamics_quat")
    row: dict[str, object] = {
        "proof": "certified numerically at 40 of 43 points", "chance": -200, "cases": 60, "worst_scaled": 1.5,
        "left_out": [], "tolerance": 4, "ok": True,
    }  # fmt: skip
    made = [function(library()[name], p, Options()) for name in names for p in Options().formats]
    rows = [
        {**row, "symbol": f.symbol, "kernel": f.kernel.name, "precision": f.precision.name,
         "program": digest(f.program)}
        for f in made
    ]  # fmt: skip
    (directory / "record.json").write_text(json.dumps(rows), encoding="utf-8")
    build(names, {}, directory / "book", directory / "record.json")
    return directory / "book"


@pytest.mark.parametrize("name", SAMPLE)
def test_a_page_loads_and_reads_well(chromium: Chrome, site: Path, name: str) -> None:
    assert problems(chromium, page(site, name)) == []


@pytest.mark.parametrize("name", ["index", "conventions", "systems", "evidence"])
def test_the_other_pages_load_and_read_well(chromium: Chrome, site: Path, name: str) -> None:
    assert problems(chromium, site / f"{name}.html") == []


def test_text_of_a_model_is_never_markup(chromium: Chrome, hostile_site: Path) -> None:
    for name in ("index", "kernel-hostile"):
        assert problems(chromium, hostile_site / f"{name}.html") == []
        assert chromium.title.endswith("- featherc")
        assert chromium.find_elements(By.CSS_SELECTOR, "script:not([src]), img[src=x], main b") == []
    assert "<script>document.title = 'owned'</script>" in chromium.find_element(By.CLASS_NAME, "lead").text


def test_formulas_are_laid_out(chromium: Chrome, site: Path) -> None:
    """A fraction's numerator stands above its denominator, a matrix has rows and columns."""
    load(chromium, page(site, "rpy_kinematics"))
    top, bottom = boxes(chromium, "mfrac:first-of-type > *")[:2]
    assert bottom["top"] >= top["bottom"] - 1
    load(chromium, site / "conventions.html")
    cells = boxes(chromium, "mtd")
    assert cells[1]["left"] > cells[0]["right"] - 1
    assert cells[1]["top"] == cells[0]["top"]
    assert cells[2]["top"] > cells[0]["top"]


def test_the_page_of_a_kernel_with_frames_has_its_figure(chromium: Chrome, site: Path) -> None:
    load(chromium, page(site, "gravity_body"))
    image = chromium.find_element(By.CSS_SELECTOR, "#frames + figure img")
    assert (site / str(image.get_dom_attribute("src"))).exists()
    assert "acceleration g_N in N" in str(image.get_dom_attribute("alt"))
    assert "N (x north, y east, z down)" in chromium.find_element(By.CSS_SELECTOR, "#frames + figure").text
    load(chromium, page(site, "quat_conjugate"))
    assert chromium.find_elements(By.ID, "frames") == []


def boxes(driver: Chrome, css: str) -> list[dict[str, float]]:
    """Where the elements are on the screen."""
    found: list[dict[str, float]] = driver.execute_script(
        "return [...document.querySelectorAll(arguments[0])].map((e) => e.getBoundingClientRect().toJSON())",
        css,
    )
    return found


def marked(driver: Chrome) -> dict[str, int]:
    """How many items are marked: lines of C, statements, parts of the equation, nodes, steps."""
    kinds = {
        "double": ".panel:nth-child(2) .c .on", "float": ".panel:nth-child(3) .c .on",
        "rows": "[id^=row-].on", "equation": "#equation + ul .on", "nodes": ".canvas g.on",
        "steps": ".steps li.on",
    }  # fmt: skip
    return {kind: len(driver.find_elements(By.CSS_SELECTOR, css)) for kind, css in kinds.items()}


def choose(driver: Chrome, css: str) -> dict[str, int]:
    item = driver.find_element(By.CSS_SELECTOR, css)
    driver.execute_script("arguments[0].scrollIntoView({block: 'center'})", item)
    item.click()
    return marked(driver)


def key_of(driver: Chrome, text: str) -> str:
    """The statement of a line of C in double."""
    line = driver.find_element(By.XPATH, f"//a[starts-with(@id, 'c-')][contains(., '{text}')]")
    return str(line.get_attribute("id")).removeprefix("c-")


def test_a_line_of_c_leads_to_its_equation_and_node_and_back(chromium: Chrome, site: Path) -> None:
    load(chromium, page(site, "rpy_kinematics"))
    key = key_of(chromium, "drpy->y =")
    expected = {"double": 1, "float": 1, "rows": 1, "equation": 1, "nodes": 2, "steps": 1}
    assert choose(chromium, f"#c-{key}") == expected
    part = chromium.find_element(By.CSS_SELECTOR, "#equation + ul .on")
    assert str(part.get_attribute("aria-label")).startswith("dtheta = ")
    assert choose(chromium, f"#row-{key}") == expected
    assert choose(chromium, f'.canvas g[data-s="{key}"].output') == expected
    assert choose(chromium, f'.panel:nth-child(3) .c [href="#row-{key}"]') == expected
    bar = chromium.find_element(By.ID, "chosen")
    assert not bar.get_attribute("hidden")
    card = bar.find_element(By.TAG_NAME, "small").text
    assert card.startswith("is drpy_y = θ̇, in θ̇ = u_y; ")
    assert "; unit rad/s; step Rotate\n" in card
    assert bar.find_elements(By.CSS_SELECTOR, "small math")  # of the step's title
    choose(chromium, f"#c-{key_of(chromium, 'sin_phi =')}")
    card = bar.find_element(By.TAG_NAME, "small").text
    assert card.startswith("is sin(φ), in ψ̇ = ")
    assert card.endswith("; used by dpsi, dtheta")
    chromium.find_element(By.TAG_NAME, "body").send_keys(Keys.ESCAPE)
    assert set(marked(chromium).values()) == {0}


def test_an_address_leads_to_what_was_chosen(chromium: Chrome, site: Path) -> None:
    load(chromium, page(site, "rpy_kinematics"))
    key = key_of(chromium, "drpy->y =")
    expected = choose(chromium, f'.canvas g[data-s="{key}"].output')
    address = chromium.execute_script("return location.hash")
    assert address == f"#row-{key}"
    for there in (address, f"#c-{key}"):
        load(chromium, site / "index.html")
        assert load(chromium, page(site, "rpy_kinematics"), there) == []
        assert marked(chromium) == expected
    step = chromium.execute_script("return document.querySelector('.steps li.on').id")
    load(chromium, site / "index.html")
    load(chromium, page(site, "rpy_kinematics"), f"#{step}")
    (found,) = chromium.find_elements(By.CSS_SELECTOR, ".steps li.on")
    assert found.get_attribute("id") == step
    assert marked(chromium)["double"] > 0
    load(chromium, site / "index.html")
    assert load(chromium, page(site, "rpy_kinematics"), "#nothing") == []
    assert set(marked(chromium).values()) == {0}


def lines_of(symbol: str) -> tuple[int, list[str]]:
    """The number of the first line of a function in its generated file, and its lines."""
    precision = symbol[-3:]
    text = (GENERATED / f"fc_rotation_{precision}.c").read_text(encoding="utf-8").splitlines()
    first = next(i for i, line in enumerate(text) if f" {symbol}(" in line and not line.startswith(" "))
    last = text.index("}", first)
    return first + 1, text[first : last + 1]


def selected(driver: Chrome, panel: int) -> str:
    """The lines of a function that are marked, without the blanks."""
    marked = driver.find_elements(By.CSS_SELECTOR, f".panel:nth-child({panel}) .c .on")
    return "".join("".join(line.text.split()) for line in marked)


@pytest.fixture(scope="session")
def rotation(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The book of all functions whose files are the generated ones of a module."""
    directory = tmp_path_factory.mktemp("rotation")
    names = [k.name for k in library().values() if k.module == "rotation"]
    there = places([library()[name] for name in names])
    known = {name: f"kernel-{name}.html" for name in names}
    made = page_of(library()["rpy_kinematics"], Around([], [], there))
    for name in ("book.css", "book.js"):
        copy(template_directory() / "book" / name, directory)
    text = _render(made.template, pages=known, **made.context)
    page(directory, "rpy_kinematics").write_text(text, encoding="utf-8")
    return directory


@pytest.mark.parametrize(("panel", "before", "symbol"), [(2, "L", "f64"), (3, "f32-L", "f32")])
def test_an_address_selects_lines_of_the_generated_file(
    chromium: Chrome, rotation: Path, panel: int, before: str, symbol: str
) -> None:
    there, (first, lines) = page(rotation, "rpy_kinematics"), lines_of(f"fc_rpy_kinematics_{symbol}")
    at = next(i for i, line in enumerate(lines) if " dpsi = (" in line)
    assert load(chromium, there, f"#{before}{first + at}") == []
    statement = "".join("".join(lines[at : at + 2]).split())  # it has two lines in the file
    assert statement.endswith(";")
    assert selected(chromium, panel) == statement
    chromium.get("about:blank")
    load(chromium, there, f"#{before}{first + at + 1}")  # the second one
    assert selected(chromium, panel) == statement
    assert marked(chromium)["rows"] == marked(chromium)["double"] == marked(chromium)["float"] == 1
    chromium.get("about:blank")
    load(chromium, there, f"#{before}{first}-L{first + len(lines) - 1}")
    assert selected(chromium, panel) == "".join("".join(lines).split())
    chromium.get("about:blank")
    assert load(chromium, there, f"#{before}{first + len(lines)}") == []
    assert selected(chromium, panel) == ""


def test_the_address_of_a_line_shows_the_card_of_its_statement(chromium: Chrome, rotation: Path) -> None:
    there, (first, lines) = page(rotation, "rpy_kinematics"), lines_of("fc_rpy_kinematics_f64")
    load(chromium, there)
    key = key_of(chromium, "dpsi =")
    chromium.find_element(By.ID, f"c-{key}").click()
    clicked = chromium.find_element(By.ID, "chosen").text
    assert "step" in clicked
    number = first + next(i for i, line in enumerate(lines) if " dpsi = (" in line)
    for name in (f"L{number}", f"L{number}-L{number + 3}"):
        chromium.get("about:blank")
        load(chromium, there, f"#{name}")
        assert chromium.find_element(By.ID, "chosen").text == clicked
    chromium.execute_script("location.hash = arguments[0]", f"L{first}")  # which is no statement
    WebDriverWait(chromium, PATIENCE).until(lambda c: not c.find_element(By.ID, "chosen").is_displayed())


def test_an_address_selects_a_line_of_a_loop(chromium: Chrome, site: Path) -> None:
    there = page(site, "contact_solve_pgs")
    lines = chromium_lines(chromium, there)
    number = next(n for n, text in lines.items() if "double change" in text or "rate =" in text)
    chromium.get("about:blank")
    assert load(chromium, there, f"#L{number}") == []
    (marked,) = chromium.find_elements(By.CSS_SELECTOR, ".c .on")
    assert marked.text.strip() == lines[number].strip()


def chromium_lines(driver: Chrome, there: Path) -> dict[int, str]:
    """The lines of the first function on a page by their numbers in the file."""
    load(driver, there)
    found = driver.execute_script(
        "return numbered(document.querySelector('[data-lines]')).map((l) => [l.first, l.line.textContent])"
    )
    return {int(n): str(text) for n, text in found}


def test_the_numbers_of_lines_are_those_of_the_generated_file(chromium: Chrome, rotation: Path) -> None:
    """Each line, blank ones apart, stands where the file has it."""
    load(chromium, page(rotation, "rpy_kinematics"))
    first, lines = lines_of("fc_rpy_kinematics_f64")
    found = chromium.execute_script(
        "return numbered(document.querySelector('[data-lines]')).map((l) => [l.first, l.line.textContent])"
    )
    shown = {int(n) + i: line for n, text in found for i, line in enumerate(text.split("\n"))}
    assert shown == {first + i: line for i, line in enumerate(lines) if line}
    assert f"fc_rotation_f64.c, lines {first} to {first + len(lines) - 1}" in chromium.page_source.replace(
        "<code>", ""
    ).replace("</code>", "")


def test_two_lines_selected_with_shift_are_a_range(chromium: Chrome, rotation: Path) -> None:
    load(chromium, page(rotation, "rpy_kinematics"))
    first, lines = lines_of("fc_rpy_kinematics_f64")
    low, high = (next(i for i, line in enumerate(lines) if text in line) for text in ("sin_phi =", "dphi ="))
    start, end = (chromium.find_element(By.ID, f"c-{key_of(chromium, t)}") for t in ("dphi =", "sin_phi ="))
    chromium.execute_script("arguments[0].scrollIntoView({block: 'center'})", start)
    ActionChains(chromium).click(start).key_down(Keys.SHIFT).click(end).key_up(Keys.SHIFT).perform()
    assert chromium.execute_script("return location.hash") == f"#L{first + low}-L{first + high}"
    assert selected(chromium, 2) == "".join("".join(lines[low : high + 1]).split())
    chromium.find_element(By.TAG_NAME, "body").send_keys(Keys.ESCAPE)
    assert selected(chromium, 2) == ""


def test_another_choice_takes_the_marks_of_a_range_away(chromium: Chrome, rotation: Path) -> None:
    """Those of lines that are of no statement, too."""
    first, lines = lines_of("fc_rpy_kinematics_f64")
    load(chromium, page(rotation, "rpy_kinematics"), f"#L{first}-L{first + 2}")
    assert selected(chromium, 2).startswith("".join(lines[0].split()))
    chromium.execute_script(
        "document.getElementById(arguments[0]).click()", f"c-{key_of(chromium, 'sin_phi =')}"
    )
    assert selected(chromium, 2) == "".join(next(line for line in lines if "sin_phi =" in line).split())


def test_steps_and_functions_can_be_copied(chromium: Chrome, site: Path) -> None:
    load(chromium, page(site, "rpy_kinematics"))
    chromium.execute_script("navigator.clipboard.writeText = async (text) => { window.copied = text; };")

    def copied(css: str) -> str:
        chromium.execute_script("document.querySelector(arguments[0]).click()", css)
        return str(chromium.execute_script("return window.copied"))

    (definition, *_) = derivation(library()["rpy_kinematics"])
    assert copied("#step-1 button") == definition.equation
    written = (GENERATED / "fc_rotation_f64.c").read_text(encoding="utf-8")
    function = copied(".panel:nth-child(2) button")
    start = written.index("fc_status fc_rpy_kinematics_f64(")
    end = written.index("\n}\n", start) + 3
    assert function.split() == written[start:end].split()


def test_a_part_of_the_equation_leads_to_all_its_lines(chromium: Chrome, site: Path) -> None:
    load(chromium, page(site, "rpy_kinematics"))
    found = choose(chromium, "#equation + ul li:nth-child(3) a")
    assert found["double"] == found["float"] > 4
    stored = chromium.find_elements(By.CSS_SELECTOR, ".panel:nth-child(2) .c .on")
    assert any("drpy->y" in line.text for line in stored)
    assert not any("drpy->x" in line.text for line in stored)


@pytest.mark.parametrize("name", ["inertia_multiply", "rpy_from_quat", "so3_left_jacobian"])
def test_every_line_has_its_counterparts(chromium: Chrome, site: Path, name: str) -> None:
    load(chromium, page(site, name))
    assert lonely(chromium) == []
    assert len(chromium.find_elements(By.CSS_SELECTOR, ".c a")) > 40


def test_the_keyboard_alone_is_enough(chromium: Chrome, site: Path) -> None:
    load(chromium, page(site, "rpy_kinematics"))
    first = chromium.find_element(By.CSS_SELECTOR, ".panel:nth-child(2) .c a")
    chromium.execute_script("arguments[0].focus()", first)
    for key in [Keys.ARROW_DOWN] * 5 + [Keys.ENTER]:
        chromium.switch_to.active_element.send_keys(key)
    assert "cos_theta = cos(" in chromium.find_element(By.CSS_SELECTOR, ".panel:nth-child(2) .c .on").text
    node = chromium.find_element(By.CSS_SELECTOR, ".canvas g[tabindex='0']")
    chromium.execute_script("arguments[0].focus()", node)
    chromium.switch_to.active_element.send_keys(Keys.ARROW_RIGHT)
    chromium.switch_to.active_element.send_keys(Keys.ENTER)
    assert marked(chromium)["nodes"] >= 1
    stops = chromium.execute_script("return document.querySelectorAll('#linked [tabindex=\"0\"]').length")
    assert stops <= 7, "each list is one stop of the tab key"


def test_hovering_shows_what_belongs_together(chromium: Chrome, site: Path) -> None:
    load(chromium, page(site, "rpy_kinematics"))
    event = "new MouseEvent('mouseover', {bubbles: true})"
    chromium.execute_script(f"document.querySelector('[id^=row-]').dispatchEvent({event})")
    near = chromium.find_elements(By.CSS_SELECTOR, ".near")
    assert len(near) >= 4
    assert {e.tag_name for e in near} >= {"a", "g"}


def test_the_graph_is_zoomed(chromium: Chrome, site: Path) -> None:
    load(chromium, page(site, "so3_left_jacobian"))
    width = "return document.querySelector('.canvas svg').getBoundingClientRect().width"
    full = chromium.execute_script(width)
    button = "document.querySelector(`.zoom [aria-label='{}']`).click()"
    for label, expected in (("Zoom in", 1.25), ("Zoom out", 1.0), ("100 %", 1.0)):
        chromium.execute_script(button.format(label))
        assert chromium.execute_script(width) == pytest.approx(expected * full, rel=1e-3)
    chromium.execute_script(button.format("Fit"))
    assert chromium.execute_script(width) <= chromium.execute_script(
        "return document.querySelector('.canvas').clientWidth"
    )
    assert chromium.find_elements(By.CSS_SELECTOR, ".canvas g.shared")


def signs(text: str) -> set[str]:
    """The signs, functions and constants of formulas."""
    nodes = (n for f in read_formulas(text) for side in f.sides for n in side.nodes())
    known = {*KNOWN, *CONSTANTS}
    return {n.name if n.name in known else n.kind.value for n in nodes if not n.name or n.name in known}


def test_the_conventions_explain_every_sign_and_function_of_the_library() -> None:
    explained = {sign for text, _ in GLOSSARY for sign in signs(text)} | {"Ry", "Rz"}
    for kernel in library().values():
        cases = [case for cases in kernel.failures.values() for case in cases]
        stated = [kernel.equation, *(s.equation for s in hand_written(kernel))]
        for text in (*stated, *(c.unless for c in cases), *(c.results for c in cases)):
            if is_notation(text):
                assert signs(text) <= explained, (kernel.name, text)


def test_search_finds_a_kernel(chromium: Chrome, site: Path) -> None:
    shown = "return [...document.querySelectorAll('.index li:not([hidden]) a')].map((a) => a.textContent)"
    load(chromium, site / "index.html")
    assert len(chromium.execute_script(shown)) == len(SAMPLE)
    chromium.find_element(By.ID, "q").send_keys("roll Rates")
    assert chromium.execute_script(shown) == ["rpy_kinematics"]
    assert chromium.find_element(By.ID, "found").text == f"1 of {len(SAMPLE)} functions"
    chromium.find_element(By.ID, "q").send_keys(Keys.ENTER)
    arrives(chromium, page(site, "rpy_kinematics"))
    chromium.find_element(By.ID, "q").send_keys("gravity" + Keys.ENTER)
    arrives(chromium, site / "index.html")
    assert chromium.execute_script(shown) == ["gravity_body"]


@pytest.mark.parametrize(
    ("words", "name"),
    [
        ("fc_quat_rotate_f32", "quat_rotate"),
        ("GIMBAL_LOCK", "rpy_kinematics"),
        ("FC_GIMBAL_LOCK", "rpy_kinematics"),
        ("qat_rotate", "quat_rotate"),
        ("kgm2", "inertia_multiply"),
        ("kg m^2", "inertia_multiply"),
        ("\u03c9", "rpy_kinematics"),
        ("omega", "rpy_kinematics"),
        ("kg m2", "inertia_multiply"),
        ("rad/s", "rpy_kinematics"),
        ("quatenrion rotate", "quat_rotate"),
        ("gimbl", "rpy_kinematics"),
        ("featherstone", "inertia_multiply"),
    ],
)
def test_search_finds_symbols_flags_units_letters_and_mistyped_words(
    words: str, name: str, chromium: Chrome, site: Path
) -> None:
    load(chromium, site / "index.html")
    chromium.find_element(By.TAG_NAME, "body").send_keys("/" + Keys.NULL)
    box = chromium.switch_to.active_element
    assert box.get_attribute("id") == "q"
    box.send_keys(words)
    shown = chromium.find_elements(By.CSS_SELECTOR, ".index li:not([hidden]) a")
    assert name in [link.text for link in shown]
    assert len(shown) < len(SAMPLE)
    assert len(shown) < len(SAMPLE)


@pytest.fixture(scope="session")
def whole_index(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The index of the book of the whole library, without the pages."""
    directory = tmp_path_factory.mktemp("index")
    for name in ("book.css", "book.js"):
        copy(template_directory() / "book" / name, directory)
    index = _render("index.html.j2", **_index([*library().values(), *routines().values()]))
    (directory / "index.html").write_text(index, encoding="utf-8")
    return directory / "index.html"


def searched(driver: Chrome, *words: str) -> list[list[str]]:
    """The names that each search finds, in their order; before and after, none is searched for."""
    script = """
    const box = document.getElementById("q");
    const search = (words) => {
      box.value = words;
      box.dispatchEvent(new Event("input"));
      return [...document.querySelectorAll(".index li:not([hidden]) a")].map((a) => a.textContent);
    };
    return ["", ...arguments[0], ""].map(search);
    """
    results: list[list[str]] = driver.execute_script(script, words)
    before, *found, after = results
    assert before == after
    assert sorted(before) == sorted([*library(), *routines()])
    return found


def test_search_knows_each_way_of_writing_a_unit_and_a_greek_letter(
    chromium: Chrome, whole_index: Path
) -> None:
    load(chromium, whole_index)
    written = ("kg m^2", "kg m2", "kg m\u00b2", "kg\u00b7m\u00b2", "kg\u22c5m^2", "KG  m\u00b2")
    units = searched(chromium, *written)
    assert len(units[0]) > 70
    assert all(found == units[0] for found in units)
    letters = searched(chromium, "\u03c3", "sigma", "\U0001d70e")
    assert "rpy_from_quat" in letters[0]
    assert all(set(letters[0]) <= set(found) for found in letters)
    assert len(searched(chromium, "\u03c0")[0]) < 150  # and not what has pi within a word
    powers = searched(chromium, "m/s^2", "m/s\u00b2", "m/s\u00b2 gravity")
    assert powers[0] == powers[1]
    assert "gravity_body" in powers[2]


def test_search_looks_in_steps_and_ranks_whole_words_of_names_first(
    chromium: Chrome, whole_index: Path
) -> None:
    load(chromium, whole_index)
    coriolis, ned, whole = searched(chromium, "coriolis", "NED", "quat_rotate")
    assert "rigid_body_dynamics_ecef" in coriolis
    count = sum("ned" in name.split("_") for name in library())
    assert count > 5
    assert all("ned" in name.split("_") for name in ned[:count])
    assert whole[0] == "quat_rotate"


def arrives(chromium: Chrome, there: Path) -> None:
    """Wait until the browser has gone to the page and run its script."""
    wait = WebDriverWait(chromium, PATIENCE)
    wait.until(lambda d: d.current_url.partition("?")[0] == there.as_uri())
    wait.until(lambda d: d.execute_script("return document.readyState") == "complete")


def test_search_opens_the_function_that_bears_the_name(chromium: Chrome, site: Path) -> None:
    load(chromium, site / "index.html")
    assert unfound(chromium) == []


def test_pictures_follow_the_theme(chromium: Chrome, site: Path) -> None:
    """Text of a plot is dark on light, light on dark."""
    load(chromium, site / "accuracy-rpy_kinematics-0.svg")
    found = {}
    for scheme in ("light", "dark"):
        colours(chromium, scheme)
        found[scheme] = chromium.execute_script(
            "return getComputedStyle(document.querySelector('text')).fill"
        )
    colours(chromium, "light")
    assert found == {"light": "rgb(27, 27, 27)", "dark": "rgb(230, 230, 230)"}


def test_a_page_prints_without_what_only_a_screen_needs(chromium: Chrome, site: Path) -> None:
    load(chromium, page(site, "so3_left_jacobian"))
    chromium.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print"})
    lists = "[...document.querySelectorAll('.tall, .canvas')]"
    cut = chromium.execute_script(f"return {lists}.filter((e) => e.scrollHeight > e.clientHeight + 1).length")
    header = chromium.find_element(By.TAG_NAME, "header").is_displayed()
    chromium.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": ""})
    assert cut == 0
    assert not header


PAPER = 718
"""The width of A4 between the margins, in pixels."""


@pytest.mark.parametrize("name", ["kernel-inertia_com", "kernel-rigid_body_dynamics_quat", "evidence"])
def test_nothing_is_cut_off_on_paper(chromium: Chrome, printed: Path, name: str) -> None:
    """Chromium makes all of a page smaller if a part of it is too wide."""
    size = {"width": PAPER, "height": 1000, "deviceScaleFactor": 1, "mobile": False}
    chromium.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print"})
    chromium.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
    load(chromium, printed / f"{name}.html")
    chromium.execute_script("dispatchEvent(new Event('beforeprint'))")
    wide = chromium.execute_script(TOO_WIDE, PAPER)
    chromium.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
    chromium.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": ""})
    assert wide == []


TOO_WIDE = """
return [...document.body.querySelectorAll("*")].filter((item) => {
  const box = item.getBoundingClientRect();
  return box.width && box.right > arguments[0] + 1;
}).map((item) => item.outerHTML.slice(0, 120));
"""


@pytest.mark.exhaustive
def test_the_book_is_the_same_under_any_hash_seed(tmp_path: Path) -> None:
    """Pages of a kernel of each module; the Programs of all kernels are compared elsewhere."""
    names = {kernel.module: kernel.name for kernel in library().values()}.values()
    first, second = tmp_path / "1", tmp_path / "2"
    for place in (first, second):
        command = [sys.executable, "-m", "codegen", "book", *names, "-o", str(place)]
        variables = {**os.environ, "PYTHONHASHSEED": place.name}
        subprocess.run(command, check=True, env=variables, capture_output=True)
    files = sorted(f.name for f in first.iterdir())
    assert files == sorted(f.name for f in second.iterdir())
    assert [f for f in files if (first / f).read_bytes() != (second / f).read_bytes()] == []


def test_nothing_of_this_machine_is_in_the_book(site: Path) -> None:
    for file in site.iterdir():
        text = file.read_text(encoding="utf-8")
        assert str(Path.home()) not in text
        assert "://" not in re.sub(r"http://www\.w3\.org/[\w/]+", "", text), file.name
        assert not re.search(r"matplotlib v?\d|20\d\d-\d\d-\d\d", text, re.IGNORECASE), file.name


def test_the_links_of_the_book_lead_somewhere(site: Path) -> None:
    for file in site.glob("*.html"):
        text = file.read_text(encoding="utf-8")
        assert len(re.findall(r'\bid="([^"]+)"', text)) == len(set(re.findall(r'\bid="([^"]+)"', text)))
        for target in re.findall(r'(?:href|src)="([^"]+)"', text):
            name, _, anchor = target.partition("#")
            if name and not name.startswith("data:"):
                assert (site / name).is_file(), target
            if anchor:
                where = (site / name if name else file).read_text(encoding="utf-8")
                assert f'id="{anchor}"' in where, target


def test_a_book_and_a_library_do_not_overwrite_each_other(tmp_path: Path) -> None:
    kernel = library()["quat_conjugate"]
    generate([kernel], Options(), tmp_path / "c")
    with pytest.raises(FeatherError, match="holds a library, not a book: choose another directory"):
        build(["quat_conjugate"], {}, tmp_path / "c")
    build(["quat_conjugate"], {}, tmp_path / "book")
    with pytest.raises(FeatherError, match="holds a book, not a library"):
        generate([kernel], Options(), tmp_path / "book")
    build(["quat_multiply"], {}, tmp_path / "book")
    assert not page(tmp_path / "book", "quat_conjugate").exists()
    files = {f["path"] for f in json.loads((tmp_path / "book" / "manifest.json").read_text())["files"]}
    assert {f.name for f in (tmp_path / "book").iterdir()} == files | {"manifest.json"}


def test_the_command_writes_a_models_book(tmp_path: Path) -> None:
    """A model of SymPy expressions, without equation or source."""
    model = tmp_path / "pendulum.py"
    model.write_text(PENDULUM, encoding="utf-8")
    done = run("--model", str(model), "-o", str(tmp_path / "book"))
    assert done.exit_code == 0, done.output
    assert done.output == f"{tmp_path / 'book' / 'index.html'}: 1 functions\n"
    shown = page(tmp_path / "book", "pendulum").read_text(encoding="utf-8")
    assert '<mi class="w">sin</mi>' in shown
    assert "ddq" in shown


PENDULUM = """
import sympy
from codegen import POSITIVE, REAL, Arg, from_sympy

q, g, l = sympy.symbols("q g l")
pendulum = from_sympy(
    "pendulum",
    [
        (Arg("q", REAL, "rad", "angle"), q),
        (Arg("g", REAL, "m/s^2", "gravity"), g),
        (Arg("l", POSITIVE, "m", "length"), l),
    ],
    [(Arg("ddq", REAL, "rad/s^2", "its acceleration"), -g / l * sympy.sin(q))],
)
"""


def run(*arguments: str) -> Result:
    return CliRunner().invoke(cli, ["book", *arguments])


def test_the_program_of_a_model_runs_once(tmp_path: Path) -> None:
    """So that it may set what a process can set once, as the epsilon of SymForce."""
    model, runs = tmp_path / "pendulum.py", tmp_path / "runs"
    model.write_text(f"{PENDULUM}\nwith open({str(runs)!r}, 'a') as file:\n    file.write('run ')\n")
    assert run("--model", str(model), "-o", str(tmp_path / "book")).exit_code == 0
    assert page(tmp_path / "book", "pendulum").exists()
    assert runs.read_text() == "run "


def test_the_command_explains_what_is_missing(tmp_path: Path) -> None:
    assert "'--output'" in run("quat_rotate").output
    unknown = run("quat_rotat", "-o", str(tmp_path / "book"))
    assert "did you mean quat_rotate?" in str(unknown.exception)
    assert not (tmp_path / "book").exists()


def errors(name: str, precision: str, what: str = "") -> list[float]:
    """The errors of a kernel in a precision, over all its sweeps or one."""
    return [
        e
        for p in panels(library()[name])
        for c in p.curves
        for e in c.errors
        if what in p.sweep.what and c.precision.name == precision and e is not None
    ]


@pytest.mark.parametrize("precision", sampled(["f64", "f32"], every=2))
def test_accuracy_is_measured(precision: str) -> None:
    """A product of quaternions is good to a few ulp; a thinner rod makes worse what its inertia divides."""
    assert all(0 < e < 4 for e in errors("quat_multiply", precision))
    thin = errors("rigid_body_dynamics_quat", precision, "least principal moment")
    assert thin[0] > 1000 * thin[-1]


def test_flags_are_shown_near_the_singularity() -> None:
    (panel,) = (p for p in panels(library()["rpy_kinematics"]) if p.sweep.what.endswith("from pi/2"))
    flagged = {c.precision.name: c.flagged for c in panel.curves}
    edges = {name: panel.sweep.points[sum(f) - 1] for name, f in flagged.items() if f[0]}
    assert edges["f32"] == pytest.approx(np.sqrt(np.finfo(np.float32).eps), rel=1)
    assert not flagged["f64"][-1]


def test_a_wrong_operation_shows_as_an_error(monkeypatch: pytest.MonkeyPatch) -> None:

    def tainted(precision: Precision) -> NumberSystem:
        system = rounded(precision)
        return replace(
            system, table={**system.table, Op.MUL: lambda a, b: a * b * (1 + 64 * np.finfo(a.dtype).eps)}
        )

    monkeypatch.setattr("codegen.explain.book.accuracy.rounded", tainted)
    assert min(errors("quat_kinematics", "f64")) > 8


@pytest.mark.parametrize("part", ["`(", "`a ", "`[[", "`|", "x^`", "`", "`((a) `", "<b>`q.q`"])
def test_prose_bears_any_text(part: str) -> None:
    shown = f"<p>{in_line(prose(None, part * 3000))}</p>"
    assert len(fromstring(shown).findall(".//*")) < 40000


def test_a_graph_that_is_too_large_is_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("codegen.explain.graph_svg._MOST", 5)
    shown = page_of(library()["quat_rotate"], Around([], [], {}))
    assert shown.context["listing"].graph is None


def test_stores_that_print_one_node_are_told_apart() -> None:
    """M[1] and M[22] of the cross product's matrix are both -v_w_z."""
    for code in listing(library()["force_cross_matrix"]).codes:
        leading = [line.keys[0] for line in code.lines]
        assert len(leading) == len(set(leading))


def test_a_loop_shows_its_head(site: Path) -> None:
    text = page(site, "contact_solve_pgs").read_text(encoding="utf-8")
    assert re.search(r"<span>fc_status fc_contact_solve_pgs_f64\(const double N\[\],", text)


def test_what_the_optimiser_did_is_one_collapsed_section(site: Path) -> None:
    text = page(site, "rpy_kinematics").read_text(encoding="utf-8")
    before, _, after = text.partition('<details id="rewritings">')
    inside = after.partition("</details>")[0]
    assert 'class="passes"' not in before
    steps = derivation(library()["rpy_kinematics"])
    assert inside.count('class="passes"') == sum(s.kind == "passes" for s in steps) > 0
    assert re.findall(r'id="step-(\d+)"', before + inside) == [str(i + 1) for i in range(len(steps))]
    assert "w_B_x + sin(rpy_y) dpsi" in inside


def test_thresholds_are_shown_by_the_limits_of_a_precision() -> None:
    shown = "".join(row.formula for row in listing(library()["rpy_kinematics"]).rows)
    assert re.search(r"<msqrt>\s*<mi class=\"w\">\u03b5</mi>", shown)  # cos(theta) is compared with it
    assert '<mi class="w">max</mi>' in shown
    assert not re.search(r"1\.49|1\.797|308", shown)


def test_names_that_a_step_defines_are_set_in_its_prose_as_in_its_equation() -> None:
    kernel = library()["inertia_principal"]
    step = next(s for s in hand_written(kernel) if "`B`" in s.by)
    bold = "\U0001d469"
    assert bold in in_line(prose(kernel, step.by, step.equation))
    assert bold not in in_line(prose(kernel, step.by))


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("1.2e-4 m/s^2 & more", "1.2*10<sup>~4</sup> m/s<sup>2</sup> &amp; more"),
        ("2.3e-13 .. 7e12 kg m^2", "2.3*10<sup>~13</sup> .. 7*10<sup>12</sup> kg m<sup>2</sup>"),
        ("1e-16: nc^2 mul, x2e3", "10<sup>~16</sup>: nc<sup>2</sup> mul, x2e3"),
    ],
)
def test_exponents_of_units_and_powers_of_ten_are_raised_among_words(text: str, shown: str) -> None:
    times = "\N{NO-BREAK SPACE}\N{DOT OPERATOR}\N{NO-BREAK SPACE}"
    assert in_line((text,)).replace("\N{MINUS SIGN}", "~").replace(times, "*") == shown


def test_a_range_to_the_poles_is_one_of_multiples_of_pi() -> None:
    half = "\N{GREEK SMALL LETTER PI}/2"
    (lat,) = (a for a in library()["transport_rate_ned"].inputs if a.name == "lat")
    assert range_in_signs(lat) == f"\N{MINUS SIGN}{half} to {half}"


def test_every_formula_of_the_librarys_prose_is_notation() -> None:
    everything: list[Kernel | Routine] = [*library().values(), *routines().values()]
    for kernel in everything:
        for text in texts(kernel):
            assert all(read_formulas(p.text) for p in pieces(text) if p.is_formula), text
            fromstring(f"<p>{in_line(prose(kernel, text))}</p>")


def test_calls_are_found_through_helpers_and_models() -> None:
    everything: dict[str, Kernel | Routine] = {**library(), **routines()}
    assert calls(library()["rigid_body_dynamics_quat"]) >= {"quat_rotate", "quat_kinematics"}
    assert calls(library()["rigid_body_dynamics_quat_jacobian_nonzeros"]) == {
        "rigid_body_dynamics_quat_jacobian"
    }
    assert calls(routines()["contact_solve_pgs"]) >= {"contact_project"}
    assert "rigid_body_dynamics_rpy" in callers(everything)["rpy_kinematics"]
    assert calls(library()["quat_multiply"]) == set()


def test_numbers_that_follow_each_other_are_ranges() -> None:
    assert ranges(["3", "4", "5", "12", "14", "15", "7"]) == "3-5 12 14-15 7"
    assert ranges(range(0)) == ""
    assert ranges([0, 1]) == "0-1"


def test_a_page_states_once_what_its_script_finds(site: Path) -> None:
    """Links from C to formulas, users and steps of statements, and buttons are made from what is there."""
    text = page(site, "rpy_kinematics").read_text(encoding="utf-8")
    formulas = re.findall(r'<li><a href="#c-(\d+)"><math>', text)
    assert len(formulas) == len(set(formulas)) > 10
    assert sorted(re.findall(r' id="c-(\d+)"', text)) == sorted(formulas)
    assert "<button" not in text
    assert "#row-" not in text
    said, cards = (
        found[1].splitlines()
        for name in ("said", "cards")
        if (found := re.search(rf'<pre id="{name}" hidden>\n(.*?)\n</pre>', text, re.DOTALL))
    )
    assert len(cards) == len(formulas)
    assert max(int(number) for card in cards for number in re.findall(r"\d+", card)) == len(said) - 1


class Words(HTMLParser):
    """The words of a page that are neither code nor formulas, and those of its descriptions of pictures."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.found: list[str] = []
        self._open: list[str] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in ("meta", "link", "img", "input", "br"):
            self._open.append(dict(attrs).get("id") or tag)

    def handle_endtag(self, tag: str) -> None:
        self._open.pop()

    def handle_data(self, data: str) -> None:
        is_rewriting = self._open[-1:] == ["dd"] and "rewritings" in self._open  # by style, it is code
        if not is_rewriting and not {"code", "pre", "math", "svg", "style", "said", "words"} & set(
            self._open
        ):
            self.found.append(data)


NOTATION = re.compile(r"[\^*~]|[<>]=|\(x\)|[A-Za-z]\w*_\w+|(?:\b[A-Za-z0-9]|[)\]]) x [\w(\[]")
CODE = {*library(), *routines(), *(s.name or "" for s in Status), *SAMPLE}


def left_over(page: str) -> list[str]:
    """What is written in the notation among the words of a page."""
    return [
        f"{found[0]} in {words.strip()}"
        for words in Words(page).found
        for found in NOTATION.finditer(words)
        if found[0] not in CODE and not found[0].startswith("fc_")
    ]


def test_formulas_among_words_are_set_on_every_page(site: Path) -> None:
    """Titles, tables, captions and what the optimiser did have no notation that is not marked as code."""
    for file in sorted(site.glob("*.html")):
        assert left_over(file.read_text()) == [], file.name


def test_formulas_in_the_titles_of_the_index_are_set() -> None:
    index = _render("index.html.j2", **_index([*library().values(), *routines().values()]))
    assert left_over(index) == []
    assert "<math" in index


def test_the_rules_of_the_passes_are_set() -> None:
    for applied in (*SMALL_PASSES, SEARCH, REGISTERS):
        for text in (applied.title, applied.rule):
            assert left_over(in_line(prose(None, text))) == []


@pytest.mark.parametrize("text", ["r x w_B", "a <= b", "x * (1/c)", "D^T", "p~ R", "T_AB, length"])
def test_notation_among_words_is_found(text: str) -> None:
    assert left_over(f"<p>the rate {escape(text)}</p>")
    assert not left_over(f"<p>the rate <code>{escape(text)}</code></p>")
