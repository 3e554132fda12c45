"""Human rankings of system outputs."""
