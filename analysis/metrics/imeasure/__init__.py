"""The I-measure: alignment, references, mixtures, scores."""
