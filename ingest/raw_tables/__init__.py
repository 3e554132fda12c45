"""The raw tables: corpora and rankings into them, out of them, and what they hold."""
