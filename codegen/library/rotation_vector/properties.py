"""Logarithms of rotations: the properties that define them.

A property states equations between the arguments and the results, which hold where the results are right and
no status flag is raised.
"""

# p is a multiple of [cos(h), sin(h) n], and turns like q = [w, u]; h is from 0 to pi/2: its cosine is then
# |w| / |q|, its sine |u| / |q|. Where r = 0, so is p, and q is a multiple of 1. Of an angle it must be
# said that it is not negative, of a length it need not.

_TURN = """
(q.q) p (x) [0, 1, 0, 0] (x) p^* = (p.p) q (x) [0, 1, 0, 0] (x) q^*
(q.q) p (x) [0, 0, 1, 0] (x) p^* = (p.p) q (x) [0, 0, 1, 0] (x) q^*
(q.q) p (x) [0, 0, 0, 1] (x) p^* = (p.p) q (x) [0, 0, 0, 1] (x) q^*
cos(h) |q| = |w|, sin(h) |q| = |u|, h <= pi / 2, [w, u] = q
"""

rotvec_from_quat = f"h = |r| / 2, p = [cos(h) |r|, sin(h) r]; {_TURN}"

axis_angle_from_quat = f"|axis| = 1, h = angle / 2, p = [cos(h), sin(h) axis]; 0 <= h; {_TURN}"

# The property of rotvec_from_quat for the product.

quat_error = f"""
q = q_NB^* (x) q_ND, h = |e_B| / 2, p = [cos(h) |e_B|, sin(h) e_B]
{_TURN}
"""
