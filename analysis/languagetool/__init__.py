"""LanguageTool's error counts (Naber 2003): matches of its rules in single texts.

`check_texts` is all that models need; how a version runs (a shared server, or processes of their
own) is decided beneath it.
"""

from analysis.languagetool.checking import Checked, check_texts
from analysis.languagetool.matches import LanguageToolError, Match

__all__ = ["Checked", "LanguageToolError", "Match", "check_texts"]
