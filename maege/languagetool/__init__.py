"""`maege languagetool`: install LanguageTool, enable or disable its metrics, show its status."""
