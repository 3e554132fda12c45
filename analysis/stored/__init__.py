"""What Python models read and keep: append-only caches, changed scores, rows as arrays."""
