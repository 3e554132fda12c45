"""`maege card`: the verdict on one metric, from the marts."""
