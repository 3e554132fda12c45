"""Metrics by a neural language model whose weights are part of a Python package."""
