"""White space in texts, and keys computed from content, equal in Python and SQL."""

import hashlib


def squeezed(text: str) -> str:
    """Replace each run of white space by one space, and strip the text.

    White space is every character that `str.split` splits at: Unicode's white space, including
    no-break and ideographic spaces, and ASCII's four information separators. The macro `squeezed`
    (macros/texts) does the same in SQL.
    """
    return " ".join(text.split())


# --- Keys computed from content, equal in Python and SQL ---


def content_key(text: str) -> int:
    """Return the first 60 bits of the text's MD5 hash, like the SQL macro of this name."""
    return int(hashlib.md5(text.encode(), usedforsecurity=False).hexdigest()[:15], 16)
