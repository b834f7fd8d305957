"""Draws an expression graph as SVG: layers from inputs to outputs, laid out by grandalf."""

from __future__ import annotations

import html
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any, TypeAlias

from codegen.errors import FeatherError
from codegen.explain.graph import Graph, GraphNode, caption

Place: TypeAlias = tuple[float, float]

_HEIGHT, _CHARACTER, _PADDING = 22, 7.3, 14
_GAP, _LAYER, _MARGIN = 10, 22, 12
_ROUNDS = 3
_MOST = 2000
"""Limit on the nodes of a graph, so that it is drawn in reasonable time."""

STYLE = """
.featherc-graph { font: 12px ui-monospace, monospace; color: inherit; background: none; }
.featherc-graph text { text-anchor: middle; dominant-baseline: central; fill: currentColor; }
.featherc-graph path { fill: none; stroke: currentColor; stroke-opacity: .35; }
.featherc-graph rect { fill: currentColor; fill-opacity: .04; stroke: currentColor; stroke-opacity: .5; }
.featherc-graph .condition rect, .featherc-graph .status rect { stroke-dasharray: 4 2; }
.featherc-graph .shared rect { stroke-width: 2.5; stroke-opacity: .9; }
.featherc-graph .input rect, .featherc-graph .output rect { fill-opacity: .14; }
"""
"""The style of a graph: everything has the colour of the text, so that it is legible on light and dark."""


@dataclass
class _Box:
    """The view of a node that grandalf requires; grandalf sets xy."""

    w: float
    h: float = _HEIGHT
    xy: Place = (0.0, 0.0)


@dataclass
class _Line:
    """The view of an edge that grandalf requires."""

    points: list[Place] = field(default_factory=list)

    def setpath(self, points: Sequence[Place]) -> None:
        """Take the points of the edge, from centre to centre."""
        self.points = list(points)


def svg(g: Graph) -> str:
    """The graph as an SVG image. FeatherError when it is too large to draw.

    Each node is a group with the attributes data-node, its key, and data-statement, the id of the C statement
    that computes it; each edge has data-source and data-target.
    """
    if len(g.nodes) > _MOST:
        raise FeatherError(
            f"a graph of {len(g.nodes)} nodes is too large to draw; try --as dot with Graphviz"
        )
    places, lines, width, height = _layout(g)
    title = html.escape(f"Expression graph of {g.title}" if g.title else "Expression graph")
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" class="featherc-graph" role="img" width="{_n(width)}" '
            f'height="{_n(height)}" viewBox="0 0 {_n(width)} {_n(height)}">',
            f"<title>{title}</title>",
            f"<style>{STYLE}</style>",
            *_edges(g, lines),
            *(_node(n, place) for n, place in zip(g.nodes, places, strict=True)),
            "</svg>\n",
        ]
    )


def _layout(g: Graph) -> tuple[list[Place], list[list[Place]], float, float]:
    """The centre of each node, the points of each edge, and the size of the image."""
    from grandalf.graphs import Edge, Vertex
    from grandalf.graphs import Graph as Layered
    from grandalf.utils import Poset

    vertices = {n.key: Vertex(n.key) for n in g.nodes}
    for n in g.nodes:
        vertices[n.key].view = _Box(_width(n))
    edges = {(e.source, e.target): Edge(vertices[e.source], vertices[e.target]) for e in g.edges}
    for edge in edges.values():
        edge.view = _Line()
    right = 0.0
    order = {edge: i for i, edge in enumerate(edges.values())}
    for component in Layered(list(vertices.values()), list(edges.values())).C:
        component.sE = Poset(sorted(component.sE, key=order.__getitem__))  # which come from a set
        right = _place(component, right)
    boxes = [vertices[n.key].view for n in g.nodes]
    lines = [edges[e.source, e.target].view.points for e in g.edges]
    bottom = max(box.xy[1] + box.h / 2 for box in boxes)
    return [box.xy for box in boxes], lines, right + _MARGIN, bottom + _MARGIN


def _place(component: Any, left: float) -> float:
    """Lay out one connected component right of `left`; its own right border."""
    from grandalf.layouts import SugiyamaLayout

    class Layout(SugiyamaLayout):  # type: ignore[misc]
        conflicts: Any

        def _detect_alignment_conflicts(self) -> None:
            super()._detect_alignment_conflicts()
            self.conflicts = set(self.conflicts)  # a list there, searched for each edge

    layout = Layout(component)
    layout.xspace, layout.yspace = _GAP, _LAYER
    layout.init_all(inverted_edges=[])
    layout.draw(_ROUNDS)
    boxes, lines = [v.view for v in component.sV], [e.view for e in component.sE]
    bends = [x for line in lines for x, _ in line.points]
    x = left + _MARGIN - min([box.xy[0] - box.w / 2 for box in boxes] + bends)
    y = _MARGIN - min(box.xy[1] - box.h / 2 for box in boxes)
    for box in boxes:
        box.xy = (box.xy[0] + x, box.xy[1] + y)
    for line in lines:
        line.points = [(px + x, py + y) for px, py in line.points]
    return float(max([box.xy[0] + box.w / 2 for box in boxes] + [bend + x for bend in bends]))


def _width(n: GraphNode) -> float:
    return _CHARACTER * len(caption(n)) + _PADDING


def _node(n: GraphNode, place: Place) -> str:
    x, y = place
    width = _width(n)
    kind = f"{n.kind} shared" if n.shared else n.kind
    text = html.escape(caption(n))
    return (
        f'<g class="{kind}" data-node="{n.key}" data-statement="{n.statement}"><title>{text}</title>'
        f'<rect x="{_n(x - width / 2)}" y="{_n(y - _HEIGHT / 2)}" width="{_n(width)}" height="{_HEIGHT}" '
        f'rx="{_ROUND.get(n.kind, 11)}"/><text x="{_n(x)}" y="{_n(y)}">{text}</text></g>'
    )


_ROUND = {"input": 2, "output": 2, "status": 6}
"""The radius of a node's corners."""


def _edges(g: Graph, lines: Sequence[Sequence[Place]]) -> Iterator[str]:
    """The edges, from the lower side of a node to the upper side of the next."""
    for e, points in zip(g.edges, lines, strict=True):
        (x0, y0), *between, (x1, y1) = points
        path = [(x0, y0 + _HEIGHT / 2), *between, (x1, y1 - _HEIGHT / 2)]
        start = f'<path d="{_shape(path)}" data-source="{e.source}" data-target="{e.target}"'
        yield f"{start}><title>{html.escape(e.role)}</title></path>" if e.role else f"{start}/>"


def _shape(path: Sequence[Place]) -> str:
    """The lines from point to point, in whole pixels; a vertical line, across layers, is one."""
    (x0, y0), *others = [(round(x), round(y)) for x, y in path]
    steps: list[tuple[int, int]] = [(x0, y0)]
    for x, y in others:
        if len(steps) > 1 and steps[-2][0] == steps[-1][0] == x:
            steps.pop()
        steps.append((x, y))
    ways = ((x - x_before, y - y_before) for (x_before, y_before), (x, y) in pairwise(steps))
    lines = (f"l{across} {down}" if across else f"v{down}" for across, down in ways)
    return f"M{x0} {y0}{''.join(lines)}"


def _n(number: float) -> str:
    """A coordinate to a whole pixel."""
    return str(round(number))
