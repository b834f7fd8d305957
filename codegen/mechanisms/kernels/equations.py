"""The equations of robots, in the notation: the recursions over bodies, and what is computed from them.

They are those of Featherstone's spatial vectors, whatever the formulas do: motions are [w, v], forces [n, f],
of body i about its origin, in its axes. Body i hangs on a joint of body p, and carries the bodies c; 0 is the
base. S_i gives the motion of i relative to p from all velocities, X_i takes motions from p to i.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import count, groupby

from codegen.mechanisms.description.exact import IDENTITY, ORIGIN
from codegen.mechanisms.description.mechanism import Mechanism
from codegen.mechanisms.kernels.arguments import Arguments
from codegen.mechanisms.trees.tree import Place, Tree
from codegen.notation.reader import read
from codegen.notation.syntax import Kind, number

_ALWAYS = (
    "In the equations, body `i` hangs on a joint of body `p` and carries the bodies `c`, and 0 is the base. "
    "Spatial vectors are of a body's origin in its axes, with the angular part first."
)
_LETTERS = {
    "S_i": "`X_i` takes motions from `p` to `i`, and `S_i` gives the motion of `i` relative to `p` from all "
    "joint velocities.",
    "S_0": "`S_0` is zero: no joint moves the base.",
    "E_i": "`E_i` takes vectors from the axes of `p` to those of `i`, and `r_i` is the place of `i` in `p`: "
    "where all positions that are arguments are zero, quaternions 1, and then turned or displaced by what "
    "its joint moves from there.",
    "R_i": "`R_i` and `p_i` are the attitude and place of `i` in `p` where `q` is zero.",
    "I_i": "`I_i` is the spatial inertia of `i`.",
    "m_i": "`m_i` is the mass of `i`, and `h_i` its first moment.",
    "W_i": "`W_i` is the external wrench on `i`.",
    "D": "`D` is the diagonal matrix of the damping.",
    "B": "`B` is the diagonal matrix of the armature.",
    "mu_l": "`mu_l` is the friction of joint `l`, and `n_l.v` its velocity.",
    "creep_l": "`creep_l` is the velocity that scales the friction of joint `l`.",
    "mu_j": "`mu_j` is the friction of joint `j`, and `n_j.v` its velocity.",
    "R_f": "`R_f` and `p_f` are the attitude and place of the frame in its body `b`.",
    "s_k": "`s_k` is the place of point `k` in its body `b`.",
    "theta": "`theta` are m, h and J of the links that the result names.",
    "K": "`K` is the constant matrix from the parameters of the links to the base parameters.",
}


def symbols(equation: str) -> str:
    """What comments say of the letters in the equations of a robot."""
    equations = read(equation)
    sides = [side for e in equations for side in e.sides]
    used = {node.name for side in sides for node in side.nodes() if node.kind is Kind.NAME}
    used -= {e.sides[0].name for e in equations if e.sides[0].kind is Kind.NAME}
    return " ".join((_ALWAYS, *(said for letter, said in _LETTERS.items() if letter in used)))


@dataclass(frozen=True)
class Frame:
    """A frame in a body b: R_f and p_f are its attitude and place, if it is `turned` or `moved` there."""

    turned: bool
    moved: bool

    @staticmethod
    def at(place: Place) -> Frame:
        """The frame at a place; one in a base that stands still has an attitude of its own."""
        return Frame(place.R != IDENTITY or place.body < 0, place.p != ORIGIN)

    @property
    def attitude(self) -> str:
        """Its attitude in the root's."""
        return "C_b R_f" if self.turned else "C_b"

    def local(self, of_body: str) -> str:
        """A motion of the body at the frame, in its axes, with the equation of what takes it there."""
        R = "R_f^T" if self.turned else "1"
        below = f"-{'R_f^T ' if self.turned else ''}p_f~" if self.moved else "0"
        return f"X_f {of_body}; X_f = [[{R}, 0], [{below}, {R}]]" if self.turned or self.moved else of_body


_AT_ROOT = "[[C_b, 0], [o_b~ C_b, C_b]]"
"""Takes motions from a body to the root."""


