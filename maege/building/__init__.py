"""`maege build` and `maege publish`: dbt's run, and the marts that come of it."""
