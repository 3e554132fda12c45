"""The check of texts on raw tables: corpora that a metric is tried on, and judged outputs."""

from collections import defaultdict
from collections.abc import Iterator

import duckdb

from maege.ingest.text_checks import (
    Suspicion,
    Texts,
    check_texts,
    is_tokenised_differently,
)

# Enough sentences to see how a file is written.
MOST_SENTENCES = 2_000
# A judgment set whose texts metrics read as they are.
BLANKS = "blanks"

_SENTENCES = """
    select text from raw.sentences
    where corpus = $corpus and sentence_id < $most
    order by sentence_id
"""
_TEXTS = """
    select 'reference ' || reference as name, sentence_id, text
    from raw."references"
    where corpus = $corpus and sentence_id < $most
    union all
    select 'output of ' || system as name, sentence_id, text
    from raw.outputs
    where corpus = $corpus and sentence_id < $most
    order by name, sentence_id
"""
_JUDGED_SETS = """
    select distinct judgment_set, language
    from raw.judgment_tasks
    where tokens = $tokens and ($corpus is null or judgment_set = $corpus)
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
            select judgment_set from raw.judgment_tasks where tokens = $tokens
        )
        and ($corpus is null or $corpus in (items.judgment_set, items.linked_corpus))
    group by all
"""


def suspicions_of_corpus(connection: duckdb.DuckDBPyConnection, corpus: str) -> list[Suspicion]:
    """Return what looks wrong with the texts of a corpus and was not accepted at ingest."""
    key = {"corpus": corpus, "most": MOST_SENTENCES}
    sources = [text for (text,) in connection.execute(_SENTENCES, key).fetchall()]
    columns: defaultdict[str, list[str | None]] = defaultdict(lambda: [None] * len(sources))
    for name, place, text in connection.execute(_TEXTS, key).fetchall():
        columns[f"{corpus}, {name}"][place] = text
    described = connection.execute(
        "select coalesce(language, 'en') from raw.corpora where corpus = $corpus",
        {"corpus": corpus},
    ).fetchall()
    accepted = connection.execute(
        "select distinct kind from raw.ingest_findings where corpus = $corpus", {"corpus": corpus}
    ).fetchall()
    return check_texts(
        Texts(f"{corpus}, sentences", sources),
        [Texts(name, texts) for name, texts in columns.items()],
        described[0][0] if described else None,
        allowed=[kind for (kind,) in accepted],
    )


def judged_warnings(
    connection: duckdb.DuckDBPyConnection, corpus: str | None = None
) -> Iterator[str]:
    """Yield a line for each judgment set with suspicious texts or with other tokens than a corpus.

    Of one judgment set, of all that are linked with one corpus, or of all.
    """
    key = {"corpus": corpus, "tokens": BLANKS}
    for name, language in connection.execute(_JUDGED_SETS, key).fetchall():
        rows = connection.execute(_JUDGED_TEXTS, {"corpus": name}).fetchall()
        suspicions = check_texts(
            Texts("sources", [source for source, _ in rows]),
            [Texts("outputs", [text for _, text in rows])],
            language,
            is_aligned=False,
        )
        for one in suspicions:
            remedy = one.remedy.format(language="language: TAG in the manifest")
            if one.check == "untokenised":
                remedy = "tokens: words, contractions or 13a in the manifest splits all texts"
            yield f"{name}: warning: {one.shown}: {one.found}. {remedy}"
    n_items: defaultdict[tuple[str, str], int] = defaultdict(int)
    n_different: defaultdict[tuple[str, str], int] = defaultdict(int)
    for name, linked, _, texts, known in connection.execute(_LINKED, key).fetchall():
        if known:
            n_items[name, linked] += 1
            n_different[name, linked] += any(
                is_tokenised_differently(text, known) for text in texts or ()
            )
    for (name, linked), number in sorted(n_different.items()):
        if number:
            yield (
                f"{name}: warning: the texts of {number:,} of {n_items[name, linked]:,} items are "
                f"tokenised differently from the sentences and references of {linked}, which "
                "lowers the scores; tokens: words in the manifest splits all texts alike"
            )
