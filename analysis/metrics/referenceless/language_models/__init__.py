"""Language models: how likely a text is, by n-grams or by a transformer."""
