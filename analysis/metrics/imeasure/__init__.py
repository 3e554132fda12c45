"""The I-measure: references and mixtures, their alignment, and the score."""