@dataclass(frozen=True)
class Equations:
    """The equations of one robot, which are joined by `; `.

    `gravity` is that of the world in the notation, as [0, 0, -9.81]; `losses` and `armature` are what they
    add to the joint forces. Where some joint `turns` or `slides`, so do the transforms. `positions` are the
    positions in the order of coordinates: q, or parts of it, and the quaternions of spherical joints. Robots
    that are `pushed` have external wrenches.
    """

    floating: bool
    turns: bool
    slides: bool
    positions: Sequence[str]
    gravity: str
    losses: str = ""
    armature: str = ""
    pushed: bool = False

    @property
    def _balls(self) -> list[str]:
        return [q for q in self.positions if q.startswith("q_")]

    def joined(self, *texts: str) -> str:
        """Equations one after the other, none twice."""
        return "; ".join(dict.fromkeys(part for text in texts for part in text.split("; ")))

    @property
    def places(self) -> str:
        """The transforms from body to body."""
        turned = "E_i = Rz((S_i q)[2])^T R_i^T" if self.turns else "E_i = R_i^T"
        turned += "; r_i = p_i" + (" + R_i [0, 0, (S_i q)[5]]" if self.slides else "")
        return "X_i = [[E_i, 0], [-E_i r_i~, E_i]]" + ("" if self._balls else f"; {turned}")

    def velocities(self, relative: bool = False) -> str:
        """The motions of the bodies; relative to the base, if wanted."""
        base = "V_B" if self.floating and not relative else "S_0 v"
        return f"V_i = X_i V_p + S_i v; V_0 = {base}"

    @property
    def weight(self) -> str:
        """Gravity in axes of the base."""
        if not self.floating:
            return f"g_0 = {self.gravity}"
        return f"g_0 = R_WB^T {self.gravity}; R_WB = 1 + 2 q_WB_w q_WB_v~ + 2 q_WB_v~^2"

    def accelerations(self, joints: str = " + S_i a", base: bool = True, moving: bool = True) -> str:
        """The accelerations of the bodies less gravity: `base` where that of the base is an argument."""
        own = "A_B - [0, 0, 0, g_0]" if self.floating and base else "-[0, 0, 0, g_0]"
        turning = " + crm(V_i) S_i v" if moving else ""
        return f"A_i = X_i A_p{joints}{turning}; A_0 = {own}; {self.weight}"

    def free_accelerations(self) -> str:
        """The accelerations of the bodies, without gravity."""
        base = "A_B" if self.floating else "S_0 a"
        return f"A_i = X_i A_p + S_i a + crm(V_i) S_i v; A_0 = {base}"

    def forces(self, moving: bool = True) -> str:
        """The wrenches across the joints."""
        turning = " + crf(V_i) I_i V_i" if moving else ""
        pushed = " - W_i" if self.pushed else ""
        return f"F_i = I_i A_i{turning} + sum_c(X_c^T F_c){pushed}"

    @property
    def _unpushed(self) -> Equations:
        """The equations without external wrenches, of functions that do not take them."""
        return replace(self, pushed=False)

    def torques(self, joints: str) -> str:
        """What the joint forces are, of a motion that is an argument."""
        armature = self.armature if "a" in joints else ""
        return f"sum_i(S_i^T F_i){armature}{self.losses}"

    def inverse_dynamics(self, result: str, joints: str = " + S_i a", base: bool = True) -> str:
        """Inverse dynamics, with the equation for joint forces, as `tau = {}`."""
        own = "; F_B = F_0" if self.floating else ""
        return self.joined(
            result.format(self.torques(joints)) + own,
            self.forces(),
            self.accelerations(joints, base),
            self.velocities(),
            self.places,
        )

    def at_rest(self) -> str:
        """Gravity forces."""
        own = "; F_B = F_0" if self.floating else ""
        return self.joined(
            f"tau = sum_i(S_i^T F_i){own}",
            self._unpushed.forces(moving=False),
            self.accelerations("", base=False, moving=False),
            self.places,
        )

    @property
    def jacobians(self) -> str:
        """The motions of the bodies per joint velocity."""
        return f"J_i = X_i J_p + S_i; J_0 = S_0; {self.places}"

    def mass_matrix(self) -> str:
        """The mass matrix M, of the base's twist first, where it floats."""
        own = f"sum_i(J_i^T I_i J_i){'' if not self.armature else ' + B'}"
        if not self.floating:
            return self.joined(f"M = {own}", self.jacobians)
        return self.joined(
            f"M = [[sum_i(Y_i^T I_i Y_i), K], [K^T, {own}]]; K = sum_i(Y_i^T I_i J_i); {self.from_base}",
            self.jacobians,
        )

    def of_masses(self) -> str:
        """The mass matrix as the result M, its upper triangle."""
        first, _, others = self.mass_matrix().partition("; ")
        return f"M = triu({first.removeprefix('M = ')}); {others}"

    @property
    def from_base(self) -> str:
        """The transforms from the base to the bodies."""
        return "Y_i = X_i Y_p; Y_0 = 1"

    @property
    def poses(self) -> str:
        """Attitudes and places of the bodies in the base's frame."""
        return f"C_i = C_p E_i^T; o_i = o_p + C_p r_i; C_0 = 1; o_0 = [0, 0, 0]; {self._turns}"

    @property
    def _turns(self) -> str:
        return self.places.partition("; ")[2]

    @property
    def centre(self) -> str:
        """The centre of mass."""
        return self.joined("c = sum_i(m_i o_i + C_i h_i) / sum_i(m_i)", self.poses)

    def momentum(self) -> str:
        """Momentum, and angular momentum about the centre of mass."""
        return self.joined(
            f"L = n - c x u; P = u; [n, u] = sum_i(Y_i^T I_i V_i); {self.from_base}",
            self.velocities(), self.centre, self.places,
        )  # fmt: skip

    def momentum_matrix(self) -> str:
        """The derivative of momentum by the velocities."""
        of_joints = "sum_i(Y_i^T I_i J_i)"
        columns = f"[[sum_i(Y_i^T I_i Y_i), {of_joints}]]" if self.floating else of_joints
        return self.joined(
            f"A = [[1, -c~], [0, 1]] {columns}; {self.from_base}", self.jacobians, self.centre, self.places
        )

    def kinetic_energy(self) -> str:
        """The kinetic energy."""
        rotors = " + v.(B v) / 2" if self.armature else ""
        return self.joined(f"T = sum_i(V_i.(I_i V_i)) / 2{rotors}", self.velocities(), self.places)

    def potential_energy(self) -> str:
        """The potential energy of weight."""
        return self.joined("U = -g_0.sum_i(m_i o_i + C_i h_i)", self.weight, self.poses)

    # Frames

    def pose(self, frame: Frame) -> str:
        """The pose of a frame in the root's."""
        at = "o_b + C_b p_f" if frame.moved else "o_b"
        return self.joined(f"T = [[{frame.attitude}, {at}], [0, 1]]", self.poses)

    def jacobian(self, frame: Frame) -> str:
        """The Jacobian of a frame in axes of the root."""
        return self.joined(
            f"J = [[C_f, 0], [0, C_f]] {frame.local('J_b')}; C_f = {frame.attitude}",
            self.jacobians, self._attitudes,
        )  # fmt: skip

    @property
    def _attitudes(self) -> str:
        return "C_i = C_p E_i^T; C_0 = 1"

    def local_jacobian(self, frame: Frame) -> str:
        """The Jacobian of a frame in its own axes."""
        return self.joined(f"J = {frame.local('J_b')}", self.jacobians)

    def base_jacobian(self, frame: Frame) -> str:
        """The Jacobian of a frame by the twist of the base, in axes of the root."""
        return self.joined(
            f"J_B = [[C_f, 0], [0, C_f]] {frame.local('Y_b')}; C_f = {frame.attitude}",
            self.from_base, self._attitudes, self.places,
        )  # fmt: skip

    def local_base_jacobian(self, frame: Frame) -> str:
        """The Jacobian of a frame by the twist of the base, in axes of the frame."""
        return self.joined(f"J_B = {frame.local('Y_b')}", self.from_base, self.places)

    def spatial_jacobian(self, frame: Frame) -> str:
        """The Jacobian of a frame at the root's origin, in axes of the root."""
        return self.joined(f"J = {_AT_ROOT} J_b", self.jacobians, self.poses)

    def local_jacobian_rate(self, frame: Frame) -> str:
        """The derivative of a frame's Jacobian in its own axes by time."""
        return self.joined(f"dJ = {frame.local('D_b')}", self._column_rates, self.jacobians)

    def spatial_jacobian_rate(self, frame: Frame) -> str:
        """The derivative of a frame's Jacobian at the root's origin by time."""
        return self.joined(
            f"dJ = {_AT_ROOT} (D_b + crm(V_b) J_b)",
            self._column_rates, self.velocities(relative=True), self.jacobians, self.poses,
        )  # fmt: skip

    def twist(self, frame: Frame) -> str:
        """The twist of a frame."""
        return self.joined(f"V = {frame.local('V_b')}", self.velocities(), self.places)

    def acceleration(self, frame: Frame) -> str:
        """The spatial acceleration of a frame."""
        return self.joined(
            f"A = {frame.local('A_b')}", self.free_accelerations(), self.velocities(), self.places
        )

    def jacobian_rate(self, frame: Frame) -> str:
        """The derivative of a frame's Jacobian by time."""
        return self.joined(
            f"dJ = [[C_f, 0], [0, C_f]] (D_f + [[omega~, 0], [0, omega~]] J_f); J_f = {frame.local('J_b')}",
            f"D_f = {frame.local('D_b')}; [omega, u] = {frame.local('V_b')}; C_f = {frame.attitude}",
            self._column_rates, self.velocities(relative=True), self.jacobians, self._attitudes,
        )  # fmt: skip

    @property
    def _column_rates(self) -> str:
        """The derivatives of the bodies' Jacobians in their own axes."""
        return "D_i = X_i D_p - crm(S_i v) X_i J_p; D_0 = S_0"

    # Derivatives

    def slopes(self) -> str:
        """The derivatives of inverse dynamics by positions and velocities."""
        base = f"dF_dq = {self._by_positions('F_0')}; dF_dv = jacobian(F_0, v); " if self.floating else ""
        return self.joined(
            f"{base}dtau_dq = {self._by_positions('tau')}; dtau_dv = jacobian(tau, v){self._rates}",
            self._named("tau = {}"),
        )

    def _by_positions(self, of: str) -> str:
        """The derivatives by positions; those of spherical joints turn about the axes of the child."""
        parts = [f"jacobian({of}, {q}){f' Q{q[1:]}' if q in self._balls else ''}" for q in self.positions]
        return parts[0] if len(parts) == 1 else f"[[{', '.join(parts)}]]"

    @property
    def _rates(self) -> str:
        """What quaternions of spherical joints change by with these turns."""
        return "".join(f"; Q{q[1:]} = [[-{q}_v^T], [{q}_w 1 + {q}_v~]] / 2" for q in self._balls)

    def base_slopes(self) -> str:
        """The derivatives of inverse dynamics by attitude and twist of the base."""
        return self.joined(
            "dF_dphi = jacobian(F_0, g_0) g_0~; dtau_dphi = jacobian(tau, g_0) g_0~; "
            "dF_dV = jacobian(F_0, V_B); dtau_dV = jacobian(tau, V_B)",
            self._named("tau = {}"),
        )

    def _named(self, result: str) -> str:
        """Inverse dynamics without the base's wrench as an argument."""
        return self.inverse_dynamics(result).replace("; F_B = F_0", "")

    def forward_slopes(self) -> str:
        """The accelerations for given forces, and their derivatives."""
        u, by_q, by_v = "u", "da_dq", "da_dv"
        if self.floating:
            u, by_q, by_v = "[F_0, u]", "[[dA_dq], [da_dq]]", "[[dA_dv], [da_dv]]"
        rates = f"M {by_q} = -{self._by_positions(u)}; M {by_v} = -jacobian({u}, v)"
        return self.joined(
            f"{rates}; M sym(M_inv) = 1{self._rates}",
            self.inverse_dynamics("u = {} = tau"), self.mass_matrix(),
        )  # fmt: skip

    def forward_base_slopes(self) -> str:
        """The accelerations for given forces, and their derivatives by attitude and twist of the base."""
        return self.joined(
            "M [[dA_dphi], [da_dphi]] = -jacobian([F_0, u], g_0) g_0~; "
            "M [[dA_dV], [da_dV]] = -jacobian([F_0, u], V_B)",
            self.inverse_dynamics("u = {} = tau"), self.mass_matrix(),
        )  # fmt: skip

    def regressor(self, of_theta: str = "") -> str:
        """The derivatives of inverse dynamics by the inertias, or by parameters that `of_theta` gives."""
        own = f"Y_F{of_theta} = jacobian(F_0, theta); " if self.floating else ""
        text = replace(self._unpushed, losses="", armature="")._named("tau = {}")
        return self.joined(f"{own}Y{of_theta} = jacobian(tau, theta)", text)

    def base_regressor(self) -> str:
        """The derivatives of inverse dynamics by the base parameters K theta."""
        return self.regressor(" K")

    # Contacts: s_k is the place of point k in body b

    @property
    def _points(self) -> str:
        of_base = "[[Y_b, J_b]]" if self.floating else "J_b"
        before = f"; {self.from_base}" if self.floating else ""
        return f"J_C = stack_k(C_b [[-s_k~, 1]] {of_base}){before}; {self._attitudes}"

    def delassus(self) -> str:
        """The Delassus matrix."""
        return self.joined("M dv = J_C^T; N = triu(J_C dv)", self._points, self.mass_matrix())

    def in_contact(self) -> str:
        """Forward dynamics with points that touch the ground."""
        forces = "[F_B, tau] + J_C^T f = [F_0, u]" if self.floating else "tau + J_C^T f = u"
        return self.joined(
            f"{forces}; stack_k([[y_k]]) + softness f = a_C; "
            "y_k = C_b (d_k + alpha_k x s_k + omega_k x (u_k + omega_k x s_k)) + g_0; "
            "[omega_k, u_k] = V_b; [alpha_k, d_k] = A_b",
            self._points, self._named("u = {}"), self.jacobians,
        )  # fmt: skip

    def impact(self) -> str:
        """The velocities after an impact, and the impulses."""
        both = "x = [V_after, v_after]; y = [V_B, v]" if self.floating else "x = v_after; y = v"
        return self.joined(
            f"M (x - y) = J_C^T impulse; J_C x + softness impulse = -e J_C y; {both}",
            self._points,
            self.mass_matrix(),
        )


