"""The manifest of a corpus: its keys, and the places of its files."""
