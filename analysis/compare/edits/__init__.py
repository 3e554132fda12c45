"""From texts to counts: the gold, every system's edits, and what metrics count of them."""
