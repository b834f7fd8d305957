"""The image of an expression graph on a page of the book, whose style and script say the rest."""

from __future__ import annotations

from xml.etree.ElementTree import Element, fromstring, register_namespace, tostring

from codegen.explain.book.spans import ranges
from codegen.explain.graph import Graph
from codegen.explain.graph_svg import svg

_SVG = "{http://www.w3.org/2000/svg}"


def image(g: Graph) -> str:
    """The image in less than half of the bytes. FeatherError when the graph is too large to draw.

    Nodes have no keys, those of one height are a layer, and edges without a role are one line. Links of nodes
    to statements stay.
    """
    root = fromstring(svg(g))
    root.remove(root[1])  # the style, which is that of the book
    plain = [e for e in root.iterfind(f"{_SVG}path") if not len(e)]
    for edge in plain[1:]:
        plain[0].set("d", f"{plain[0].get('d')}{edge.get('d')}")
        root.remove(edge)
    for edge in root.iterfind(f"{_SVG}path"):
        del edge.attrib["data-source"], edge.attrib["data-target"]
    layers: dict[str, Element] = {}
    for group in root.findall(f"{_SVG}g"):
        root.remove(group)
        layer = layers.setdefault(_lightened(group), Element(f"{_SVG}g"))
        layer.append(group)
    for y, layer in layers.items():
        layer.set("transform", f"translate(0 {y})")
        root.append(layer)
    register_namespace("", _SVG[1:-1])
    return tostring(root, encoding="unicode").replace(" />", "/>")


def _lightened(group: Element) -> str:
    """The height of a node on the image; it is taken from the node, as is what its text or the style says."""
    group.remove(group[0])  # a title that says what the text says
    box, text = group
    for key in ("y", "height", "rx"):
        del box.attrib[key]
    statements = ranges(sorted(map(int, group.attrib.pop("data-statement").split())))
    kinds = " ".join(kind for kind in group.attrib.pop("class").split() if kind != "value")
    named = {"class": kinds, "data-s": statements}
    group.attrib = {key: value for key, value in named.items() if value}
    return text.attrib.pop("y")
