"""Export data of the warehouse to files for other programs."""
