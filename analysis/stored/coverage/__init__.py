"""Rows of coverage: what a crowd's corrections say of references, correctors and scores."""
