"""The book: a static site with the derivation, C, graph, cost and accuracy of each function.

`site` writes it, `pages` collects the content of a page, `templates/book/` has the layout. `notation`,
`formula` and `mathml` make formulas, `listing` links them with the C and the graph; `sweeps`, `arrays` and
`accuracy` measure rounding errors; `plots`, `frames` and `drawing` draw; `calls` finds related functions.
A page makes no request outside of the site.
"""
