"""The I-measure: alignment, references, mixtures, scores. docs/imeasure.md has it in a page."""
