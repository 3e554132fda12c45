"""How judged texts are split into what metrics read: as they are, into characters, or into words.

Words and signs of texts that nobody tokenised: "n't", "'s" and the like join the word before them,
and curly quotes are straight, so that a text is split alike whether or not somebody split it once.
"""

import re

_QUOTES = str.maketrans({"’": "'", "‘": "'", "“": '"', "”": '"', "`": "'"})
_CLITIC = re.compile(r" (n't|'s|'re|'ve|'ll|'d|'m)\b")
_TOKEN = re.compile(r"\w+|[^\w\s]")


def split_text(text: str, tokens: str) -> str:
    """Return the text with one blank between tokens.

    Args:
        text: as it was judged.
        tokens: `blanks`, `characters` or `words`.

    """
    if tokens == "words":
        return " ".join(_TOKEN.findall(_CLITIC.sub(r"\1", text.translate(_QUOTES))))
    return " ".join("".join(text.split()) if tokens == "characters" else text.split())
