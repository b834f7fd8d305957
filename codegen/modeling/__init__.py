"""What a person writes a model with: types, functions, kernels, units and vehicles."""
