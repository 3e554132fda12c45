"""Keys computed from content, equal in Python and SQL."""

import hashlib


def content_key(text: str) -> int:
    """Return the first 60 bits of the text's MD5 hash, like the SQL macro of this name."""
    return int(hashlib.md5(text.encode(), usedforsecurity=False).hexdigest()[:15], 16)
