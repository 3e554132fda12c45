"""Load corpora and rankings into raw tables, remove them, and describe what they contain."""
