"""LanguageTool's error counts (Naber 2003): matches of its rules in single texts."""
