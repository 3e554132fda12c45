"""Comparable pairs of lattices by source sentence: their counts, means and tests."""
