"""Grammaticality learned from GUG: features, model, training and score."""
