"""`maege metric`: add the user's own metrics, try them, and estimate their cost."""
