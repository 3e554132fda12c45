"""How much of all valid corrections references hold, and what scores would be with more of them."""
