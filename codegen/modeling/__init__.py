"""The vocabulary of models: types, functions, kernels, units, vehicle files and bound values."""
