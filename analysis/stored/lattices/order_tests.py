"""How metrics order pairs of texts: tests against chance, intervals and ranks.

The test against chance and the interval of the headline estimate come from random signs of source
sentences, so that they agree. Intervals of other coefficients and ranks come from a bootstrap over
source sentences.
"""

from collections.abc import Iterator, Set
from typing import Any

import numpy as np

from maege.analysis.metrics.own.declared import CHANCE
from maege.analysis.sample_weights import SampleWeights
from maege.analysis.statistics.judgments import ranking
from maege.analysis.statistics.lattice_correlations import tau_samples
from maege.analysis.statistics.randomisation import sign_tests
from maege.analysis.statistics.resampling import (
    Floats,
    cluster_weights,
    estimated_share,
    expanded_level,
    n_effective,
    percentile_intervals,
    too_few,
    with_width,
)
from maege.analysis.statistics.significance import q_values
from maege.analysis.stored.lattices.pair_counts import counts_by_sentence

FAMILY = ("corpus", "question", "experiment", "stratum")
RANKS = ("rank", "rank_low", "rank_high")
# The coefficients of `lattice_taus` after kendall_tau_a.
BOOTSTRAPPED = ("gamma", "tau_b", "macro")

Key = tuple[str, ...]
Row = dict[str, Any]


def order_tests(
    counts: Any,
    ranked: Set[Key],
    n_samples: int,
    n_signs: int,
    level: float,
    seed: int,
) -> Iterator[tuple[Key, Row]]:
    """Yield the key and the estimates of every metric in every family of tests.

    A key is the corpus, question, experiment, metric and stratum. The metrics of a family are
    tested together; metrics made by chance are not tested. The interval is that of kendall_tau_a if
    the question is `all_pairs`, else that of pairwise_accuracy. The interval of an accuracy of 0 or
    1 is Wilson's for the number of sentences.

    Args:
        counts: rows of the model `outcome_counts` in which no stratum is NULL.
        ranked: keys of the metrics that have a rank.
        n_samples: number of bootstrap samples.
        n_signs: number of choices of random signs.
        level: confidence level of the intervals.
        seed: of the signs and of the bootstrap samples.

    """
    for family, metrics, by_outcome in counts_by_sentence(counts, FAMILY):
        keys = [(*family[:3], metric, family[3]) for metric in metrics]
        concordant, discordant, _ = by_outcome
        pairs = by_outcome.sum(axis=0)
        tests = sign_tests(concordant - discordant, pairs, level, n_signs, seed)
        n_sentences = np.count_nonzero(pairs, axis=0)
        lacking = [
            too_few(sentences=int(n), pairs=int(n_pairs))
            for n, n_pairs in zip(n_sentences, pairs.sum(axis=0), strict=True)
        ]
        tested = [
            few is None and not metric.startswith(CHANCE)
            for few, metric in zip(lacking, metrics, strict=True)
        ]
        p_values = np.where(tested, tests.p_value, np.nan)
        rows: list[Row] = [
            {"too_few": few, "p_value": p, "q_value": q, "n_resamples": n_signs}
            for few, p, q in zip(lacking, p_values, q_values(p_values), strict=True)
        ]
        if family[FAMILY.index("question")] == "all_pairs":
            bounds: list[Any] = list(zip(tests.low, tests.high, strict=True))
            weights = cluster_weights(len(pairs), n_samples, seed)
            _add_bootstrap(rows, by_outcome, weights, level)
            is_ranked = np.array([key in ranked for key in keys])
            _add_ranks(rows, by_outcome, is_ranked, weights, level)
        else:
            bounds = [((1 + low) / 2, (1 + high) / 2) for low, high in zip(*tests[:2], strict=True)]
            accuracy = (1 + (concordant - discordant).sum(axis=0) / pairs.sum(axis=0)) / 2
            for column in np.flatnonzero((accuracy == 0) | (accuracy == 1)):
                n = int(n_sentences[column])
                _, *bounds[column] = estimated_share(accuracy[column] * n, n, level)
        for key, row, (low, high) in zip(keys, rows, bounds, strict=True):
            if row["too_few"] is None:
                row["ci_low"], row["ci_high"] = with_width(float(low), float(high))
            yield key, row


def _add_bootstrap(
    rows: list[Row], by_outcome: Floats, weights: SampleWeights, level: float
) -> None:
    pairs = by_outcome.sum(axis=0)
    samples = tau_samples(by_outcome, weights)[1:]
    for column, row in enumerate(rows):
        if row["too_few"] is None:
            for name, of_metric in zip(BOOTSTRAPPED, samples[:, :, column], strict=True):
                # Every sentence has the same weight.
                sizes = pairs[:, column]
                n = float(np.count_nonzero(sizes)) if name == "macro" else n_effective(sizes)
                low, high = percentile_intervals(of_metric[:, None], expanded_level(level, n))
                row[f"{name}_ci_low"], row[f"{name}_ci_high"] = with_width(
                    float(low[0]), float(high[0])
                )


def _add_ranks(
    rows: list[Row], by_outcome: Floats, is_ranked: Any, weights: SampleWeights, level: float
) -> None:
    """Add ranks, based on the sentences whose pairs all ranked metrics have scored.

    There are no ranks if these sentences or their pairs are too few.
    """
    comparable = by_outcome.sum(axis=0).max(axis=1)
    ranked = by_outcome[:, :, is_ranked]
    is_common = (ranked.sum(axis=0) == comparable[:, np.newaxis]).all(axis=1)
    n_common_pairs = int(comparable[is_common].sum())
    if not is_ranked.any() or too_few(sentences=int(is_common.sum()), pairs=n_common_pairs):
        return
    common = np.where(is_common[:, np.newaxis], ranked, 0.0)
    estimates = tau_samples(common, np.ones((1, len(is_common))))[0, 0]
    ranks = ranking(tau_samples(common, weights)[0], estimates, level)
    for place, column in enumerate(np.flatnonzero(is_ranked)):
        rows[column] |= {"n_ranked": ranked.shape[2], "n_common_pairs": n_common_pairs}
        rows[column] |= {name: int(getattr(ranks, name)[place]) for name in RANKS}
