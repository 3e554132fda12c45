"""CLEME and CLEME2.0: what hypothesis and references do to common chunks of the source."""
