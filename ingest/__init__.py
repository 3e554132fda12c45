"""Load files into raw tables: read and check a whole corpus, then load it in one transaction."""
