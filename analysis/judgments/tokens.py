"""How judged texts are split into what metrics read.

- `blanks`: as they are;
- `characters`: into characters;
- `contractions`: words, with what follows an apostrophe, and signs;
- `words`: words and signs of texts that were split once or were not: "n't", "'s" and the like join
  the word before them, and curly quotes are straight, so that a text is split alike either way;
- `13a`: as sacreBLEU splits, in lower case: what EASSE does with simplifications.
"""

import re

from maege.analysis.metrics.sari_variants import tokens_13a

_QUOTES = str.maketrans({"’": "'", "‘": "'", "“": '"', "”": '"', "`": "'"})
_CLITIC = re.compile(r" (n't|'s|'re|'ve|'ll|'d|'m)\b")
_TOKEN = re.compile(r"\w+|[^\w\s]")
_CONTRACTION = re.compile(r"\w+(?:['’]\w+)?|[^\w\s]")


def split_text(text: str, tokens: str) -> str:
    """Return the text with one blank between tokens.

    Args:
        text: as it was judged.
        tokens: `blanks`, `characters`, `contractions`, `words` or `13a`.

    """
    if tokens == "contractions":
        return " ".join(_CONTRACTION.findall(text))
    if tokens == "words":
        return " ".join(_TOKEN.findall(_CLITIC.sub(r"\1", text.translate(_QUOTES))))
    if tokens == "13a":
        return " ".join(tokens_13a(text)).lower()
    return " ".join("".join(text.split()) if tokens == "characters" else text.split())
