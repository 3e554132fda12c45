"""Texts of languages that write no blanks between words, in characters with blanks between."""

import re

# Words and numbers in Latin letters stay whole.
CHARACTERS = re.compile(r"[A-Za-z]+|[0-9]+|\S")


def characters(text: str) -> list[str]:
    """Return the characters of the text, and its words and numbers in Latin letters."""
    return CHARACTERS.findall(text)


def in_characters(text: str) -> str:
    """Return the text with a blank between its characters."""
    return " ".join(characters(text))
