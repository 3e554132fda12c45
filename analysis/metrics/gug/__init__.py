"""Grammaticality learned from GUG: what is read from a text, the model, its training, its score."""
