"""One module per file format, from lines to typed rows and findings."""
