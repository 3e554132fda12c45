"""M2 of the published chains as the published run had it: against the edits of all chains at once.

The M2 files that the run generated have no empty lines between sentences, and the scorer takes what
stands between empty lines for one paragraph (analysis/papers/m2_pooled.py). One file holds the
sources of all chains in order.
"""

from functools import cache
from itertools import groupby
from operator import itemgetter
from typing import Any

from maege.analysis.edits import parse_annotation
from maege.analysis.papers.m2_pooled import pooled_gold, pooled_scores
from maege.analysis.papers.maege_run import ANNOTATOR_ORDER
from maege.analysis.stored.rows import rows_to_table, table_schema

SCHEMA = table_schema(
    "corpus varchar, experiment varchar, chain_id bigint, position bigint, score double"
)


def model(dbt: Any, session: Any) -> Any:
    pairs = dbt.ref("scored_units").filter("used_in = 'chain'")  # noqa: F841 (read by name)
    chains = dbt.ref("lattice_chains")  # noqa: F841
    inputs = dbt.ref("scoring_inputs")  # noqa: F841
    texts = dbt.ref("texts")  # noqa: F841
    gold_lists = dbt.ref("gold_lists")  # noqa: F841
    registry = dbt.ref("metric_registry")  # noqa: F841
    published = dbt.source("raw", "lattices").filter("is_published_run")  # noqa: F841
    places = ", ".join(f"'{annotator}'" for annotator in ANNOTATOR_ORDER)
    rows = session.sql(
        "select pairs.corpus, pairs.experiment, pairs.chain_id, pairs.position, "
        "sources.text, hypotheses.text, gold.annotations from pairs "
        "inner join chains using (chain_id) inner join inputs using (pair_id) "
        "inner join texts as sources on sources.text_id = inputs.source_text_id "
        "inner join texts as hypotheses on hypotheses.text_id = inputs.hypothesis_text_id "
        "inner join (select distinct gold_key, annotations from gold_lists) as gold "
        "on gold.gold_key = inputs.gold_key "
        "semi join published on pairs.corpus = published.corpus "
        "where exists (from registry where family = 'm2' and is_selected) "
        "order by pairs.corpus, pairs.experiment, pairs.sentence_id, "
        f"list_position([{places}], chains.annotator), pairs.chain_id, pairs.position"
    ).fetchall()
    table: list[tuple[Any, ...]] = []
    for key, experiment_rows in groupby(rows, key=itemgetter(0, 1)):
        table += [(*key, *row) for row in _scores(list(experiment_rows))]
    return rows_to_table(table, SCHEMA)


def _scores(rows: list[tuple[Any, ...]]) -> list[tuple[int, int, float]]:
    sources, annotations, sentences = [], [], []
    parse = cache(parse_annotation)
    previous = None
    for _, _, chain_id, _, source, _, gold in rows:
        if chain_id != previous:
            sources.append(source)
            annotations.append([parse(text or "") for text in gold])
            previous = chain_id
        sentences.append(len(sources) - 1)
    scores = pooled_scores(pooled_gold(sources, annotations), sentences, [row[5] for row in rows])
    return [(row[2], row[3], score) for row, score in zip(rows, scores.tolist(), strict=True)]
