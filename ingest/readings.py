"""Describe how the texts in raw tables are read."""

from collections import defaultdict
from collections.abc import Iterator

import duckdb

from maege.ingest.formats.annotation_file import REPEATED_EDIT
from maege.ingest.formats.rankings import NO_RANKINGS
from maege.ingest.formats.sentence_table import REPEATED_ID
from maege.ingest.languages import is_in_another_form
from maege.ingest.text_checks import (
    CHECKS,
    FIXES,
    Texts,
    check_texts,
    is_tokenised_differently,
)

# --- Checks of texts that are already in raw tables, and that metrics read unchanged ---

_JUDGED_SETS = """
    select distinct judgment_set, language
    from raw.judgment_tasks
    where tokens = 'blanks' and ($corpus is null or judgment_set = $corpus)
    order by all
"""
_JUDGED_TEXTS = """
    select items.source, outputs.text
    from raw.judged_items as items
    inner join raw.judged_outputs as outputs using (judgment_set, item)
    where judgment_set = $corpus and outputs.text is not null and items.source is not null
    order by item, output_id
"""
_LINKED = """
    with known as (
        select corpus, sentence_id, text, 0 as place from raw.sentences
        union all
        select corpus, sentence_id, text, 1 as place from raw."references"
    ),
    judged as (
        select judgment_set, item, source as text from raw.judged_items
        union all
        select judgment_set, item, text from raw.judged_outputs
    ),
    -- Items that number the sentences of a corpus, or have a sentence as their source.
    links as (
        select judgment_set, item, linked_corpus, sentence_id
        from raw.judged_items
        where linked_corpus is not null
        union
        select
            items.judgment_set, items.item, sentences.corpus as linked_corpus, sentences.sentence_id
        from raw.judged_items as items
        inner join raw.sentences as sentences
            on regexp_replace(items.source, '\\s', '', 'g')
            = regexp_replace(sentences.text, '\\s', '', 'g')
        where items.linked_corpus is null
            and items.judgment_set in (
                select judgment_set from raw.judgment_tasks where link <> 'none'
            )
    )
    select
        items.judgment_set, items.linked_corpus, items.item,
        list(distinct judged.text) filter (where judged.text is not null),
        (
            select list(known.text order by place, known.text)
            from known
            where known.corpus = items.linked_corpus and known.sentence_id = items.sentence_id
        )
    from links as items
    inner join judged on items.judgment_set = judged.judgment_set and items.item = judged.item
    where items.judgment_set in (
            select judgment_set from raw.judgment_tasks where tokens = 'blanks'
        )
        and ($corpus is null or $corpus in (items.judgment_set, items.linked_corpus))
    group by all
"""


def _judged_warnings(
    connection: duckdb.DuckDBPyConnection, corpus: str | None = None
) -> Iterator[str]:
    key = {"corpus": corpus}
    for name, language in connection.execute(_JUDGED_SETS, key).fetchall():
        rows = connection.execute(_JUDGED_TEXTS, {"corpus": name}).fetchall()
        suspicions = check_texts(
            Texts("sources", [source for source, _ in rows]),
            [Texts("outputs", [text for _, text in rows])],
            language,
            is_aligned=False,
        )
        for suspicion in suspicions:
            remedy = FIXES[suspicion.check][1].format(language="language: TAG in the manifest")
            if suspicion.check == "untokenised":
                remedy = "tokens: words, contractions or 13a in the manifest splits all texts"
            yield f"{name}: warning: {suspicion.shown}: {suspicion.found}. {remedy}"
    differ: defaultdict[tuple[str, str], list[bool]] = defaultdict(list)
    for name, linked, _, texts, sentence_texts in connection.execute(_LINKED, key).fetchall():
        if sentence_texts:
            differ[name, linked].append(
                any(is_tokenised_differently(text, sentence_texts) for text in texts or ())
            )
    for (name, linked), flags in sorted(differ.items()):
        if any(flags):
            yield (
                f"{name}: warning: the texts of {sum(flags):,} of {len(flags):,} items are "
                f"tokenised differently from the sentences and references of {linked}, which "
                "lowers the scores; tokens: words in the manifest splits all texts alike"
            )


# --- How a corpus is read: annotators without a line, blank references, Unicode forms ---

# Kinds of findings about lines that are used although they look wrong.
WARNINGS = (*CHECKS, REPEATED_EDIT, REPEATED_ID, NO_RANKINGS)

_ANNOTATORS = """
    with lines as (
        select corpus, annotation_set, sentence_id, count(distinct annotator) as n
        from raw.m2_edits
        group by all
    ),
    shared as (
        select distinct corpus, annotation_set
        from raw.m2_edits
        group by corpus, annotation_set, path
        having count(distinct annotator) > 1
    ),
    sets as (
        select corpus, annotation_set, count(*) as annotators
        from raw.annotators
        where (corpus, annotation_set) not in (
            select (corpus, annotation_set) from raw.extracted_sets
        )
        group by all
    )
    select
        sets.corpus, annotation_set, any_value(corpora.absent), any_value(sets.annotators),
        count(*) filter (where n < sets.annotators),
        any_value(corpora.n_sentences) - count(n),
        bool_or(shared.corpus is not null)
    from sets
    inner join raw.corpora as corpora using (corpus)
    left join lines using (corpus, annotation_set)
    left join shared using (corpus, annotation_set)
    where $corpus is null or sets.corpus = $corpus
    group by sets.corpus, annotation_set
    order by all
"""
_BLANK = """
    select
        sets.corpus, sets.reference_set, sets.empty_references,
        count(*), count(distinct members.reference)
    from raw.reference_sets as sets
    inner join raw.reference_set_members as members using (corpus, reference_set)
    inner join raw."references" as texts
        on members.corpus = texts.corpus and members.reference = texts.reference
    where trim(texts.text) = '' and ($corpus is null or sets.corpus = $corpus)
    group by all
    order by all
"""

