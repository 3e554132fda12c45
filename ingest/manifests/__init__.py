"""The manifest of a corpus: its keys, and the paths of its files."""
