"""The command line: options in, calls to the packages that do the work, tables out."""
