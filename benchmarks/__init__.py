"""How the generated code compares with that of other generators and with code written by hand."""
