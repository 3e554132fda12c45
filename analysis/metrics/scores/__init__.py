"""From statistics to scores, of sentences and of corpora."""
