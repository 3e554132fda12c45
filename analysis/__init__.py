"""Metrics, statistics and the workers that compute them; dbt models call into this package."""
