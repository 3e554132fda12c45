"""Extract edits from two texts, by ERRANT or by a plain alignment without spaCy."""
