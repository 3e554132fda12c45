"""A corpus read whole: each of its files as rows for the raw tables."""
