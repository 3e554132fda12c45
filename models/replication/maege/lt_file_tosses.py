"""The published run's LanguageTool numbers in every toss of whose result a file held."""

from collections.abc import Iterator
from itertools import groupby
from operator import itemgetter
from typing import Any

import numpy as np

from maege.analysis.metrics.families import FloatArray
from maege.analysis.papers.maege_run import corpus_means, mean_deltas, published_taus, tossed_scores
from maege.analysis.statistics.correlations import (
    correlation_p_values,
    pearson_of_rows,
    spearman_of_rows,
)
from maege.analysis.stored.rows import rows_to_table, table_schema

# A statistic is corpus_rho, sentence_r or kendall_tau, each with _p, or mean_delta, which alone has
# an error type. `draw` is that of the sampled corpora, NULL for chains, which have one draw.
SCHEMA = table_schema(
    "corpus varchar, statistic varchar, error_type varchar, draw integer, toss integer, "
    "value double"
)
Row = tuple[Any, ...]
# Statistic, error type, draw, and the value in each toss.
Tossed = tuple[str, str | None, int | None, FloatArray]


def model(dbt: Any, session: Any) -> Any:
    positions = dbt.ref("chain_nodes")  # noqa: F841 (read by name in the queries)
    sampled = dbt.ref("sampled_corpora")  # noqa: F841
    texts = dbt.ref("node_texts")  # noqa: F841
    checked = dbt.ref("grammar_scores")  # noqa: F841
    published = dbt.source("raw", "lattices").filter("is_published_run")  # noqa: F841
    chain_rows = session.sql(
        "select positions.corpus, positions.position, positions.error_type, gold_characters, "
        "texts.text, checked.errors "
        "from positions inner join texts on positions.node_id = texts.node_id "
        "inner join checked on texts.text_id = checked.text_id "
        "semi join published on positions.corpus = published.corpus "
        "where checked.metric = 'lt_maege2018' "
        # A chain of which LanguageTool could not check every text is left out.
        "qualify bool_and(checked.error is null) over (partition by positions.chain_id) "
        "order by positions.corpus, positions.sentence_id, positions.chain_id, positions.position"
    ).fetchall()
    corpus_rows = session.sql(
        "select sampled.corpus, sampled.draw, sampled.expected_edits, texts.text, checked.errors "
        "from sampled inner join texts on sampled.node_id = texts.node_id "
        "inner join checked on texts.text_id = checked.text_id "
        "semi join published on sampled.corpus = published.corpus "
        "where checked.metric = 'lt_maege2018' "
        # Of later draws LanguageTool has seen only what they share with these.
        f"and checked.error is null and sampled.draw < {dbt.settings.edit_metric_draws} "
        "order by sampled.corpus, sampled.draw, sampled.expected_edits, sampled.sentence_id"
    ).fetchall()
    tossed = [
        (corpus, *key, toss, value)
        for rows, statistics in ((chain_rows, _chain_statistics), (corpus_rows, _corpus_statistics))
        for corpus, group_rows in groupby(rows, key=itemgetter(0))
        for *key, values in statistics(
            list(group_rows), dbt.settings.lt_file_tosses, dbt.settings.seed
        )
        for toss, value in enumerate(values.tolist())
    ]
    return rows_to_table(tossed, SCHEMA)


def _chain_statistics(rows: list[Row], tosses: int, seed: int) -> Iterator[Tossed]:
    _, positions, error_types, gold, texts, errors = zip(*rows, strict=True)
    scores = tossed_scores(texts, errors, tosses, seed)
    origins = np.arange(len(rows)) - np.array(positions)
    r, tau = pearson_of_rows(scores, gold), published_taus(scores, origins)
    yield "sentence_r", None, None, r
    yield "sentence_r_p", None, None, correlation_p_values(r, len(gold))
    yield "kendall_tau", None, None, tau.coefficient
    yield "kendall_tau_p", None, None, tau.p
    for error_type, deltas in mean_deltas(scores, origins, error_types).items():
        yield "mean_delta", error_type, None, deltas


def _corpus_statistics(rows: list[Row], tosses: int, seed: int) -> Iterator[Tossed]:
    for draw, draw_rows in groupby(rows, key=itemgetter(1)):
        *_, models, texts, errors = zip(*draw_rows, strict=True)
        means = corpus_means(tossed_scores(texts, errors, tosses, seed), models)
        distinct_models = np.unique(models)
        rho = spearman_of_rows(means, distinct_models)
        yield "corpus_rho", None, draw, rho
        yield "corpus_rho_p", None, draw, correlation_p_values(rho, len(distinct_models))
