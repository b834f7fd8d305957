"""The independent reference: every kernel in its dense textbook form.

Poses are homogeneous 4x4 matrices, spatial quantities 6-vectors and 6x6 matrices, rotations of
vectors sandwich products; nothing is rearranged for speed and nothing is shared with the kernels
under test. The same text runs in float64, on mpmath numbers and on exact scalars, and is what the
compiled C is measured against.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from codegen.kernels import MODULES
from codegen.lookup import own_function

if TYPE_CHECKING:
    from codegen.reference.dense import Result

__all__ = ["reference"]


def reference(kernel: str) -> Callable[..., Result] | None:
    """The reference function of the kernel with this name, or None where there is none."""
    return own_function(__name__, MODULES, kernel)
