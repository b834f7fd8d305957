"""Products of spatial vectors: motion [w; v_O], force [n_O; f] (Featherstone 2008)."""

# The matrices crm(v) and crf(v) = -crm(v)^T are written out (Featherstone 2008, section 2.9).

motion_cross = "v_x_m = [[w~, 0], [v_O~, w~]] m; v = [w, v_O]"

force_cross = "v_x_f = [[w~, v_O~], [0, w~]] f; v = [w, v_O]"

# The power of a force along a motion (Featherstone 2008, section 2.6).

motion_dot_force = "power = f^T v"

motion_cross_matrix = "M = [[w~, 0], [v_O~, w~]]; v = [w, v_O]"

force_cross_matrix = "M = -[[w~, 0], [v_O~, w~]]^T; v = [w, v_O]"
