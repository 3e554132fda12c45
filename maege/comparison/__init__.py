"""`maege compare`: systems against each other and against gold, from files alone."""
