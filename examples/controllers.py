"""Blocks of a flight controller: a low-pass and a notch filter by Tustin's rule, a rate limiter, a PID.

Each has a state, a step, and a reset to a state at which its output begins without a jump.
"""

from typing import Any

from codegen import POSITIVE, REAL, Arg, Scalar, State, block, clip, maximum, minimum, tan

OPPENHEIM = "Oppenheim and Schafer, Discrete-Time Signal Processing (bilinear transformation)"
ASTROM = "Astrom and Hagglund, Advanced PID Control (2006), on windup and implementation"


def at_rest(pressure: Scalar) -> tuple[Scalar, Scalar]:
    """State after a constant pressure: the filtered pressure begins there."""
    return pressure, pressure


def low_pass_definition(filtered: Any, before: Any, pressure: Any, tau: Any, dt: Any) -> list[Any]:
    """tau y' = u - y by the trapezoidal rule, solved for the new y."""
    from sympy import Symbol, solve

    y = Symbol("y")
    rule = tau * (y - filtered) / dt - ((pressure - y) + (before - filtered)) / 2
    (new,) = solve(rule, y)
    return [new, pressure, new]


@block(
    states=[
        State("filtered", REAL, "Pa", "filtered pressure"),
        State("before", REAL, "Pa", "pressure one step before"),
    ],
    inputs=[Arg("pressure", REAL, "Pa", "pressure")],
    outputs=[Arg("smooth", REAL, "Pa", "filtered pressure")],
    parameters=[Arg("tau", POSITIVE, "s", "time constant", range=(0.001, 100))],
    sample_time="1/50",
    equation="tau (smooth - filtered) / dt = ((pressure - smooth) + (before - filtered)) / 2; "
    "filtered' = smooth; before' = pressure",
    source=OPPENHEIM,
    reset=at_rest,
    reset_equation="filtered' = pressure; before' = pressure",
    definition=low_pass_definition,
)
def low_pass(filtered: Scalar, before: Scalar, pressure: Scalar, tau: Scalar, dt: Scalar) -> Any:
    """First-order low-pass filter with the time constant `tau`, discretised by the trapezoidal rule."""
    twice = 2 * tau
    smooth = ((twice - dt) * filtered + dt * (pressure + before)) / (twice + dt)
    return smooth, pressure, smooth


def notch_coefficients(w0: Any, width: Any, depth: Any, k: Any) -> tuple[Any, ...]:
    """b0, b1 = a1, b2 and a2 of the notch, a0 = 1, with k = w0 / tan(w0 dt / 2)."""
    square, centre = k * k, w0 * w0
    scale = 1 / (square + width * k + centre)
    through = depth * width * k
    middle = 2 * (centre - square) * scale
    return (
        (square + through + centre) * scale,
        middle,
        (square - through + centre) * scale,
        (square - width * k + centre) * scale,
    )


def notch_definition(first: Any, second: Any, rate: Any, *constants: Any) -> list[Any]:
    """The transfer function in s, with s = k (z - 1) / (z + 1), in transposed direct form II."""
    import sympy

    w0, width, depth, dt = constants
    z, k = sympy.Symbol("z"), w0 / sympy.tan(w0 * dt / 2)
    s = k * (z - 1)
    above = sympy.Poly(sympy.expand(s**2 + depth * width * s * (z + 1) + w0**2 * (z + 1) ** 2), z)
    below = sympy.Poly(sympy.expand(s**2 + width * s * (z + 1) + w0**2 * (z + 1) ** 2), z)
    a0, a1, a2 = below.all_coeffs()
    b0, b1, b2 = above.all_coeffs()
    y = b0 / a0 * rate + first
    return [b1 / a0 * rate - a1 / a0 * y + second, b2 / a0 * rate - a2 / a0 * y, y]


def notch_at_rest(
    rate: Scalar, w0: Scalar, width: Scalar, depth: Scalar, dt: Scalar
) -> tuple[Scalar, Scalar]:
    """State after a constant rate, which the notch lets pass."""
    b0, _, b2, a2 = notch_coefficients(w0, width, depth, w0 / tan(w0 * dt / 2))
    return rate * (1 - b0), rate * (b2 - a2)


