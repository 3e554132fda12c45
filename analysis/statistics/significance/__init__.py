"""Whether one metric is better than another, or than chance."""
