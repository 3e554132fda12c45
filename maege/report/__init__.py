"""`maege report`: show the published results on one page with charts, tables and text."""
