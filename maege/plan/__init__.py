"""`maege plan`: estimate the sample size for a comparison, from the published marts."""
