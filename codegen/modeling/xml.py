"""Reads XML that a user names: without document types or entities, of limited size and depth."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from xml.parsers import expat

from codegen.errors import FeatherError, PartError
from codegen.modeling.files import read_bytes

_LARGEST = 32 * 2**20
"""Limit on the bytes of a file."""

_DEEPEST = 64
"""Limit on the depth of its elements."""


@dataclass
class Element:
    """An XML element: its name, attributes, line, children, and text in pieces."""

    tag: str
    attributes: dict[str, str]
    line: int
    children: list[Element] = field(default_factory=list)
    words: list[str] = field(default_factory=list)

    @property
    def text(self) -> str:
        """The text between its tags, without that of its children."""
        return "".join(self.words)

    def all(self, tag: str) -> list[Element]:
        """The children with a tag."""
        return [c for c in self.children if c.tag == tag]

    def one(self, tag: str) -> Element | None:
        """The only child with a tag, None if there is none."""
        found = self.all(tag)
        if len(found) > 1:
            raise FeatherError(f"it has {len(found)} elements <{tag}>, but can have one")
        return found[0] if found else None

    def below(self, tag: str) -> Iterator[Element]:
        """All elements below with a tag."""
        for child in self.children:
            if child.tag == tag:
                yield child
            yield from child.below(tag)

    def attribute(self, name: str) -> str:
        """An attribute that has to be there."""
        if name not in self.attributes:
            raise FeatherError(f"<{self.tag}> has no attribute {name}")
        return self.attributes[name]


@contextmanager
def located(path: str, element: Element) -> Iterator[None]:
    """Put the file and the element's line before an error that does not name them."""
    try:
        yield
    except FeatherError as error:
        place = "" if str(error).startswith(f"{path}:") else f"{path}:{element.line}: "
        raise FeatherError(f"{place}{error}") from None


@contextmanager
def of_file(path: Path, parts: Mapping[str, Sequence[Element]]) -> Iterator[None]:
    """Put the file before an error, and where it is about one of these `parts`, by their kind, its line."""
    try:
        yield
    except PartError as error:
        lines = [x.line for x in parts.get(error.kind, ()) if x.attributes.get("name") == error.name]
        place = f"{path}:{lines[-1]}" if lines else path  # the last one, where it is one too many
        raise FeatherError(f"{place}: {error}") from None
    except FeatherError as error:
        raise FeatherError(f"{path}: {error}") from None


def read_xml(path: Path) -> Element:
    """The root element of an XML file; FeatherError with the line and what is wrong."""
    text = read_bytes(path, _LARGEST)
    parser = expat.ParserCreate()
    parser.SetParamEntityParsing(expat.XML_PARAM_ENTITY_PARSING_NEVER)
    open_ = [Element("", {}, 0)]

    def start(tag: str, attributes: dict[str, str]) -> None:
        if len(open_) > _DEEPEST:
            raise FeatherError(f"its elements are nested deeper than {_DEEPEST}")
        element = Element(tag, attributes, parser.CurrentLineNumber)
        open_[-1].children.append(element)
        open_.append(element)

    parser.StartElementHandler = start
    parser.CharacterDataHandler = lambda words: open_[-1].words.append(words)
    parser.EndElementHandler = lambda _: open_.pop()
    parser.StartDoctypeDeclHandler = _refuse
    parser.SkippedEntityHandler = _refuse_entity
    root = open_[0]
    try:
        parser.Parse(text, True)
    except expat.ExpatError as error:
        reason = expat.errors.messages.get(error.code, "not well formed")
        raise FeatherError(f"{path}:{error.lineno}: this is not XML: {reason}") from None
    except (LookupError, UnicodeError):
        raise FeatherError(f"{path}: its encoding is none that can be read here: save it as UTF-8") from None
    except (FeatherError, ValueError) as error:
        raise FeatherError(f"{path}:{parser.CurrentLineNumber}: {error}") from None
    return root.children[0]


def _refuse(_name: str, _system: object, _public: object, has_own: bool) -> None:
    """Refuse a document type that declares something itself; the file that it may name is not read."""
    if not has_own:
        return
    raise FeatherError("it has a document type, whose entities are not safe to read: remove <!DOCTYPE>")


def _refuse_entity(name: str, _is_parameter: object) -> None:
    raise FeatherError(f"it uses the entity &{name}; of another file: write it out")
