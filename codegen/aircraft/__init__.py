"""Aerodynamic models of aircraft, read from files of other simulators."""
