"""From two texts to the edits between them: by ERRANT, or by a plain alignment without spaCy."""
