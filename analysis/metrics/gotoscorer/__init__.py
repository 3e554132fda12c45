"""GoToScorer: chunks of the gold, each weighed by how many systems get it wrong."""
