"""Aircraft of other authors: forces and moments of JSBSim itself (`make test-aircraft` installs it)."""

from __future__ import annotations

import xml.etree.ElementTree as ElementTree
from importlib.metadata import distribution
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import codegen
from codegen import Kernel, aerodynamics_from_jsbsim, jacobian
from codegen.emit.options import Options
from codegen.proof.proof import prove
from codegen.tree.write import generate

pytestmark = pytest.mark.aircraft

AIRCRAFT = ("f16", "c172x", "737", "p51d", "Concorde", "f104", "Boeing314", "wrightFlyer1903")
POINTS = 10_000
OWN = ("fcs/", "gear/", "systems/", "propulsion/")
"""The properties that a test sets; JSBSim computes the others."""


def described(name: str) -> Path:
    """The file of an aircraft of the wheel."""
    return Path(str(distribution("jsbsim").locate_file(f"jsbsim/aircraft/{name}/{name}.xml")))


def kernel_of(name: str) -> Kernel:
    return aerodynamics_from_jsbsim(described(name), f"aero_{name.lower()}")


class Simulator:
    """JSBSim with an aircraft without control system, engines and gear, so that a test can set these."""

    def __init__(self, name: str, inputs: list[str], place: Path) -> None:
        import jsbsim

        tree = ElementTree.parse(described(name))
        for section in list(tree.getroot()):
            if section.tag in ("propulsion", "ground_reactions"):
                section[:] = []
            elif section.tag not in ("fileheader", "metrics", "mass_balance", "aerodynamics"):
                tree.getroot().remove(section)
        path = place / "aircraft" / name / f"{name}.xml"
        path.parent.mkdir(parents=True)
        tree.write(path)
        jsbsim.FGJSBBase().debug_lvl = 0
        self.model = jsbsim.FGFDMExec(str(place))
        self.inputs = inputs
        self.own = [p for p in inputs if p.startswith(OWN)]
        for p in self.own:
            self.model[p] = 0.0
        assert self.model.load_model(name)

    def at(self, source: np.random.Generator) -> tuple[list[float], list[float]]:
        """The inputs at a random state, and forces and moments there."""
        state = {"h-sl-ft": source.choice([source.uniform(0, 60), source.uniform(0, 40_000)])}
        state |= {"vt-fps": source.uniform(50, 1500)}
        state |= {"alpha-rad": source.uniform(-0.6, 1.2), "beta-rad": source.uniform(-0.6, 0.6)}
        state |= {f"{c}-rad_sec": source.uniform(-2, 2) for c in "pqr"}
        for name, value in state.items():
            self.model[f"ic/{name}"] = value
        for p in self.own:
            self.model[p] = source.uniform(-40, 40) if p.endswith("deg") else source.uniform(-0.8, 1.2)
        self.model.run_ic()
        m = self.model
        arm = [m[f"metrics/aero-rp-{c}-in"] - m[f"inertia/cg-{c}-in"] for c in "xyz"]
        found = [m[f"forces/fb{c}-aero-lbs"] for c in "xyz"] + [m[f"moments/{c}-aero-lbsft"] for c in "lmn"]
        return [m[p] for p in self.inputs] + [-arm[0] / 12, arm[1] / 12, -arm[2] / 12], found


@pytest.fixture(scope="module", params=AIRCRAFT)
def aircraft(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Any:
    """A kernel, the compiled function with its Jacobian, and inputs and results of JSBSim."""
    place = tmp_path_factory.mktemp(request.param)
    kernel = kernel_of(request.param)
    names = [a.name for a in kernel.inputs]
    slopes = jacobian(kernel, "slopes", ["F_B", "M_B"], {"J": names})
    generate([kernel, slopes], Options(), place / "c")
    simulator = Simulator(request.param, [a.doc for a in kernel.inputs[:-1]], place)
    source = np.random.default_rng(1)
    points = [simulator.at(source) for _ in range(POINTS)]
    given, found = (np.array(part) for part in zip(*points, strict=True))
    return kernel, codegen.load(place / "c").f64, given, found


def called(function: Any, given: Any) -> Any:
    """A compiled function at many inputs."""
    return function.batch(*given[:, :-3].T, given[:, -3:])


def loads(function: Any, given: Any) -> Any:
    """Forces and moments, in columns."""
    result = called(function, given)
    return np.concatenate([result.F_B, result.M_B], axis=1)


def test_forces_and_moments_are_those_of_jsbsim(aircraft: Any) -> None:
    kernel, compiled, given, found = aircraft
    results = loads(getattr(compiled, kernel.name), given)
    size = np.stack([abs(found[:, i : i + 3]).max(axis=1) for i in (0, 0, 0, 3, 3, 3)], axis=1)
    error = (abs(results - found) / np.maximum(size, 1)).max()
    print(f"{kernel.name}: {error:.2g}")
    assert error < 1e-12
    assert found.std(axis=0).min() > 0


def test_slopes_are_differences_off_the_borders_of_cells(aircraft: Any) -> None:
    kernel, compiled, given, _ = aircraft
    given = given[:300]
    function = getattr(compiled, kernel.name)
    slopes = np.asarray(called(compiled.slopes, given)).reshape(len(given), 6, -1)
    compared = 0
    for i in range(given.shape[1]):
        step = 1e-6 * max(1.0, float(abs(given[:, i]).max()))
        ahead, behind = (loads(function, given + s * step * np.eye(given.shape[1])[i]) for s in (1, -1))
        here = loads(function, given)
        size = abs(slopes[:, :, i]) + 1e-6 * abs(here) / step + 1
        smooth = (abs(ahead - 2 * here + behind) < 1e-3 * step * size).all(axis=1)  # off the borders
        slope = (ahead - behind) / (2 * step)
        assert (abs(slope - slopes[:, :, i]) < 1e-3 * size)[smooth].all(), i
        compared += smooth.sum()
    assert compared > 0.95 * given.size


@pytest.mark.parametrize("name", ["f16", "c172x"])
def test_the_formula_is_proven(name: str) -> None:
    assert prove(kernel_of(name)).status == "proven"
