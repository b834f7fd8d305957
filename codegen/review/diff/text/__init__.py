"""C as compilers read it: the tokens, directives, macros, declarations and syntax trees of files."""
