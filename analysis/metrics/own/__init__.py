"""Metrics of the user's own: what `maege metric add` declares, as families."""
