"""The figure of a kernel: its frames, and its vectors for one example.

`statements` reads what the arguments state. `example` holds places of the frames and values of the
arguments, which `placing` and `values` fill in and `examples` chooses; `axes` has the rotations, `view` the
projection. `sketch` says what is drawn, `picture` draws it.
"""
