"""Storage of Python models: append-only caches, and rows as arrays."""
