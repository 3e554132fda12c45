"""Judged outputs, edits and rankings, with the scores that metrics give them, as arrays."""
