"""White space in texts: the only rule, for whatever texts come from, which SQL has as a macro."""


def squeezed(text: str) -> str:
    """Return the text with one space wherever it has white space, and none at its ends.

    White space is Unicode's, no-break and ideographic spaces among it, and ASCII's four separators
    of information: what `str.split` splits at. The macro `squeezed` (macros/texts) has the same.
    """
    return " ".join(text.split())