_BLANK_OUTPUTS = """
    select outputs.corpus, outputs.system, count(*)
    from raw.outputs as outputs
    inner join raw.sentences as sentences using (corpus, sentence_id)
    where trim(outputs.text) = '' and trim(sentences.text) <> ''
        and ($corpus is null or outputs.corpus = $corpus)
    group by all
    order by all
"""
_WARNINGS = """
    select corpus, path, line, kind, detail
    from raw.ingest_findings
    where list_contains($kinds, kind) and ($corpus is null or corpus = $corpus)
    order by all
"""
_TABS = """
    select corpus, count(*) filter (where contains(text, chr(9))) as n, count(*)
    from raw.sentences
    inner join raw.files using (corpus, path)
    where files.role = 'source' and files.format = 'text' and ($corpus is null or corpus = $corpus)
    group by corpus
    having n > 0
    order by corpus
"""


def readings(connection: duckdb.DuckDBPyConnection, corpus: str | None = None) -> list[str]:
    """Return lines about undefined cases, warnings and Unicode forms of one corpus or all."""
    key = {"corpus": corpus}
    parts = []
    rows = connection.execute(_ANNOTATORS, key).fetchall()
    for name, annotation_set, absent, annotators, n_partly, n_without, shares in rows:
        reason = "the manifest does not set absent"
        if absent:
            marks = ", or marked by lines of type NA" if absent == "not_asked" else ""
            reason = f"set in the manifest{marks}"
        title = f"{name}, annotations {annotation_set} ({_count(annotators, 'annotator')})"
        for n_sentences, lines, default in (
            (n_partly, "a line of some annotators", "not_asked" if shares else "no_error"),
            (n_without, "any line", "no_error"),
        ):
            if n_sentences:
                parts.append(
                    f"{title}: {_count(n_sentences, 'sentence')} without {lines}, counted as "
                    f"{absent or default} ({reason})"
                )
    for name, reference_set, empty, blank, files in connection.execute(_BLANK, key).fetchall():
        title = f"{name}, references {reference_set}"
        lines = f"{_count(blank, 'blank line')} in {_count(files, 'file')}"
        if empty is None:
            parts.append(
                f"{title}: warning: {lines} read as deletion of the sentence; add to the manifest "
                "empty_references: none if there is no reference, else empty_references: deletion"
            )
        else:
            parts.append(f"{title}: {lines}, counted as {empty} (set in the manifest)")
    for name, n_with_tabs, sentences in connection.execute(_TABS, key).fetchall():
        parts.append(
            f"{name}: warning: {n_with_tabs:,} of {_count(sentences, 'sentence')} have tabs, which "
            "count as blanks; if they separate columns, add formats: {FILE: columns} to the "
            "manifest"
        )
    for name, system, blank in connection.execute(_BLANK_OUTPUTS, key).fetchall():
        parts.append(
            f"{name}: warning: {_count(blank, 'output')} of {system} without text, counted as "
            "deletion of the sentence"
        )
    rows = connection.execute(_WARNINGS, {**key, "kinds": WARNINGS}).fetchall()
    for name, path, line, kind, detail in rows:
        place = f"{path}:{line}" if line else path
        parts.append(f"{name}: warning: {place}: {kind.replace('_', ' ')}: {detail}")
    return [
        *parts,
        *_judged_warnings(connection, corpus),
        *forms_that_differ(connection, corpus),
    ]


def _count(number: int, noun: str) -> str:
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


# --- Sources and outputs in another Unicode form than the references ---

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
_TEXTS_OF_CORPUS = """
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


def forms_that_differ(
    connection: duckdb.DuckDBPyConnection, corpus: str | None = None
) -> Iterator[str]:
    for (name,) in connection.execute(_NOT_NFC, [corpus]).fetchall():
        references: defaultdict[int, set[str]] = defaultdict(set)
        for sentence_id, text in connection.execute(_REFERENCES, [name]).fetchall():
            references[sentence_id].add(" ".join(text.split()))
        differ: defaultdict[str, list[bool]] = defaultdict(list)
        for of, sentence_id, text in connection.execute(_TEXTS_OF_CORPUS, [name]).fetchall():
            squeezed = " ".join(text.split())
            differ[of].append(is_in_another_form(squeezed, references[sentence_id]))
        yield from (
            f"{name}: {sum(flags)} of {len(flags)} texts of {of} are in another Unicode normal "
            "form than their references, so that what looks equal differs; unicode: NFC in the "
            "manifest brings all texts together"
            for of, flags in differ.items()
            if any(flags)
        )
