"""`maege plan`: how much would settle a question, from what is stored."""
