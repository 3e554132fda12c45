"""Score lists of texts without a warehouse, with the code that computes the marts."""
