"""White space in texts: the only rule, for whatever texts come from, which SQL has as a macro."""


def squeezed(text: str) -> str:
    """Replace each run of white space by one space, and strip the text.

    White space is every character that `str.split` splits at: Unicode's white space, including
    no-break and ideographic spaces, and ASCII's four information separators. The macro `squeezed`
    (macros/texts) does the same in SQL.
    """
    return " ".join(text.split())