@block(
    states=[
        State("first", REAL, "rad/s", "first delay of the filter"),
        State("second", REAL, "rad/s", "second delay of the filter"),
    ],
    inputs=[Arg("rate", REAL, "rad/s", "measured rate")],
    outputs=[Arg("clean", REAL, "rad/s", "rate without the vibration")],
    parameters=[
        Arg("w0", POSITIVE, "rad/s", "frequency of the vibration, below pi / dt", range=(10, 3000)),
        Arg("width", POSITIVE, "rad/s", "width of the notch", range=(1, 1000)),
        Arg("depth", REAL, "1", "gain at w0", range=(0, 1)),
    ],
    sample_time="1/1000",
    equation="clean = b_0 rate + first; first' = b_1 rate - a_1 clean + second; "
    "second' = b_2 rate - a_2 clean; "
    "[b_0, b_1, b_2] = [k^2 + depth width k + w0^2, 2 (w0^2 - k^2), k^2 - depth width k + w0^2] / a_0; "
    "[a_1, a_2] = [2 (w0^2 - k^2), k^2 - width k + w0^2] / a_0; a_0 = k^2 + width k + w0^2; "
    "k = w0 / tan(w0 dt / 2)",
    source=OPPENHEIM,
    reset=notch_at_rest,
    definition=notch_definition,
)
def notch(
    first: Scalar, second: Scalar, rate: Scalar, w0: Scalar, width: Scalar, depth: Scalar, dt: Scalar
) -> Any:
    """Second-order notch filter, exact at its centre frequency.

    Transposed direct form II of a quotient of two polynomials of second order in the Laplace variable, both
    with the natural frequency `w0`: the linear coefficient of the denominator is `width`, that of the
    numerator `depth` times it. The bilinear transform is pre-warped, so that the notch stays at `w0`.
    """
    b0, a1, b2, a2 = notch_coefficients(w0, width, depth, w0 / tan(w0 * dt / 2))
    clean = b0 * rate + first
    return a1 * (rate - clean) + second, b2 * rate - a2 * clean, clean


def at_command(command: Scalar) -> Scalar:
    """State at a command that is in force already."""
    return command


@block(
    states=[State("angle", REAL, "rad", "commanded angle")],
    inputs=[Arg("command", REAL, "rad", "angle that is asked for")],
    outputs=[Arg("limited", REAL, "rad", "commanded angle after the step")],
    parameters=[
        Arg("up", POSITIVE, "rad/s", "highest rate"),
        Arg("down", POSITIVE, "rad/s", "highest rate downwards"),
    ],
    sample_time="1/400",
    equation="angle' = {low if command < low, high if high < command, command otherwise}; limited = angle'; "
    "low = angle - down dt; high = angle + up dt",
    source="definition of a slew rate",
    reset=at_command,
    reset_equation="angle' = command",
)
def rate_limiter(angle: Scalar, command: Scalar, up: Scalar, down: Scalar, dt: Scalar) -> Any:
    """Limits how fast a command changes."""
    limited = clip(command, angle - down * dt, angle + up * dt)
    return limited, limited


def pid_bumpless(reference: Scalar, measured: Scalar, torque: Scalar, k_p: Scalar) -> Any:
    """State at which the controller continues with a given torque."""
    return torque - k_p * (reference - measured), 0, measured


def pid_definition(*values: Any) -> list[Any]:
    """Proportional, integral and derivative action, each by its own difference equation."""
    from sympy import Max, Min

    integral, slope, before, wanted, y, k_p, k_i, k_d, lag, t_track, least, most, dt = values
    derivative = lag / (lag + dt) * slope - k_d / (lag + dt) * (y - before)
    v = k_p * (wanted - y) + integral + derivative
    u = Min(Max(v, least), most)
    return [integral + k_i * dt * (wanted - y) + dt / t_track * (u - v), derivative, y, u]


@block(
    states=[
        State("integral", REAL, "N m", "integral action"),
        State("slope", REAL, "N m", "derivative action, filtered"),
        State("before", REAL, "rad", "measured angle one step before"),
    ],
    inputs=[
        Arg("reference", REAL, "rad", "angle that is asked for"),
        Arg("measured", REAL, "rad", "measured angle"),
    ],
    outputs=[Arg("torque", REAL, "N m", "torque of the actuator")],
    parameters=[
        Arg("k_p", POSITIVE, "N m", "proportional gain, per radian"),
        Arg("k_i", POSITIVE, "N m/s", "integral gain, per radian"),
        Arg("k_d", POSITIVE, "N m s", "derivative gain, per radian"),
        Arg("lag", POSITIVE, "s", "time constant of the filter of the derivative", range=(0.001, 10)),
        Arg("t_track", POSITIVE, "s", "time in which the integral leaves saturation", range=(0.01, 100)),
        Arg("least", REAL, "N m", "lowest torque", range=(-100, -0.01)),
        Arg("most", REAL, "N m", "highest torque", range=(0.01, 100)),
    ],
    sample_time="1/400",
    equation="torque = min(max(u, least), most); u = k_p e + integral + slope'; e = reference - measured; "
    "integral' = integral + dt (k_i e + (torque - u) / t_track); before' = measured; "
    "slope' = (lag slope - k_d (measured - before)) / (lag + dt)",
    source=ASTROM,
    reset=pid_bumpless,
    reset_equation="integral' = torque - k_p (reference - measured); slope' = 0; before' = measured",
    definition=pid_definition,
)
def pid(
    integral: Scalar,
    slope: Scalar,
    before: Scalar,
    reference: Scalar,
    measured: Scalar,
    k_p: Scalar,
    k_i: Scalar,
    k_d: Scalar,
    lag: Scalar,
    t_track: Scalar,
    least: Scalar,
    most: Scalar,
    dt: Scalar,
) -> Any:
    """PID controller with a filtered derivative of the measurement; back-calculation prevents windup."""
    error = reference - measured
    derivative = (lag * slope - k_d * (measured - before)) / (lag + dt)
    demand = k_p * error + integral + derivative
    torque = minimum(maximum(demand, least), most)
    tracked = integral + dt * (k_i * error + (torque - demand) / t_track)
    return tracked, derivative, measured, torque
