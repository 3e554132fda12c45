"""The best metrics of each task, and those that are statistically tied with them."""
