"""The figure of a kernel: its frames, and its vectors for one example.

`statements` reads what the arguments state. `example` holds places of the frames and values of the
arguments, which `placing` and `values` fill in and `examples` chooses, with `contacts` for bodies that touch.
`points` says where vectors begin, `axes` has the rotations, `globe` the Earth, `view` the projection.
`sketch` says what is drawn, with `angles` and `bodies` beside the vectors, and `picture` draws it.
"""
