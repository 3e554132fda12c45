"""`maege train`: metrics that are trained on what is in the warehouse."""
