"""A crowd's corrections, judgments of them, and estimates made from them."""
