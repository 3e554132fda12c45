"""The published runs with their generators and defects: for `as_published` and `replication`."""
