"""`maege sql`: query the published marts, with results on the screen or in a file."""
