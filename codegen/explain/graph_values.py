"""Collapses the graph of a large function: one node for each argument, result and named value."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from graphlib import CycleError, TopologicalSorter
from typing import TypeAlias

from codegen.explain.graph import Graph, GraphEdge, GraphNode
from codegen.ir.program import Program
from codegen.provenance.flow import scalar_names

Groups: TypeAlias = dict[str, str]
"""The group of each node, by their keys; what belongs to no other node is a group by itself."""

_COMPONENT = re.compile(r"_(?:[wxyz]|[xyz]{2}|\d+)$")
"""The end of the name of a component, as in w_B_x."""


READABLE = 120
"""Nodes of a graph that is drawn with every operation."""


def readable(g: Graph, program: Program) -> Graph:
    """The graph itself or, where it is large, the one with a node for each named value."""
    return g if len(g.nodes) <= READABLE else by_value(g, program)


def by_value(g: Graph, program: Program) -> Graph:
    """The graph with one node for each argument, each result and each named value with all its components.

    Values without names belong to the only node that needs them, or are one node for all that the same nodes
    need. Components of which one depends on another
    by way of other values keep nodes of their own, so that the graph has no cycle.
    """
    names = {n.key: _whole(n, program) for n in g.nodes}
    while True:
        groups = _absorbed(g, names)
        try:
            order = tuple(TopologicalSorter(_needs(g, groups)).static_order())
        except CycleError as error:
            apart = {*error.args[1]}
            split = {key for key in names if groups[key] in apart and names[key] != key}
            for key in split or {key for key in names if groups[key] in apart}:
                names[key] = key
            continue
        return _collapsed(g, groups, order)


def _whole(n: GraphNode, program: Program) -> str:
    """The group that a node belongs to by its name; empty for a value without one."""
    for kind, arguments in (("input", program.inputs), ("output", program.outputs)):
        if n.kind == kind:
            of = (a.name for a in arguments if n.label.partition(" = ")[0] in scalar_names((a,)))
            return f"{kind} {next(of, n.label)}"
    if n.kind == "status":
        return f"status {n.label}"
    return f"value {_COMPONENT.sub('', n.name)}" if n.name else ""


def _absorbed(g: Graph, names: Mapping[str, str]) -> Groups:
    """The group of each node, users before what they use."""
    users: dict[str, list[str]] = {n.key: [] for n in g.nodes}
    for e in g.edges:
        users[e.source].append(e.target)
    order = TopologicalSorter(users).static_order()
    groups: Groups = {}
    for key in order:
        of = {groups[user] for user in users[key]}
        groups[key] = names[key] or (of.pop() if len(of) == 1 else f"for {', '.join(sorted(of))}")
    return groups


def _needs(g: Graph, groups: Groups) -> dict[str, dict[str, None]]:
    """The groups that each group needs, in the order of the edges: that of a set differs between runs."""
    found: dict[str, dict[str, None]] = {group: {} for group in groups.values()}
    for e in g.edges:
        if groups[e.source] != groups[e.target]:
            found[groups[e.target]][groups[e.source]] = None
    return found


def _collapsed(g: Graph, groups: Groups, order: tuple[str, ...]) -> Graph:
    members: dict[str, list[GraphNode]] = {group: [] for group in order}
    for n in g.nodes:
        members[groups[n.key]].append(n)
    keys = {group: f"g{i}" for i, group in enumerate(members)}
    nodes = tuple(_node(keys[group], group, of) for group, of in members.items())
    edges = dict.fromkeys((keys[groups[e.source]], keys[groups[e.target]]) for e in g.edges)
    return Graph(g.title, nodes, tuple(GraphEdge(a, b) for a, b in edges if a != b))


def _node(key: str, group: str, members: list[GraphNode]) -> GraphNode:
    """The node of a group; of a single node its own one."""
    last = members[-1]
    if len(members) == 1:
        return replace(last, key=key)
    kind, _, name = group.partition(" ")
    ids = " ".join(dict.fromkeys(n.statement for n in members if n.statement))
    label = f"{len(members)} values" if kind == "for" else name
    shared = any(n.shared for n in members)
    return GraphNode(key, last.kind, label, shared=shared, statement=ids)
