"""Statistics of the validation: pure functions over arrays."""
