"""No small model crashes: it is generated, inspected and verified, or refused with a reason."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st

from codegen.errors import FeatherError
from codegen.tree.write import generate
from codegen.verify.manifest import read_manifest
from codegen.verify.verify import strict_compile
from tests.small_models import FORMS, Model, built, models, used

DRAWN = settings(
    max_examples=25,
    deadline=None,
    derandomize=True,
    database=None,
    phases=[Phase.generate, Phase.shrink],
    suppress_health_check=list(HealthCheck),
)


def no_crash(model: Model, form: str) -> None:
    """The model works, or is refused."""
    with suppress(FeatherError):
        used(model, form)


@DRAWN
@given(models(), st.sampled_from(FORMS))
def test_a_small_model_works_or_is_refused(model: Model, form: str) -> None:
    no_crash(model, form)


@pytest.mark.fuzz
@pytest.mark.parametrize("part", range(20))
def test_ten_thousand_small_models_work_or_are_refused(part: int) -> None:
    @settings(DRAWN, max_examples=500, derandomize=False)
    @given(models(), st.sampled_from(FORMS))
    def drawn(model: Model, form: str) -> None:
        no_crash(model, form)

    seed(part)(drawn)()


@pytest.mark.exhaustive
def test_a_hundred_small_models_compile_without_a_warning(tmp_path: Path) -> None:
    @settings(DRAWN, max_examples=100)
    @given(models())
    def drawn(model: Model) -> None:
        with suppress(FeatherError):
            generate([built(model)], model.options, tmp_path / "c")
            strict_compile(tmp_path / "c", read_manifest(tmp_path / "c"))

    drawn()
