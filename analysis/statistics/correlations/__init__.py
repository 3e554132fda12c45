"""Correlations of scores and of orders, and agreement with judges under a rule for ties."""
