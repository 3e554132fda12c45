"""Which metrics cannot be told from the best at each task that metrics are used for."""
