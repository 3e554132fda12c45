"""Compare systems from texts alone, without a warehouse: edits, counts, tests and lists."""
