"""The published runs of the papers, with their random generators and defects, for `replication`."""
