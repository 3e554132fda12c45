"""Metrics of grammatical error correction: from texts to statistics to scores."""
