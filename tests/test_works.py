"""The registry of the works that are cited."""

import copy
import pickle

import pytest

from codegen.errors import FeatherError
from codegen.library.shared.works import FEATHERSTONE, SMITH


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
