"""Read a corpus completely: each of its files as rows for the raw tables."""
