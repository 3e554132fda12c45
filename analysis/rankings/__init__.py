"""Human rankings of systems: scores of systems, agreement of judges, and of metrics with them."""
