"""The definition of a mechanism's dynamics by virtual work, over 4x4 matrices: it knows no recursion.

tau_k = sum over the bodies of tr(dT/dq_k S T''^T), with a body's pose T, its pseudo-inertia S = integral of
[r; 1] [r; 1]^T dm, and gravity as an acceleration of the base (Uicker 1967; Paul, Robot Manipulators,
1981). It runs on floats, on mpmath numbers, on exact fractions and modulo primes; it reads the
description, not the tree that the recursions use.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np

from codegen.ir.status import Status
from codegen.library.shared import elementary
from codegen.library.shared.dense import eliminate, identity, result, skew, zeros
from codegen.mechanisms.definition.dual import Dual
from codegen.mechanisms.description.exact import Angles
from codegen.mechanisms.description.joints import Joint, planar_axes
from codegen.mechanisms.description.mechanism import Mechanism
from codegen.mechanisms.description.written import exact
from codegen.modeling.types.algebra import Vec3

__all__ = ["Definition", "base_of", "held", "inverse", "lifted", "packed", "pseudo_inertia", "result"]


@dataclass(frozen=True)
class _Displacement:
    """What a coordinate does: dT/dq = `ratio` times generator T for each body that hangs from it."""

    joint: Joint
    place: int
    generator: Any
    ratio: Any


@dataclass(frozen=True)
class _Factor:
    """A displacement D with dD = D E for a unit motion by each of its screws E, in the frame after it."""

    D: Any
    screws: list[Any]
    places: list[int]
    ratio: Any

    def rate(self, values: Any) -> Any:
        """The sum of the screws times these values of the coordinates."""
        return sum(E * (values[p] * self.ratio) for p, E in zip(self.places, self.screws, strict=True))

    def displacements(self, joint: Joint, at: Any) -> list[_Displacement]:
        """What each coordinate does, of the frame with this pose."""
        back = _inverse(at)
        return [
            _Displacement(joint, p, at @ E @ back, self.ratio)
            for p, E in zip(self.places, self.screws, strict=True)
        ]


@dataclass(frozen=True)
class Definition:
    """A mechanism's numbers: of each joint its 4x4 pose at zero and its screws, of each body its 4x4 moments.

    At run time, `pull` is gravity in axes of the world, and `pushes` are wrenches on links, in their frames.
    Positions q are those of all coordinates in one array, with the four numbers of a spherical joint's
    quaternion.
    """

    mechanism: Mechanism
    rest: dict[str, Any]
    screws: dict[str, list[Any]]
    moments: dict[str, Any]
    pull: Any = None
    pushes: Sequence[tuple[str, Any]] = ()

    @classmethod
    def of(cls, mechanism: Mechanism, angles: Angles | None = None) -> Definition:
        """The definition of a mechanism."""
        angles = angles or Angles()
        rest, screws, moments = {}, {}, {}
        for joint in mechanism.joints:
            rest[joint.name] = _pose(_matrix(angles.rpy(joint.rpy)), joint.xyz)  # type: ignore[arg-type]
            screws[joint.name] = _screws(joint, angles)
            if joint.offset:
                at = angles.point(joint.placed) if joint.kind != "prismatic" else (1, 0)
                rest[joint.name] = rest[joint.name] @ _moved(screws[joint.name][0], joint.placed, *at)
        for body in mechanism.bodies:
            if body.m or any(body.J):
                R = _matrix(angles.rpy(body.rpy))  # type: ignore[arg-type]
                xx, xy, xz, yy, yz, zz = body.J
                J = R @ np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]]) @ R.T
                c = np.array(body.centre)
                S = zeros(4, 4).astype(object)
                S[:3, :3] = identity() * (np.trace(J) / 2) - J + np.outer(c, c) * body.m
                S[:3, 3] = S[3, :3] = c * body.m
                S[3, 3] = body.m
                moments[body.name] = S
        return cls(mechanism, rest, screws, moments)

    def under(self, acting: Any) -> Definition:
        """The definition with what acts on links at run time; that with nothing for None."""
        if acting is None:
            return self
        moments = dict(self.moments)
        for name, inertia in acting.inertias:
            added, one = pseudo_inertia(inertia), inertia[0] * 0 + 1
            moments[name] = _lifted(moments[name], one) + added if name in moments else added
        return replace(self, moments=moments, pull=acting.gravity, pushes=acting.wrenches)

    def poses(self, q: Any, start: Any = None) -> dict[str, Any]:
        """The 4x4 pose of every body in the root's frame, or in the world that `start` poses the root in."""
        one = q[0] * 0 + 1
        T = {self.mechanism.root: _lifted(identity(4) if start is None else start, one)}
        for joint in self.mechanism.ordered:
            A = _lifted(self.rest[joint.name], one)
            for factor in self._factors(joint, q, one):
                A = A @ factor.D
            T[joint.child] = T[joint.parent] @ A
        return T

    def _factors(self, joint: Joint, q: Any, one: Any) -> list[_Factor]:
        """The displacements that a joint is the product of; none for a fixed one."""
        screws, first = [_lifted(E, one) for E in self.screws[joint.name]], self._spots.get(joint.name, 0)
        place = self.mechanism.places.get(joint.name, 0)
        if joint.kind == "spherical":
            D = _pose(_rotation(q[first : first + 4]), (0, 0, 0))
            return [_Factor(_lifted(D, one), screws, [place, place + 1, place + 2], one)]
        ratio = _lifted(joint.multiplier, one)
        return [
            _Factor(_displacement(E, q[first + k] * ratio, one), [E], [place + k], ratio)
            for k, E in enumerate(screws)
        ]

    @cached_property
    def _spots(self) -> dict[str, int]:
        """The first place of each joint in q."""
        found, count = dict[str, int](), 0
        for joint in self.mechanism.moving:
            found[joint.name] = count
            count += 4 if joint.kind == "spherical" else joint.freedoms
        return found | {j.name: found[j.mimic] for j in self.mechanism.joints if j.mimic}

    def torques(
        self, q: Any, v: Any, a: Any, gravity: bool = True, base: tuple[Any, Any, Any] | None = None
    ) -> tuple[Any, Any]:
        """The wrench on the root, [moment; force] in its frame about its origin, and the joint forces.

        `base` are rotation, twist and spatial acceleration of a floating root.
        """
        one = (list(q) + list(v))[0] * 0 + 1
        root = self.mechanism.root
        T, _, ddT, displacements = self._motions(q, v, a, gravity, base)
        inertial = {n: T[n] @ _lifted(S, one) @ ddT[n].T for n, S in self.moments.items()}
        for name, wrench in self.pushes:
            pushed = T[name] @ _pushed(wrench, one) @ _inverse(T[name])
            inertial[name] = inertial[name] - pushed if name in inertial else -pushed
        work = self._below(inertial, one)
        tau = [one * 0] * self.mechanism.count
        for d in displacements:
            lost = d.joint.damping, _felt_friction(d.joint, d.ratio * v[d.place], one), d.joint.armature
            rate, gain = d.ratio * v[d.place], d.ratio * a[d.place]
            force = _trace(d.generator, work[d.joint.child])
            force = force + rate * _lifted(lost[0], one) + lost[1] + gain * _lifted(lost[2], one)
            tau[d.place] = tau[d.place] + d.ratio * force
        wrench = [_trace(D, work[root]) for D in _free(T[root], one)]
        return np.array(wrench), np.array(tau)

    def torque_slopes(self, q: Any, v: Any, a: Any, base: Mapping[str, Any]) -> tuple[Any, Any]:
        """The derivatives of base wrench and joint forces by positions and by velocities, in columns.

        Those by the position of a spherical joint are by small turns about the axes of its child.
        """
        one = q[0] * 0 + 1
        p, r, g = (_duals(x, [0] * len(x), one) for x in (q, v, a))
        still = self._still(base, q[0])
        by_q = [self._slopes(one, _along(q, way), r, g, still) for way in self._ways(q)]
        by_v = [self._slopes(one, p, _duals(v, unit, one), g, still) for unit in np.eye(len(v), dtype=int)]
        return np.array(by_q).T, np.array(by_v).T

    def _ways(self, q: Any) -> list[dict[int, Any]]:
        """The derivatives of positions by each coordinate: a turn about u changes a quaternion by its product
        with [0, u / 2].
        """
        one, found = q[0] * 0 + 1, list[dict[int, Any]]()
        for joint in self.mechanism.moving:
            first = self._spots[joint.name]
            if joint.kind == "spherical":
                w, x, y, z = (number / 2 for number in q[first : first + 4])
                turns = ((-x, w, z, -y), (-y, -z, w, x), (-z, y, -x, w))
                found += [dict(enumerate(turn, first)) for turn in turns]
            else:
                found += [{first + k: one} for k in range(joint.freedoms)]
        return found

    def base_slopes(self, q: Any, v: Any, a: Any, base: Mapping[str, Any]) -> tuple[Any, Any]:
        """Those by rotations of a floating base about its own axes, and by its twist."""
        one = q[0] * 0 + 1
        p, r, g = (_duals(x, [0] * len(x), one) for x in (q, v, a))
        still = self._still(base, q[0])
        assert still is not None
        R, V, A = still
        by_phi, by_V = [], []
        for k in range(3):
            small = skew(np.array([Dual(one * 0, one if j == k else None) for j in range(3)], dtype=object))
            by_phi.append(self._slopes(one, p, r, g, (R + R @ small, V, A)))
        for unit in np.eye(6, dtype=int):
            by_V.append(self._slopes(one, p, r, g, (R, _duals(base["V_B"], unit, one), A)))
        return np.array(by_phi).T, np.array(by_V).T

    def _still(self, base: Mapping[str, Any], like: Any) -> tuple[Any, Any, Any] | None:
        """The motion of a floating base as dual numbers without slopes."""
        one = like * 0 + 1
        made = {n: _duals(x, [0] * len(x), one) for n, x in base.items()}
        return base_of(made, Dual(like))

    def _slopes(self, one: Any, q: Any, v: Any, a: Any, base: Any) -> list[Any]:
        wrench, tau = self.torques(q, v, a, True, base)
        return [one * 0 if t.slope is None else t.slope for t in (*wrench, *tau)]

    def _motions(
        self, q: Any, v: Any, a: Any, gravity: bool, base: tuple[Any, Any, Any] | None
    ) -> tuple[dict[str, Any], dict[str, Any], dict[str, Any], list[_Displacement]]:
        """The pose of each body with its two derivatives, and the displacements of the joints."""
        one = (list(q) + list(v))[0] * 0 + 1
        root = self.mechanism.root
        R, V, A = base if base is not None else (identity(), zeros(6), zeros(6))
        T, dT, ddT = {}, {}, {}
        T[root] = _lifted(_pose(R, (0, 0, 0)), one)
        rate = _hat(V) * one
        dT[root] = T[root] @ rate
        ddT[root] = T[root] @ (rate @ rate + _hat(A) * one)
        if gravity:
            ddT[root] = ddT[root] + self._up(one)
        displacements: list[_Displacement] = []
        for joint in self.mechanism.ordered:
            B, p = _lifted(self.rest[joint.name], one), joint.parent
            at, speed, push = T[p] @ B, dT[p] @ B, ddT[p] @ B
            for factor in self._factors(joint, q, one):
                at, speed, push = at @ factor.D, speed @ factor.D, push @ factor.D
                W, dW = factor.rate(v), factor.rate(a)
                push = push + (speed @ W) * 2 + at @ (dW + W @ W)
                speed = speed + at @ W
                displacements += factor.displacements(joint, at)
            T[joint.child], dT[joint.child], ddT[joint.child] = at, speed, push
        return T, dT, ddT, displacements

    def _moving(self) -> dict[str, Any]:
        """The moments of the bodies that move."""
        still = self.mechanism.still
        return {n: S for n, S in self.moments.items() if n not in still}

    def _up(self, one: Any) -> Any:
        """The 4x4 second derivative by time of a pose that accelerates against gravity."""
        U = _lifted(zeros(4, 4).astype(object), one)
        g = [0, 0, -Fraction(self.mechanism.gravity)] if self.pull is None else self.pull
        U[:3, 3] = [-_lifted(x, one) for x in g]
        return U

    def centre(self, q: Any) -> Any:
        """The centre of mass of the bodies that move, in the root's frame."""
        one, T = q[0] * 0 + 1, self.poses(q)
        sums = sum(T[n] @ _lifted(S[:, 3], one) for n, S in self._moving().items())
        return sums[:3] / sums[3]

    def momentum(self, q: Any, v: Any, V: Any = None) -> tuple[Any, Any]:
        """Angular momentum about the centre of mass, and momentum: from dT S T^T, integral of dx x^T dm."""
        one = q[0] * 0 + 1
        T, dT, _, _ = self._motions(q, v, v * 0, False, _level(V, q[0]))
        K = sum(dT[n] @ _lifted(S, one) @ T[n].T for n, S in self._moving().items())
        P, c = K[:3, 3], self.centre(q)
        L = np.array([K[2, 1] - K[1, 2], K[0, 2] - K[2, 0], K[1, 0] - K[0, 1]])
        return L - skew(c) @ P, P

    def kinetic_energy(self, q: Any, v: Any, V: Any = None) -> Any:
        """1/2 sum tr(dT S dT^T), with that of the rotors."""
        one = q[0] * 0 + 1
        _, dT, _, _ = self._motions(q, v, v * 0, False, _level(V, q[0]))
        links = sum(_trace(dT[n] @ _lifted(S, one), dT[n].T) for n, S in self.moments.items())
        rotors = one * 0
        for joint in self.mechanism.ordered:
            for k in range(len(joint.slides)):
                rate = v[self.mechanism.places[joint.name] + k] * _lifted(joint.multiplier, one)
                rotors = rotors + _lifted(joint.armature, one) * rate * rate
        return (links + rotors) / 2

    def potential_energy(self, q: Any, attitude: Any = None) -> Any:
        """Gravity times the first moment upwards."""
        one = q[0] * 0 + 1
        start = _pose(identity() if attitude is None else _rotation(attitude), (0, 0, 0))
        T = self.poses(q, start)
        first = sum((T[n] @ _lifted(S[:, 3], one))[:3] for n, S in self._moving().items())
        return first @ self._up(one)[:3, 3]

    def twist(self, q: Any, v: Any, V: Any, frame: str) -> Any:
        """The twist whose 4x4 matrix is T^-1 dT."""
        T, dT, _, _ = self._motions(q, v, v * 0, False, _level(V, q[0]))
        return _vector(_inverse(T[frame]) @ dT[frame])

    def acceleration(self, q: Any, v: Any, a: Any, V: Any, A: Any, frame: str) -> Any:
        """The derivative of the twist: T^-1 ddT - (T^-1 dT)^2."""
        T, dT, ddT, _ = self._motions(q, v, a, False, _level(V, q[0], A))
        back = _inverse(T[frame])
        rate = back @ dT[frame]
        return _vector(back @ ddT[frame] - rate @ rate)

    def rate(self, jacobian: Callable[[Any, str], Any], q: Any, v: Any, frame: str) -> Any:
        """The derivative of a Jacobian of this robot along the velocities, by dual numbers."""
        rates = dict[int, Any]()
        for way, rate in zip(self._ways(q), v, strict=True):
            rates |= {k: rates.get(k, 0) + slope * rate for k, slope in way.items()}
        moving = _along(q, rates)
        zero = q[0] * 0
        return np.array(
            [[zero if x.slope is None else x.slope for x in row] for row in jacobian(moving, frame)]
        )

    def local_jacobian(self, q: Any, frame: str) -> Any:
        """The Jacobian in axes of the frame."""
        return _in_axes(self.poses(q)[frame], self.jacobian(q, frame))

    def spatial_jacobian(self, q: Any, frame: str) -> Any:
        """The Jacobian of the point of the frame's body at the root's origin, in axes of the root."""
        p, J = self.poses(q)[frame][:3, 3], self.jacobian(q, frame)
        return np.vstack([J[:3], J[3:] + np.cross(p, J[:3].T).T])

    def base_jacobian(self, q: Any, frame: str) -> Any:
        """The motion of a frame per displacement of the root: at its origin, in axes of the root."""
        T, one = self.poses(q)[frame], q[0] * 0 + 1
        return np.array([_motion(E @ T, T) for E in _free(identity(4) * one, one)]).T

    def local_base_jacobian(self, q: Any, frame: str) -> Any:
        """The motion of a frame per displacement of the root, in axes of the frame."""
        return _in_axes(self.poses(q)[frame], self.base_jacobian(q, frame))

    def regressor(self, q: Any, v: Any, a: Any, base: Any, links: Sequence[str]) -> Any:
        """The derivatives of the wrench on the root, then of the joint forces, by m, h and J of each link."""
        one = q[0] * 0 + 1
        T, _, ddT, displacements = self._motions(q, v, a, True, base)
        columns = []
        for name in links:
            above = {name, *(j.child for j in self._way(name))}
            for k in range(10):
                work = T[name] @ pseudo_inertia([one * int(i == k) for i in range(10)]) @ ddT[name].T
                tau = [one * 0] * self.mechanism.count
                for d in (d for d in displacements if d.joint.child in above):
                    tau[d.place] = tau[d.place] + d.ratio * _trace(d.generator, work)
                columns.append([*(_trace(D, work) for D in _free(T[self.mechanism.root], one)), *tau])
        return np.array(columns).T

    def point_rows(self, q: Any, links: Sequence[str]) -> Any:
        """The velocities of links' origins in axes of the root, per velocity, of a floating root first."""
        one, T = q[0] * 0 + 1, self.poses(q)
        rows = []
        for name in links:
            J, p = self.jacobian(q, name)[3:], T[name][:3, 3]
            base = [-skew(p), identity() * one] if self.mechanism.floating else []
            rows.append(np.hstack([*base, J]))
        return np.vstack(rows)

    def point_accelerations(self, q: Any, v: Any, V: Any, links: Sequence[str]) -> Any:
        """The accelerations of links' origins in axes of the root when no joint's velocity changes."""
        base, still = _level(V, q[0]), v * 0
        found = []
        for name in links:
            _, _, ddT, _ = self._motions(q, v, still, False, base)
            found.append(ddT[name][:3, 3])
        return np.concatenate(found)

    def _below(self, of: Mapping[str, Any], one: Any) -> dict[str, Any]:
        """For each body the sum of matrices over the bodies that hang from it, itself included."""
        total = {b.name: of.get(b.name, zeros(4, 4) * one) for b in self.mechanism.bodies}
        for joint in reversed(self.mechanism.ordered):
            total[joint.parent] = total[joint.parent] + total[joint.child]
        return total

    def mass_matrix(self, q: Any, floating: bool = False) -> Any:
        """M_jk = sum over the bodies of tr(dT/dq_j S dT/dq_k^T), with six rows of a floating root first."""
        one, mechanism, still = q[0] * 0 + 1, self.mechanism, zeros(self.mechanism.count)
        T, _, _, displacements = self._motions(q, still, still, False, None)
        moments = self._below({n: T[n] @ _lifted(S, one) @ T[n].T for n, S in self.moments.items()}, one)
        base = [(k, mechanism.root, D, one) for k, D in enumerate(_free(T[mechanism.root], one)) if floating]
        first = len(base)
        moves = [*base, *((first + d.place, d.joint.child, d.generator, d.ratio) for d in displacements)]
        M = zeros(first + mechanism.count, first + mechanism.count) * one
        above = {
            b.name: {b.name, mechanism.root, *(j.child for j in self._way(b.name))} for b in mechanism.bodies
        }
        for k, body, E, other in moves:
            P = moments[body] @ E.T
            for j, on, D, ratio in moves:
                if on in above[body]:
                    both = _trace(D, P) * (ratio * other)
                    M[j, k] = M[j, k] + both
                    M[k, j] = M[k, j] + (both if on != body else 0)
        for d in displacements:
            k = first + d.place
            M[k, k] = M[k, k] + _lifted(d.joint.armature, one) * (d.ratio * d.ratio)
        return M

    def _way(self, body: str) -> list[Joint]:
        """The joints from the root to a body."""
        arriving, found = {j.child: j for j in self.mechanism.joints}, list[Joint]()
        while body in arriving:
            found.insert(0, arriving[body])
            body = arriving[body].parent
        return found

    def accelerations(self, q: Any, v: Any, tau: Any, base: Any = None, wrench: Any = None) -> Any:
        """The accelerations, of a floating root first, for joint forces: by elimination in the mass
        matrix.
        """
        F, bias = self.torques(q, v, v * 0, True, base)
        if base is None:
            return eliminate(self.mass_matrix(q), tau - bias)
        right = np.concatenate([wrench - F, tau - bias])
        return eliminate(self.mass_matrix(q, True), right)

    def jacobian(self, q: Any, frame: str) -> Any:
        """6 x n: of each joint the rotation and the displacement of the frame's origin, in axes of the root.

        The pose is the product of the joints' displacements; joint k's derivative of it has E_k in its place.
        """
        one, way = q[0] * 0 + 1, self._way(frame)
        T = self.poses(q)[frame]
        columns = [zeros(6) * one for _ in range(self.mechanism.count)]
        product: list[_Factor] = []
        for joint in way:
            none = _Factor(_lifted(self.rest[joint.name], one), [], [], one)
            product += [none, *self._factors(joint, q, one)]
        for at, moved in enumerate(product):
            for place, E in zip(moved.places, moved.screws, strict=True):
                slope = _lifted(identity(4), one)
                for i, factor in enumerate(product):
                    slope = slope @ factor.D
                    if i == at:
                        slope = slope @ E
                columns[place] = columns[place] + np.array(_motion(slope, T)) * moved.ratio
        return np.array(columns).T


