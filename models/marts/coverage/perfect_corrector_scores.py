"""Scores of a perfect corrector, from crowds' corrections and from the released corpora."""

from collections import defaultdict
from collections.abc import Iterator
from itertools import groupby
from operator import itemgetter
from typing import Any

from maege.analysis.edits import Edit
from maege.analysis.stored.perfect_corrector import (
    PERFECT,
    DrawnSentence,
    crowds,
    perfect_rows,
    published_scores,
    reference_rows,
)
from maege.analysis.stored.rows import contract_schema, rows_to_table

RELEASED = "lcb_perfect_"
# The fewest references per text that can replace a crowd, in corpora without annotations.
FEWEST = 5
OF_RELEASED = f"starts_with(corpus, '{RELEASED}')"


def model(dbt: Any, session: Any) -> Any:
    level = dbt.settings.confidence_level
    seed = dbt.settings.seed
    crowd = dbt.ref("crowd_texts")  # noqa: F841 (read by name in the query)
    requests = dbt.ref("edit_requests").filter("kind = 'crowd'")  # noqa: F841
    edits = dbt.ref("text_edits")  # noqa: F841
    answers = session.sql(
        "select crowd.*, annotation from crowd "
        "left join requests on requests.corpus = crowd.corpus "
        "and requests.sentence_id = crowd.sentence_id and requests.target_text = crowd.text "
        "left join edits using (extractor_key, source_text_id, target_text_id) "
        "order by crowd.corpus, crowd.sentence_id, text"
    ).fetchall()
    rows: list[tuple[Any, ...]] = []
    for corpus, sentences in sorted(crowds(answers).items()):
        rows += perfect_rows(corpus, sentences, level, seed)
    texts = dbt.ref("listed_references")  # noqa: F841
    sets = dbt.source("raw", "reference_sets")  # noqa: F841
    originals = dbt.ref("usable_sentences")  # noqa: F841
    listed = session.sql(
        "select texts.corpus, texts.reference_set, texts.sentence_id, "
        "array_to_string(tokens, ' '), texts.text, "
        "count(*)::integer from texts "
        "inner join sets using (corpus, reference_set) "
        "anti join (from sets where annotation_set is not null) as annotated "
        "on sets.corpus = annotated.corpus "
        "inner join originals on texts.corpus = originals.corpus "
        "and texts.sentence_id = originals.sentence_id group by all order by all"
    ).fetchall()
    for (corpus, reference_set), group in groupby(listed, key=itemgetter(0, 1)):
        (sentences,) = crowds((row[0], *row[2:]) for row in group).values()
        if min(sum(sentence.counts) for sentence in sentences) >= FEWEST:
            rows += reference_rows(corpus, reference_set, sentences, level, seed)
    for corpus, drawn_sentences in _released(dbt) if dbt.settings.replication else ():
        n_references = int(corpus.removeprefix(RELEASED))
        for metric, interval in published_scores(drawn_sentences, level, seed).items():
            key = (corpus, None, metric, PERFECT, n_references)
            rows.append((*key, *interval, False))
    return rows_to_table(rows, contract_schema(dbt))


def _released(dbt: Any) -> Iterator[tuple[str, list[DrawnSentence]]]:
    """Yield the ingested released corpora; every annotator has a line, even if only a no-op."""
    annotations: dict[tuple[str, int], dict[int, list[Edit]]] = defaultdict(dict)
    edits = (
        dbt.ref("usable_edits")
        .filter(OF_RELEASED)
        .order("corpus, sentence_id, line")
        .select(
            "corpus, sentence_id, annotator, kind, start_token, end_token, error_type, correction"
        )
        .fetchall()
    )
    for corpus, sentence_id, annotator, kind, start, end, error_type, correction in edits:
        annotator_edits = annotations[corpus, sentence_id].setdefault(int(annotator), [])
        if kind != "none":
            annotator_edits.append(Edit(start, end, error_type, (correction,)))
    sentences = dbt.ref("usable_sentences").filter(OF_RELEASED).set_alias("sentences")
    outputs = dbt.ref("usable_outputs").filter(OF_RELEASED).set_alias("outputs")
    pairs = (
        sentences.join(
            outputs,
            "sentences.corpus = outputs.corpus and sentences.sentence_id = outputs.sentence_id",
        )
        .select(
            "sentences.corpus, sentences.sentence_id, "
            "array_to_string(tokens, ' ') as source, outputs.text"
        )
        .order("corpus, sentence_id")
        .fetchall()
    )
    sentences_by_corpus: dict[str, list[DrawnSentence]] = defaultdict(list)
    for corpus, sentence_id, source, output in pairs:
        sentence_annotations = annotations[corpus, sentence_id]
        listed = tuple(tuple(sentence_annotations[key]) for key in sorted(sentence_annotations))
        sentences_by_corpus[corpus].append(DrawnSentence(source, listed, output))
    yield from sorted(sentences_by_corpus.items())
