"""Lattices of annotations, computed from texts and edits: nodes, pairs, references and strata."""