def base_of(given: Mapping[str, Any], like: Any) -> tuple[Any, Any, Any] | None:
    """Rotation, twist and acceleration of a floating base; what is not given is zero; None for no base."""
    if "q_WB" not in given:
        return None
    zero = zeros(6) * (like * 0 + 1)
    return _rotation(given["q_WB"]), given.get("V_B", zero), given.get("A_B", zero)


def _duals(values: Any, slopes: Any, one: Any) -> Any:
    """Numbers with these derivatives, each 0 or 1."""
    return np.array([Dual(x, one if s else None) for x, s in zip(values, slopes, strict=True)], dtype=object)


def _along(values: Any, slopes: Mapping[int, Any]) -> Any:
    """Numbers with these derivatives, by their places; the others have none."""
    return np.array([Dual(x, slopes.get(k)) for k, x in enumerate(values)], dtype=object)


def _level(V: Any, like: Any, A: Any = None) -> tuple[Any, Any, Any] | None:
    """The motion of a floating base whose attitude does not matter; None without a twist."""
    zero = zeros(6) * (like * 0 + 1)
    return None if V is None else (identity(), V, zero if A is None else A)


def pseudo_inertia(inertia: Sequence[Any]) -> Any:
    """The 4x4 moments of [m, h, J]."""
    m, x, y, z, xx, xy, xz, yy, yz, zz = inertia
    half = (xx + yy + zz) / 2
    return np.array([
        [half - xx, -xy, -xz, x], [-xy, half - yy, -yz, y], [-xz, -yz, half - zz, z], [x, y, z, m]
    ])  # fmt: skip


