"""Human judgments with their own manifest: ratings, pairs, edit verdicts and post-edits."""
