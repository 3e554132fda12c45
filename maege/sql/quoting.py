"""Names and strings as SQL text."""


def quoted(name: str) -> str:
    """Return the name as SQL, whatever is in it."""
    return '"' + name.replace('"', '""') + '"'


def literal(text: str) -> str:
    """Return the text as SQL."""
    return "'" + text.replace("'", "''") + "'"
