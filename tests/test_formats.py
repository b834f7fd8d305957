"""Every format of an equation says the same: read back, it is the equation that is checked."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from codegen.errors import FeatherError
from codegen.library import MODULES, library
from codegen.modeling.equations.textbook import laid_out
from codegen.modeling.kernel import Kernel
from codegen.notation.latex import latex
from codegen.notation.mathml import markup
from codegen.notation.reader import read
from codegen.notation.unicode import line
from codegen.proof.derivation import derivation
from tests.conftest import sampled
from tests.formats import canonical, canonical_equation, from_latex, from_mathml, from_unicode


def stated(kernel: Kernel) -> Iterator[str]:
    """The equations that are shown of a kernel."""
    for text in dict.fromkeys((kernel.equation, *(s.equation for s in derivation(kernel)))):
        try:
            if read(text):
                yield text
        except FeatherError:
            continue


@pytest.mark.parametrize("module", sampled(MODULES, every=4))
def test_every_format_says_what_is_checked(module: str) -> None:
    for kernel in library().values():
        if kernel.module != module:
            continue
        for text in stated(kernel):
            for equation, row in zip(read(text), laid_out(text, kernel.inputs, kernel.outputs), strict=True):
                expected = tuple(map(canonical, equation.sides))
                shown = (from_unicode(line(row)), from_latex(latex(row)), from_mathml(markup(row)))
                for back in shown:
                    assert canonical_equation(back) == expected, (text, back)


def test_no_unit_matrix_is_written_as_a_diagonal_of_ones() -> None:
    ones = {name for name, kernel in library().items() for text in stated(kernel) if "diag(1, 1, 1)" in text}
    assert ones == set()
