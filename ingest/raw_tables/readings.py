"""How a corpus is read: annotators without a line, blank references, forms of Unicode."""

import duckdb

from maege.ingest.corpora.normal_forms import forms_that_differ
from maege.ingest.formats.annotations.annotation_file import REPEATED_EDIT
from maege.ingest.formats.annotations.sentence_table import REPEATED_ID
from maege.ingest.formats.human_rankings.rankings import NO_RANKINGS
from maege.ingest.raw_tables.stored_texts import judged_warnings
from maege.ingest.text_checks import CHECKS

# Kinds of findings about lines that are used although something looks wrong.
WARNINGS = (*CHECKS, REPEATED_EDIT, REPEATED_ID, NO_RANKINGS)

_ANNOTATORS = """
    with lines as (
        select corpus, annotation_set, sentence_id, count(distinct annotator) as n
        from raw.m2_edits
        group by all
    ),
    shared as (
        select distinct corpus, annotation_set
        from (
            select corpus, annotation_set, path
            from raw.m2_edits
            group by all
            having count(distinct annotator) > 1
        )
    ),
    marked as (
        select distinct findings.corpus
        from raw.ingest_findings as findings
        inner join raw.files as files
            on findings.corpus = files.corpus and findings.path = files.path
        where findings.kind = 'not_annotated' and files.role = 'annotations'
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
        bool_or(shared.corpus is not null),
        bool_or(marked.corpus is not null)
    from sets
    inner join raw.corpora as corpora using (corpus)
    left join lines using (corpus, annotation_set)
    left join shared using (corpus, annotation_set)
    left join marked using (corpus)
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
    """Return a line for each set that is silent somewhere, and each output in another form.

    Of all corpora if none is named.
    """
    key = {"corpus": corpus}
    said = []
    rows = connection.execute(_ANNOTATORS, key).fetchall()
    for name, annotation_set, absent, annotators, some, nobody, share_file, is_marked in rows:
        told = "set in the manifest" if absent else "the manifest does not set absent"
        if is_marked and absent == "not_asked":
            told = "marked by lines of type NA"
        where = f"{name}, annotations {annotation_set} ({_count(annotators, 'annotator')})"
        if some:
            meaning = absent or ("not_asked" if share_file else "no_error")
            said.append(
                f"{where}: {_count(some, 'sentence')} without a line of some annotators, counted "
                f"as {meaning} ({told})"
            )
        if nobody:
            meaning = absent or "no_error"
            said.append(
                f"{where}: {_count(nobody, 'sentence')} without any line, counted as {meaning} "
                f"({told})"
            )
    for name, reference_set, empty, blank, files in connection.execute(_BLANK, key).fetchall():
        where = f"{name}, references {reference_set}"
        lines = f"{_count(blank, 'blank line')} in {_count(files, 'file')}"
        if empty is None:
            said.append(
                f"{where}: warning: {lines} read as deletion of the sentence; add to the manifest "
                "empty_references: none if there is no reference, else empty_references: deletion"
            )
        else:
            said.append(f"{where}: {lines}, counted as {empty} (set in the manifest)")
    for name, with_tabs, sentences in connection.execute(_TABS, key).fetchall():
        said.append(
            f"{name}: warning: {with_tabs:,} of {_count(sentences, 'sentence')} have tabs, which "
            "count as blanks; if they separate columns, add formats: {FILE: columns} to the "
            "manifest"
        )
    for name, system, blank in connection.execute(_BLANK_OUTPUTS, key).fetchall():
        said.append(
            f"{name}: warning: {_count(blank, 'output')} of {system} without text, counted as "
            "deletion of the sentence"
        )
    rows = connection.execute(_WARNINGS, {**key, "kinds": WARNINGS}).fetchall()
    for name, path, line, kind, detail in rows:
        place = f"{path}:{line}" if line else path
        said.append(f"{name}: warning: {place}: {kind.replace('_', ' ')}: {detail}")
    return [
        *said,
        *judged_warnings(connection, corpus),
        *forms_that_differ(connection, corpus),
    ]


def _count(number: int, what: str) -> str:
    return f"{number:,} {what}{'' if number == 1 else 's'}"
