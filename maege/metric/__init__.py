"""`maege metric`: metrics of the user's own, declared, tried, budgeted."""
