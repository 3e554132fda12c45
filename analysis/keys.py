"""Names made from content, the same in Python as in SQL."""

import hashlib


def content_key(text: str) -> int:
    """Return what the macro of this name gives in SQL: the top 60 bits of the text's md5."""
    return int(hashlib.md5(text.encode(), usedforsecurity=False).hexdigest()[:15], 16)
