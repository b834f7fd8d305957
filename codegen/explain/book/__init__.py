"""The book: a static site with the derivation, C, graph, cost and accuracy of each function.

`site` writes it, `pages` collects the content of a page, `templates/book/` has the layout. `listing` links
the formulas of `codegen.notation` with the C and the graph; `sweeps`, `arrays`, `pairs` and `accuracy`
measure rounding errors; `plots`, `chart`, `figures` and `drawing` draw; `calls` finds related functions.
A page makes no request outside of the site.
"""
