"""Append-only caches, and metrics that stopped early."""