def _vector(E: Any) -> Any:
    """The twist of a 4x4 matrix, angular first."""
    return np.array([E[2, 1], E[0, 2], E[1, 0], *E[:3, 3]])


def _rotation(q: Any) -> Any:
    """The matrix of a unit quaternion: 1 + 2 w u~ + 2 u~ u~."""
    u = skew(q[1:])
    return identity() + u * (2 * q[0]) + u @ u * 2


def _matrix(R: Any) -> Any:
    return np.array(R.m, dtype=object).reshape(3, 3)


def _pose(R: Any, p: Sequence[Any]) -> Any:
    T = identity(4).astype(object)
    T[:3, :3], T[:3, 3] = R, list(p)
    return T


def _motion(slope: Any, T: Any) -> list[Any]:
    """The rotation and the displacement of a pose's origin, from a derivative of the pose."""
    turn = slope[:3, :3] @ T[:3, :3].T
    return [turn[2, 1], turn[0, 2], turn[1, 0], *slope[:3, 3]]


def _in_axes(T: Any, J: Any) -> Any:
    """Motions in axes of the frame with this pose."""
    return np.vstack([T[:3, :3].T @ J[:3], T[:3, :3].T @ J[3:]])


def _free(T: Any, one: Any) -> list[Any]:
    """The generators of the six displacements of a free body, in its frame, that has this pose."""
    back = _inverse(T)
    return [T @ (_hat(e) * one) @ back for e in np.eye(6, dtype=int)]


