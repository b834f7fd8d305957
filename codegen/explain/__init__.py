"""What a person reads of a kernel: inspection, expression graph and book."""
