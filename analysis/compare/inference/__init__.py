"""From counts to intervals, tests and ranks, of systems and of error types."""
