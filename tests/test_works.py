"""The registry of the works that are cited, and that nothing is cited without it."""

import copy
import pickle
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import pytest

from codegen.errors import FeatherError
from codegen.library import MODULES, library
from codegen.library.routines import routines
from codegen.library.shared import works
from codegen.library.shared.works import FEATHERSTONE, SMITH, Work

ROOT = Path(__file__).parents[1]
REGISTRY = Path(works.__file__)
WORKS = sorted((w for w in vars(works).values() if isinstance(w, Work)), key=len, reverse=True)
OTHERS = (
    "the contact points lie on ",
    "the derivatives of rigid_body_dynamics_quat, ",
    "the inverse of ",
    "the order of ",
    "the principal value of ",
    "the sandwich product ",
    "the ten inertial parameters, ",
)
"""Sources that are no works begin with one of these."""
KINDS = ("section", "chapter", "equation", "appendix", "algorithm", "scheme", "theorem")


def test_a_work_is_its_citation() -> None:
    """Places follow it with number and title, each as often as it is asked for."""
    assert FEATHERSTONE == "Featherstone, Rigid Body Dynamics Algorithms (2008)"
    assert FEATHERSTONE.at("section 2.9", "equation 2.31") == (
        "Featherstone, Rigid Body Dynamics Algorithms (2008), section 2.9, Spatial Cross Products, "
        "equation 2.31, cross product of motions"
    )


def test_a_place_that_was_not_looked_up_cannot_be_cited() -> None:
    with pytest.raises(
        FeatherError, match=r"Smith, .*, 1961: section 2 was not looked up: add its title, or"
    ):
        SMITH.at("section 2")


@pytest.mark.parametrize("copied", [copy.deepcopy, lambda w: pickle.loads(pickle.dumps(w))])
def test_a_copy_knows_its_places(copied) -> None:  # type: ignore[no-untyped-def]
    assert copied(FEATHERSTONE).at("section 2.9") == FEATHERSTONE.at("section 2.9")


def test_a_work_has_one_spelling() -> None:
    """So each has the same edition and year wherever it is cited."""
    assert len({work.split(" (")[0].casefold() for work in WORKS}) == len(WORKS) >= 40


def _sources() -> dict[str, str]:
    """Source -> where it was found: of kernels, of routines and of the steps of their derivations."""
    found = {kernel.source: name for name, kernel in library().items()}
    found |= {routine.source: name for name, routine in routines().items()}
    for module in MODULES:
        for name, steps in import_module(f"codegen.library.{module}.steps").STEPS.items():
            found |= {step.source: f"a step of {name}" for step in steps}
    return found


def _remark(source: str) -> str | None:
    """What follows the work and its places at the beginning of a source; None if that is no work."""
    for work in WORKS:
        if source.startswith(work):
            rest = source.removeprefix(work)
            places = [f", {place}, {title}" for place, title in work.places.items()]
            while ahead := [p for p in places if rest.startswith(p)]:
                rest = rest.removeprefix(ahead[0])
            return rest
    return None


@pytest.mark.parametrize(("source", "where"), _sources().items())
def test_a_source_is_a_work_of_the_registry(source: str, where: str) -> None:
    """Or one of a short list of others; remarks follow after a mark, without numbers of other places."""
    first, *others = source.split("; ")
    remark = _remark(first)
    assert remark is not None or first.startswith(OTHERS), f"{where}: {source} is no work of {REGISTRY.name}"
    assert not remark or remark.startswith((", ", ": ", " (")), f"{where}: {remark}"
    for text in (remark or "", *(rest if (rest := _remark(o)) is not None else o for o in others)):
        assert not [*_numbered(text)], f"{where}: {text}"


def _numbered(text: str) -> Iterator[tuple[str, str]]:
    """Each "section 2.13" of a text, of "sections 5 and 6" both, with the author named last before it."""
    authors = {work.split()[0].strip(",").casefold() for work in WORKS}
    words, author = text.split(), ""
    for i, word in enumerate(words):
        name = word.split("=")[-1].strip('"(`').split(".")[0].strip(",;:)").casefold()
        author = name if name in authors else author
        kind = word.lstrip("(").casefold()
        if kind.removesuffix("s") in KINDS:
            for number in (
                words[i + 1 : i + 4 : 2] if words[i + 2 : i + 3] == ["and"] else words[i + 1 : i + 2]
            ):
                bare = number.strip("\"',.;:)`")
                roman = kind.startswith(("section", "chapter", "appendi")) and not set(bare) - set(
                    "ABCDIVX.0123456789"
                )
                if bare[:1].isdigit() or (bare and roman):
                    yield author, f"{kind.removesuffix('s')} {bare}"


def _texts() -> Iterator[Path]:
    yield ROOT / "README.md"
    for folder in ("codegen", "examples", "templates"):
        yield from (p for p in (ROOT / folder).rglob("*") if p.suffix in (".py", ".md", ".toml", ".j2"))


def _named() -> Iterator[tuple[Path, str, str]]:
    for path in _texts():
        if path != REGISTRY:
            yield from ((path, author, place) for author, place in _numbered(path.read_text()))


def test_no_text_names_a_place_that_was_not_looked_up() -> None:
    """Docstrings, comments, examples and pages."""
    known = {
        (work.split()[0].strip(",").casefold(), part)
        for work in WORKS
        for place in work.places
        for part in place.split(", ")
    }
    unknown = [
        f"{path.relative_to(ROOT)}: {a}, {place}" for path, a, place in _named() if (a, place) not in known
    ]
    assert not unknown


def test_every_place_and_every_work_of_the_registry_is_cited() -> None:
    code = "".join(p.read_text() for p in (ROOT / "codegen").rglob("*.py") if p != REGISTRY)
    cited = {q for part in code.split(".at(")[1:] for q in part.split(")")[0].replace("'", '"').split('"')}
    cited |= {place for _, _, place in _named()}
    assert not [f"{work}, {place}" for work in WORKS for place in work.places if place not in cited]
    assert not [name for name, work in vars(works).items() if isinstance(work, Work) and name not in code]
