"""LanguageTool's error counts (Naber 2003): matches of its rules in single texts.

Models need only `checking.check_texts`. Other modules decide how a version runs (a shared server,
or separate processes).
"""
