"""Unicode's normal forms: an accented letter as one character, or as a letter and an accent.

Texts that look alike differ if their forms differ (Unicode Standard Annex 15). The compatibility
forms, NFKC and NFKD, cannot be chosen, because they replace some characters. For example, they
replace a separate acute accent by a space and an accent, which moves the following tokens.
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

# If all texts have the same form, nothing differs. Most texts have this form.
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
    """Return the text in this form; unchanged without a form."""
    return text if form is None else normalize(form, text)


def file_in_form(file: TextFile, form: NormalForm | None) -> TextFile:
    """Return the file with all of its lines in this form; unchanged without a form."""
    return replace(file, lines=[in_form(line, form) for line in file.lines])


def is_in_another_form(text: str, others: Iterable[str]) -> bool:
    """Return whether the text shares no normal form with at least one of the others.

    Equal texts never differ, nor does a text that is the same in all forms, such as ASCII.
    """
    forms = _forms(text)
    if len(forms) == len(FORMS):
        return False
    return any(
        other != text and len(found) < len(FORMS) and not forms & found
        for other, found in ((other, _forms(other)) for other in others)
    )


def n_in_another_form(texts: Iterable[str], others: Iterable[Iterable[str]]) -> int:
    """Return how many texts have another form than one of the texts at the same position."""
    return sum(map(is_in_another_form, texts, others))


def forms_that_differ(
    connection: duckdb.DuckDBPyConnection, corpus: str | None = None
) -> Iterator[str]:
    """Yield a line for each source and output whose texts have another form than the references.

    The lines are about one corpus, or about all. References are texts or annotators' corrections.
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
