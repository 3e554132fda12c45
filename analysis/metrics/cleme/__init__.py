"""CLEME and CLEME2.0: compare hypothesis and references on common chunks of the source."""
