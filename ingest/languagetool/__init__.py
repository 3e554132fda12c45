"""LanguageTool on this machine: which versions are there, how they get there, what runs."""
