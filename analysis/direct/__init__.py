"""Scores of texts in hand, by the same code as those of the marts, without a warehouse."""
