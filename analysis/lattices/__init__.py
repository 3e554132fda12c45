"""Lattices of annotations from texts and edits alone: nodes, pairs, references and strata."""
