"""Agreement of metrics with human ratings, preferences and verdicts on edits, from arrays alone."""
