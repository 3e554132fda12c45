"""Unicode's normal forms: one letter with an accent, or a letter and its accent.

Texts that look alike are not equal in different forms (Unicode Standard Annex 15). The forms of
compatibility, NFKC and NFKD, are not among those to choose: they make other characters of some,
and of an acute accent that stands alone a space and an accent, which moves the tokens behind it.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Literal, get_args
from unicodedata import is_normalized, normalize

import duckdb

from maege.ingest.reading import TextFile

NormalForm = Literal["NFC", "NFD"]
FORMS: tuple[NormalForm, ...] = get_args(NormalForm)
_ALL = frozenset(FORMS)

# Where all texts are in one form nothing differs, and most are in this one.
_NOT_NFC = """
    select corpus
    from (
        select corpus, text from raw.sentences
        union all
        select corpus, text from raw."references"
        union all
        select corpus, text from raw.outputs
        union all
        select corpus, correction from raw.m2_edits
    )
    where $1 is null or corpus = $1
    group by corpus
    having bool_or(text <> nfc_normalize(text))
    order by corpus
"""
_TEXTS = """
    select 'the source' as name, sentence_id, text from raw.sentences where corpus = $1
    union all
    select system, sentence_id, text from raw.outputs where corpus = $1
    order by all
"""
_REFERENCES = """
    select sentence_id, text from raw."references" where corpus = $1
    union all
    select sentence_id, correction from raw.m2_edits where corpus = $1
"""


def in_form(text: str, form: NormalForm | None) -> str:
    """Return the text in that form; as it is without one."""
    return text if form is None else normalize(form, text)


def file_in_form(file: TextFile, form: NormalForm | None) -> TextFile:
    """Return the file with all of its lines in that form; as it is without one."""
    return replace(file, lines=[in_form(line, form) for line in file.lines])


def is_in_another_form(text: str, others: Iterable[str]) -> bool:
    """Whether the text and one of the others are in no form in common.

    Equal texts never differ, nor does one that is the same in all forms, such as ASCII.
    """
    forms = _forms(text)
    if len(forms) == len(FORMS):
        return False
    return any(
        other != text and len(found) < len(FORMS) and not forms & found
        for other, found in ((other, _forms(other)) for other in others)
    )


def n_in_another_form(texts: Iterable[str], others: Iterable[Iterable[str]]) -> int:
    """Return how many of the texts are in another form than one of those at the same place."""
    return sum(map(is_in_another_form, texts, others))


def forms_that_differ(
    connection: duckdb.DuckDBPyConnection, corpus: str | None = None
) -> Iterator[str]:
    """Yield a line for each source and output of which texts are in another form than references.

    Those of one corpus, or of all; references are texts or annotators' corrections.
    """
    for (name,) in connection.execute(_NOT_NFC, [corpus]).fetchall():
        references: defaultdict[int, set[str]] = defaultdict(set)
        for sentence_id, text in connection.execute(_REFERENCES, [name]).fetchall():
            references[sentence_id].add(" ".join(text.split()))
        differ: defaultdict[str, list[bool]] = defaultdict(list)
        for of, sentence_id, text in connection.execute(_TEXTS, [name]).fetchall():
            squeezed = " ".join(text.split())
            differ[of].append(is_in_another_form(squeezed, references[sentence_id]))
        for of, found in differ.items():
            if any(found):
                yield (
                    f"{name}: {sum(found)} of {len(found)} texts of {of} are in another Unicode "
                    "normal form than their references, so that what looks equal differs; "
                    "unicode: NFC in the manifest brings all texts together"
                )


def _forms(text: str) -> frozenset[str]:
    if text.isascii():
        return _ALL
    return frozenset(form for form in FORMS if is_normalized(form, text))