def _trace(A: Any, B: Any) -> Any:
    """tr(A B)."""
    return np.sum(A * B.T)


def _inverse(T: Any) -> Any:
    back = T.copy()
    back[:3, :3] = T[:3, :3].T
    back[:3, 3] = -(T[:3, :3].T @ T[:3, 3])
    return back


def _hat(twist: Any) -> Any:
    """The 4x4 matrix of a twist, angular first."""
    E = zeros(4, 4).astype(object)
    E[:3, :3], E[:3, 3] = skew(np.array(twist[:3])), twist[3:]
    return E


def _screws(joint: Joint, angles: Angles) -> list[Any]:
    """The 4x4 matrices of unit motions of the joint, in the frame that it moves."""

    def unit(direction: Sequence[Any]) -> list[Any]:
        return list((angles.axis(Vec3(*direction)) @ Vec3(0, 0, 1)).scalars())

    axis, none = unit(joint.axis) if joint.kind not in ("spherical", "fixed") else [], [0, 0, 0]
    match joint.kind:
        case "fixed":
            return []
        case "prismatic":
            return [_hat([*none, *axis])]
        case "helical":
            return [_hat([*axis, *(x * joint.pitch for x in axis)])]
        case "universal":
            return [_hat([*axis, *none]), _hat([*unit(joint.axis2), *none])]
        case "planar":
            x, y = planar_axes(joint.axis)
            return [_hat([*none, *x]), _hat([*none, *y]), _hat([*axis, *none])]
        case "spherical":
            return [_hat(e) for e in np.eye(6, dtype=int)[:3]]
        case _:
            return [_hat([*axis, *none])]


