"""Shares of pairs in which a metric prefers the better text: intervals and tests of one half.

Both come from random signs of source sentences, so that they agree.
"""

from collections.abc import Iterator
from typing import Any

import numpy as np
import scipy

from maege.analysis.metrics.own.declared import CHANCE
from maege.analysis.statistics.samples.least_samples import too_few, with_width
from maege.analysis.statistics.significance.multiple_tests import q_values
from maege.analysis.statistics.significance.random_signs import sign_tests
from maege.analysis.stored.lattices.pair_counts import counts_by_sentence


def agreement_tests(counts: Any, n_signs: int, level: float, seed: int) -> Iterator[dict[str, Any]]:  # noqa: ANN401
    """Yield one row per corpus, mode, error type (NULL for all types together) and metric.

    A tie counts as half. The interval of a share of 0 or 1 is Wilson's of as many sentences. The
    metrics of a corpus, mode and error type are a family of tests; kinds of chance are not tested.

    Args:
        counts: rows of one question of the model `outcome_counts`, whose strata are error types.
        n_signs: how often all sentences draw a sign.
        level: confidence level of the intervals.
        seed: of the signs.

    """
    columns = "corpus, mode, metric, sentence_id, n_concordant, n_discordant, n_tied"
    typed = counts.select(f"{columns}, coalesce(stratum, '') as error_type")
    keys = ("corpus", "mode", "error_type")
    for (corpus, mode, error_type), metrics, by_outcome in counts_by_sentence(typed, keys):
        concordant, discordant, _ = by_outcome
        pairs = by_outcome.sum(axis=0)
        tests = sign_tests(concordant - discordant, pairs, level, n_signs, seed)
        n_sentences = np.count_nonzero(pairs, axis=0)
        lacking = [
            too_few(sentences=int(n), pairs=int(pairs[:, column].sum()))
            for column, n in enumerate(n_sentences)
        ]
        tested = [
            few is None and not metric.startswith(CHANCE)
            for few, metric in zip(lacking, metrics, strict=True)
        ]
        p_values = np.where(tested, tests.p_value, np.nan)
        q = q_values(p_values)
        tau = (concordant - discordant).sum(axis=0) / pairs.sum(axis=0)
        for column, metric in enumerate(metrics):
            row = {
                "corpus": corpus,
                "mode": mode,
                "metric": metric,
                "error_type": error_type or None,
                "too_few": lacking[column],
                "chance_p_value": p_values[column],
                "chance_q_value": q[column],
                "n_resamples": n_signs,
            }
            if lacking[column] is None:
                low, high = (1 + tests.low[column]) / 2, (1 + tests.high[column]) / 2
                row["ci_low"], row["ci_high"] = (
                    with_width(float(low), float(high))
                    if abs(tau[column]) < 1
                    else _wilson((1 + tau[column]) / 2, int(n_sentences[column]), level)
                )
            yield row


def _wilson(share: float, n: int, level: float) -> tuple[float, float]:
    interval = scipy.stats.binomtest(round(share * n), n).proportion_ci(level, method="wilson")
    return interval.low, interval.high
