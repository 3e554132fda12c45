"""`maege compare`: compare systems with each other and with gold edits, from files alone."""