def _displacement(E: Any, position: Any, one: Any) -> Any:
    """The displacement exp(E q) by a screw."""
    if not np.any(E[:3, :3] != 0):
        return _lifted(identity(4), one) + E * position
    return _moved(E, position, elementary.cos(position), elementary.sin(position))


def _moved(E: Any, position: Any, c: Any, s: Any) -> Any:
    """exp(E q) = 1 + W sin q + W W (1 - cos q) with E's rotation W, and E's displacement times q."""
    W, along = E.copy(), E.copy() * 0
    W[:3, 3], along[:3, 3] = E[:3, 3] * 0, E[:3, 3]
    return identity(4) + W * s + W @ W * (1 - c) + along * position


def _felt_friction(joint: Joint, rate: Any, one: Any) -> Any:
    """Coulomb friction at this velocity."""
    if not joint.friction:
        return one * 0
    if joint.creep:
        return elementary.tanh(rate * _lifted(1 / exact(joint.creep), one)) * _lifted(joint.friction, one)
    force = _lifted(joint.friction, one)
    return force if rate > 0 else -force if rate < 0 else force * 0


def lifted(constants: Sequence[Any], like: Any) -> Any:
    """An array of exact constants as numbers like those of another array."""
    return _lifted(np.array(constants), like[0] * 0 + 1)


