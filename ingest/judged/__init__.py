"""Human judgments that have a manifest of their own: ratings, pairs, edit verdicts, post-edits."""
