"""What a change of the files around the C means for the library that is built from them."""
