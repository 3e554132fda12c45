"""White space in texts, and keys computed from content, equal to the SQL macros of these names."""

import hashlib


def squeezed(text: str) -> str:
    """Replace each run of white space by one space, and strip the text.

    White space is every character that `str.split` splits at: Unicode's white space, including
    no-break and ideographic spaces, and ASCII's four information separators.
    """
    return " ".join(text.split())


# The first 60 bits of the text's MD5 hash.
def content_key(text: str) -> int:
    return int(hashlib.md5(text.encode(), usedforsecurity=False).hexdigest()[:15], 16)
