"""Rows of coverage: references, correctors and scores, estimated from a crowd's corrections."""
