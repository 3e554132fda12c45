"""The I-measure: alignment, references, mixtures and scores; docs/imeasure.md is an overview."""
