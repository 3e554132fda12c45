"""LanguageTool's error counts (Naber 2003): matches of its rules in single texts.

Models need only `checking.check_texts`. The other modules run a version: 6.6 as a server, older
ones as a process for each connection.
"""
