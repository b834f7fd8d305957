"""Air data: airspeed, angle of attack, sideslip and wind axes."""
