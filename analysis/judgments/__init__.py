"""Metrics against people: ratings, pairs and verdicts on edits, from arrays alone."""