def _pushed(wrench: Any, one: Any) -> Any:
    """The matrix W of a wrench: tr(E W) is its power for the twist of the 4x4 matrix E."""
    W = _lifted(zeros(4, 4).astype(object), one)
    W[:3, :3], W[3, :3] = (
        skew(np.array([one * x / -2 for x in wrench[:3]])) * one,
        [one * x for x in wrench[3:]],
    )
    return W


def _lifted(matrix: Any, one: Any) -> Any:
    """Exact constants as numbers like `one`: as a float their quotient, as their parts may be too large."""
    plain = one.value if isinstance(one, Dual) else one

    def number(x: Any) -> Any:
        if not isinstance(x, (int, Fraction, np.integer)):
            return x
        if isinstance(plain, (float, np.floating)):
            return one * (int(x.numerator) / int(x.denominator))
        return one * int(x.numerator) / int(x.denominator)

    if np.ndim(matrix) == 0:
        return number(matrix)
    lifted = np.array([number(x) for x in np.ravel(matrix)])
    return lifted.reshape(np.shape(matrix))


def inverse(M: Any) -> Any:
    """The inverse of a positive definite matrix, by elimination of one column after another."""
    one = M[0, 0] * 0 + 1
    return np.array([eliminate(M, e * one) for e in np.eye(len(M), dtype=int)])


