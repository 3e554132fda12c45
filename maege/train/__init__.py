"""`maege train`: train metrics on corpora or on the user's own data."""
