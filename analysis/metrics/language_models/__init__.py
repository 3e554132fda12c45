"""Language models: the probability of a text, by n-grams or by a transformer."""
