"""`maege languagetool`: installs it, says whether it runs, stops it."""
