"""Documentation of a kernel for readers: inspection, expression graph and book."""
