"""What leaves the warehouse as files that other programs read."""
