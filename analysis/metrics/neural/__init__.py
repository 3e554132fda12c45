"""Metrics by a neural language model whose weights come inside a package."""
