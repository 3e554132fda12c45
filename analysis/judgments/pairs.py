"""Metrics against pairwise preferences: pairs and scores of outputs as rankings have them.

Of an item each output is at a place of its own, which stands where a ranking has a system.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from maege.analysis.rankings.agreement import agreement_rows
from maege.analysis.rankings.judged import Judged, ScoredSet
from maege.analysis.statistics.resampling import cluster_weights


class Preference(NamedTuple):
    """What a judge said of two outputs of an item: 1 where the first is better, -1, or 0."""

    judge: str
    item: str
    first: int
    second: int
    preference: int


def preference_rows(
    preferences: Sequence[Preference],
    scores: Mapping[tuple[str, str], Mapping[tuple[str, int], float]],
    n_samples: int,
    level: float,
    seed: int,
) -> Iterator[dict[str, Any]]:
    """Yield a row for each metric and tie rule, as `agreement_rows`; items are drawn.

    Args:
        preferences: of one task and aspect.
        scores: by reference set and metric, and by item and output; larger is better.
        n_samples: how often items are drawn.
        level: the share of samples between bounds.
        seed: of the draws, and of random metrics.

    """
    items = {item: place for place, item in enumerate(dict.fromkeys(p.item for p in preferences))}
    judges = sorted({one.judge for one in preferences})
    n_outputs = 1 + max(max(one.first, one.second) for one in preferences)
    places = [f"{place:04}" for place in range(n_outputs)]
    judged = Judged(
        "",
        "",
        places,
        np.array([items[one.item] for one in preferences], np.int64),
        np.array([one.first for one in preferences], np.int64),
        np.array([one.second for one in preferences], np.int64),
        np.array([one.preference for one in preferences], np.int64),
        np.array([one.first == one.second for one in preferences]),
        np.array([judges.index(one.judge) for one in preferences], np.int64),
        np.arange(len(preferences)),
    )
    scored = []
    for (reference_set, metric), by_output in scores.items():
        of_places = np.full((n_outputs, len(items)), np.nan)
        for (item, output), score in by_output.items():
            if item in items and output < n_outputs:
                of_places[output, items[item]] = score
        scored.append(ScoredSet(reference_set, metric, places, of_places))
    weights = cluster_weights(len(items), n_samples, seed)
    yield from agreement_rows(judged, scored, weights, level, seed, units=("outputs",))
