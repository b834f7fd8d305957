"""Averages of attitudes: the nearest rotation to a matrix, means of quaternions."""
