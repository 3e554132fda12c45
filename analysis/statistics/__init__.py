"""Statistics of the validation: pure functions over arrays, one module a family."""
