"""Systems against systems, from texts alone: edits, counts, tests, lists; no warehouse."""
