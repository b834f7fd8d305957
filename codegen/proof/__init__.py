"""Whether the forms of a kernel are equal as mathematics, and what is proven of them."""
