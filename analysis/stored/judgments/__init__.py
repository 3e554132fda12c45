"""Judged outputs, edits and rankings, with the metrics' scores of them, as arrays."""
