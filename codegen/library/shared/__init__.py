"""Parts that several subjects of the library share: arguments, dense algebra, calculus and sources."""