def _positions(arguments: Arguments) -> list[str]:
    """The positions in the order of coordinates: q, or parts of it, and quaternions."""
    given = {name: count() if name == "q" else name for name in arguments.positions}
    found: list[str] = []
    places = (place for place in arguments.each_place(given) if place is not None)
    for quaternions, row in groupby(places, lambda place: isinstance(place, str)):
        own = [*row]
        found += own if quaternions else [f"q[{own[0]}:{own[-1] + 1}]"]
    parts = [x for x in found if x.startswith("q[")]
    return ["q" if [x] == parts else x for x in found]


def equations_of(tree: Tree, mechanism: Mechanism) -> Equations:
    """The equations of a mechanism with this tree."""
    links, inputs = [tree.links[i] for i in tree.jointed], mechanism.inputs
    losses = " + D v" if any(link.damping for link in links) else ""
    losses += _friction({link.creep for link in links if link.friction})
    return Equations(
        tree.floating,
        not all(link.slides for link in links),
        any(link.slides for link in links),
        _positions(Arguments(mechanism)),
        "g" if inputs.gravity else f"[0, 0, {number(-tree.gravity)}]",
        losses,
        " + B a" if any(link.armature for link in links) else "",
        bool(inputs.forces),
    )


def _friction(creeps: Collection[Fraction]) -> str:
    """What joints with friction of these creep velocities add: those of 0 have the sign of the velocity."""
    smooth = [creep for creep in creeps if creep]
    scale = number(smooth[0]) if len(smooth) == 1 else "creep_l"
    rising = f" + sum_l(mu_l tanh((n_l.v) / {scale}) n_l)" if smooth else ""
    return rising + (" + sum_j(mu_j sign(n_j.v) n_j)" if len(smooth) < len(creeps) else "")
