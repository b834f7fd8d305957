"""Status: the flags that a C function returns."""

from enum import IntFlag


class Status(IntFlag):
    """The flags that a C function returns when a precondition fails, or-ed."""

    NOT_FINITE = 1
    MASS = 2
    SINGULAR = 4
    NOT_PHYSICAL = 8
    GIMBAL_LOCK = 16
    ZERO_NORM = 32
    DEGENERATE = 64
    NOT_CONVERGED = 128
    OUTSIDE = 256
