"""Joints as homogeneous matrices; the twists follow from the columns of the motion subspace.

Featherstone 2008, section 4.4; rotations about an axis by Rodrigues' formula.
"""

_TURN = "1 + sin(q) axis~ + (1 - cos(q)) axis~ axis~"

joint_revolute = f"T_PS = [[{_TURN}, 0], [0, 1]]; S_q = [axis, 0, 0, 0]"

joint_prismatic = "T_PS = [[identity(3), q axis], [0, 1]]; S_q = [0, 0, 0, axis]"

joint_helical = f"T_PS = [[{_TURN}, q pitch axis], [0, 1]]; S_q = [axis, pitch axis]"

joint_planar = """T_PS = [[Rz(q), p], [0, 1]]; p = [x, y, 0];
S_q = cols(c_0, c_1, c_2); c_0 = [0, 0, 0, Rz(-q) e_x], c_1 = [0, 0, 0, Rz(-q) e_y], c_2 = [e_z, 0, 0, 0]"""

joint_universal = """T_PS = [[Rx(q_1) Ry(q_2), 0], [0, 1]];
S_q = cols(c_0, c_1); c_0 = [Ry(-q_2) e_x, 0, 0, 0], c_1 = [e_y, 0, 0, 0]"""

joint_spherical = """T_PS = [[(w^2 - u.u) 1 + 2 u u^T + 2 w u~, 0], [0, 1]]; q_PS = [w, u];
S_q = cols(c_0, c_1, c_2); c_0 = [e_x, 0, 0, 0], c_1 = [e_y, 0, 0, 0], c_2 = [e_z, 0, 0, 0]"""
