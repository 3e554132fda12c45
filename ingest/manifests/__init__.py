"""The manifest of a corpus: what it may say, and where its files are."""
