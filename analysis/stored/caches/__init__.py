"""What is computed once: append-only tables, what was changed, and what stopped on the way."""
