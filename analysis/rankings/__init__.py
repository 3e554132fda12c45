"""Metrics against human rankings: rows of the marts, computed from arrays."""
