"""`maege build` and `maege publish`: run dbt and publish the marts."""
