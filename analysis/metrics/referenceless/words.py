"""Content words: the words of a text that are not in the closed classes of English.

The members of a closed class can be listed. Some of these words also belong to open classes
(`might`, `can`, `one`). They are treated as closed.
"""

_CLASSES = {
    "articles and determiners": """
        a an the this that these those each every either neither some any no such another other
        others own same whatever
    """,
    "quantities": "all both few half just least less many more most much one ones once only",
    "personal pronouns": "i you he she it we they me him us them",
    "possessives": "my your his her its our their mine yours hers ours theirs whose",
    "reflexives": """
        myself yourself yourselves himself herself itself ourselves themselves
    """,
    "indefinite pronouns": """
        anybody anyone anything everybody everyone everything nobody none nothing somebody someone
        something
    """,
    "question words": "who whom whoever what which when where why how",
    "auxiliaries": """
        am are be been being did do does doing done had has have having is was were
        can could may might must ought shall should will would
    """,
    "prepositions": """
        about above across after against along among as at before behind below
        between beyond by despite down during except for from in into near of off on onto
        out over per since through to toward towards under until up upon via with within without
    """,
    "conjunctions": """
        also although and because but if nor or so than though unless whereas whether while yet
    """,
    "adverbs of place, time and degree": "again even here now then there too very",
    "negation and clitics": "n't not ' 'd 'll 'm 're 's 've",
}
FUNCTION_WORDS = frozenset(word for members in _CLASSES.values() for word in members.split())


def content_words(text: str) -> list[str]:
    """Return the lower-cased tokens that are not function words and have a letter or a digit."""
    return [
        token
        for token in text.lower().split()
        if token not in FUNCTION_WORDS and any(map(str.isalnum, token))
    ]
