"""How well each metric ranks the sampled corpora of one draw by their expected edits.

`is_redrawn`: each sentence of the draw is resampled from the draws that the metric has scored.
"""

from collections.abc import Iterator
from itertools import chain, groupby
from operator import itemgetter
from typing import Any

import numpy as np
from numpy.typing import NDArray

from maege.analysis.statistics.correlations import pearson_of_rows, spearman_of_rows
from maege.analysis.statistics.lattice_correlations import further_draws, redrawn_means
from maege.analysis.stored.rows import contract_schema, rows_to_table, stored_groups

KEYS = ("corpus", "experiment", "metric")

Rows = list[tuple[Any, ...]]


def model(dbt: Any, session: Any) -> Any:
    n_draws = dbt.settings.corpus_draws
    rows = (
        dbt.ref("sampled_corpus_scores")
        .select("corpus, experiment, metric, draw, expected_edits, mean_score")
        .order("corpus, experiment, metric, draw, expected_edits")
        .fetchall()
    )
    parts = [_correlations(list(draw_rows)) for _, draw_rows in groupby(rows, key=itemgetter(0))]
    registry = dbt.ref("metric_registry").filter(f"1 < n_draws and n_draws < {n_draws}")
    metric_draws = registry.select("metric, n_draws").distinct()
    scores = _sentence_scores(dbt, session, metric_draws)
    parts += _redrawn(scores, dict(metric_draws.fetchall()), n_draws, dbt.settings.seed)
    return rows_to_table(chain.from_iterable(parts), contract_schema(dbt))


def _sentence_scores(dbt: Any, session: Any, metric_draws: Any) -> Any:  # noqa: ARG001 (read in the query)
    units = dbt.ref("scored_units").filter("used_in = 'sampled_corpus'")  # noqa: F841
    scores = dbt.ref("scores_and_chance")  # noqa: F841
    published = dbt.source("raw", "lattices").filter("is_published_run")  # noqa: F841
    return session.sql(
        "select units.corpus, units.experiment, metric, units.sentence_id, units.draw, "
        "units.expected_edits, scores.direction * if("
        "units.corpus in (select corpus from published), published_score, score) as score "
        "from units inner join scores using (pair_id) inner join metric_draws using (metric) "
        "where units.draw < metric_draws.n_draws "
        "and units.draw < (select max(n_draws) from metric_draws)"
    )


def _correlations(rows: list[tuple[Any, ...]]) -> Rows:
    keys, gold, scores = [], [], []
    for key, draw_rows in groupby(rows, key=itemgetter(0, 1, 2, 3)):
        *_, expected_edits, mean_scores = zip(*draw_rows, strict=True)
        keys.append((*key, False))
        gold.append(expected_edits)
        scores.append(mean_scores)
    return _rows(keys, np.array(scores), np.array(gold[0]))


def _redrawn(
    relation: Any, n_scored_draws: dict[str, int], n_draws: int, seed: int
) -> Iterator[Rows]:
    """Yield each metric's resampled draws; metrics with equally many scored draws share them."""
    columns = ("sentence_id, draw, expected_edits, score", "sentence_id")
    for key, rows in stored_groups(relation, KEYS, *columns):
        n_scored = n_scored_draws[key[2]]
        sentences, sentence = np.unique(rows["sentence_id"].to_numpy(), return_inverse=True)
        gold, corpus = np.unique(rows["expected_edits"].to_numpy(), return_inverse=True)
        scores = np.full((len(sentences), n_scored, len(gold)), np.nan)
        scores[sentence, rows["draw"].to_numpy(), corpus] = rows["score"].to_numpy()
        draws = further_draws(len(sentences), n_scored, n_draws, seed)
        if not np.isnan(scores).any(axis=(1, 2)).all():
            keys = [(*key, draw, True) for draw in range(n_scored, n_draws)]
            yield _rows(keys, redrawn_means(scores, draws), gold)


def _rows(
    keys: list[tuple[Any, ...]], scores: NDArray[np.float64], gold: NDArray[np.float64]
) -> Rows:
    correlations = spearman_of_rows(scores, gold), pearson_of_rows(scores, gold)
    columns = [*zip(*keys, strict=True), [len(gold)] * len(keys), *correlations]
    return list(zip(*columns, strict=True))
