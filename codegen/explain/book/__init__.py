"""The book: each function's derivation, C, graph, cost and accuracy as a static site, no outside requests.

`site` writes it, `pages` says what a page shows, `templates/book/` how it looks. `notation`, `formula` and
`mathml` make formulas, `listing` links them with the C and the graph; `sweeps`, `arrays` and `accuracy`
measure rounding errors; `plots`, `frames` and `drawing` draw; `calls` relates functions.
"""
