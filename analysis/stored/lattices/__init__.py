"""Comparable pairs of lattices by source sentence: counts, means and tests."""
