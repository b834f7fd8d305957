"""The kernel of a DAVE-ML model: its outputs as a function of its inputs."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from codegen.aircraft.daveml import check, read_daveml, unit_of
from codegen.aircraft.kernels import input_kinds, weighted_look_up
from codegen.aircraft.tree import LookUp, Node, Values
from codegen.frontends.define import formula_kernel
from codegen.ir.program import Arg
from codegen.ir.types import REAL
from codegen.misuse import explained
from codegen.modeling.kernel import Kernel
from codegen.modeling.types.scalar import bare
from codegen.modeling.xml import Element


@explained
def model_from_daveml(path: str | Path, name: str) -> Kernel:
    """The outputs of a DAVE-ML model as a function of its inputs, each under its varID.

    The check cases of the file are computed first. The formulas are not checked for units. FeatherError names
    the file, the line and what is wrong, or the check case that does not hold.
    """
    model, formulas, shots = read_daveml(Path(path))
    check(model, formulas, shots)
    kinds = input_kinds(list(formulas.values()))
    inputs = [_argument(n, model.variables[n], kinds.get(n, REAL)) for n in model.inputs]
    names = [a.name for a in inputs]
    cases = f"; its {len(shots)} check cases hold" if shots else ""
    return formula_kernel(
        _formula(formulas, names, lambda table, at: table(*at)),
        name=name,
        module="model",
        inputs=tuple(inputs),
        outputs=tuple(_argument(n, model.variables[n], REAL) for n in formulas),
        title=f"The model {Path(path).stem}.",
        equation="; ".join(f"{n} is as {Path(path).name} defines it" for n in formulas),
        source=f"{Path(path).name}, a DAVE-ML model{cases}",
        definition=_formula(formulas, names, weighted_look_up),
    )


def _argument(name: str, variable: Element, kind: Any) -> Arg:
    return Arg(name, kind, unit_of(variable), variable.attributes.get("name", name).strip())


def _formula(formulas: Mapping[str, Node], names: Sequence[str], look_up: LookUp) -> Callable[..., Any]:
    def formula(*inputs: Any) -> list[Any]:
        given = {name: bare(x) for name, x in zip(names, inputs, strict=True)}
        values = Values(given, look_up)
        return [bare(values.of(node)) for node in formulas.values()]

    return formula
