"""LanguageTool's error counts (Naber 2003): matches of its rules in single texts.

`checking.check_texts` is all that models need; how a version runs (a shared server, or processes of
their own) is decided beneath it.
"""
