"""One module a file format: lines in, typed rows and findings out."""
