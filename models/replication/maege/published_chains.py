"""The published run: chains and sources of the published run, from its own generators."""

from itertools import groupby
from operator import itemgetter
from typing import Any

from maege.analysis.papers.maege_run import AnnotatedSentence, published_chains
from maege.analysis.stored.rows import rows_to_table, table_schema

SCHEMA = table_schema(
    "annotation_id bigint, chain_number integer, permutation integer[], source_position bigint"
)


def model(dbt: Any, session: Any) -> Any:  # noqa: ARG001 (dbt's signature)
    rows = (
        dbt.ref("lattice_annotations")
        .filter("is_published_run and is_sampled")
        .select("corpus, sentence_id, annotator, annotation_id, n_edits, is_in_lattice")
        .order("corpus, sentence_id, try_cast(annotator as integer), annotator")
        .fetchall()
    )
    chains = []
    for _, corpus_rows in groupby(rows, key=itemgetter(0)):
        annotation_ids = {}
        sentences = []
        for sentence_id, sentence_rows in groupby(corpus_rows, key=itemgetter(1)):
            n_edits = {}
            has_others = False
            for _, _, annotator, annotation_id, n, is_in_lattice in sentence_rows:
                annotation_ids[sentence_id, annotator] = annotation_id
                n_edits[annotator] = n
                # No lattice of this run is of a sentence that one annotator corrected.
                has_others |= is_in_lattice
            sentences.append(AnnotatedSentence(sentence_id, n_edits, has_others=has_others))
        for chain in published_chains(sentences):
            annotation_id = annotation_ids[chain.sentence_id, chain.annotator]
            chains.append((annotation_id, 0, chain.permutation, chain.source_position))
    return rows_to_table(chains, SCHEMA)
