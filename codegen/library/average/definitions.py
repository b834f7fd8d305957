"""Averages of attitudes: sums of dyads; the averages themselves are defined in `properties`."""

quat_mean_add = "A_next = A + w q_NB q_NB^T"