def held(M: Any, J: Any, forces: Any, wanted: Any, softness: Any, limits: Any) -> tuple[Any, Any, int]:
    """x and f of M x = forces + J^T f, J x + softness f = wanted, by elimination, and the status.

    Where the pivots of J M^-1 J^T + softness 1 vanish up to rounding, f is zero.
    """
    n, m, one = len(M), len(J), softness * 0 + 1
    whole = np.vstack([np.hstack([M, -J.T]), np.hstack([J, identity(m) * softness])])
    if limits is not None and not _definite(J @ inverse(M) @ J.T + identity(m) * softness, limits):
        return eliminate(M, forces), np.array([one * 0] * m), int(Status.SINGULAR)
    found = eliminate(whole, np.concatenate([forces, wanted]))
    return found[:n], found[n:], 0


def _definite(N: Any, limits: Any) -> bool:
    """Whether no pivot of Gaussian elimination is within n eps of its diagonal element."""
    rest, n = N.copy(), len(N)
    for k in range(n):
        if not rest[k, k] > n * limits.eps * N[k, k] + limits.min:
            return False
        rest = rest - np.outer(rest[:, k], rest[k]) / rest[k, k]
    return True


def packed(M: Any) -> Any:
    """The upper triangle, row by row."""
    return M[np.triu_indices(len(M))]
