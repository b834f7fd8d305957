"""From a Program to the text of C: expressions, statements, functions, headers, self-test and manifest."""
