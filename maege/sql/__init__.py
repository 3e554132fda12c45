"""`maege sql`: questions to the published marts, answered on the screen or as text."""
