"""How a weighted sum of reference-less scores correlates with judges, over a grid of weights.

The paper's oracle row (Asano et al. 2017, Table 1) is the best point of such a surface. The score
of a system is the mean over sentences, so that the score of every weighted sum is the weighted sum
of the components' scores.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from typing import Any

import numpy as np

from maege.analysis.metrics.families.base import FloatArray
from maege.analysis.metrics.referenceless.weighted import PUBLISHED
from maege.analysis.metrics.scores.score import SystemScores
from maege.analysis.rankings.correlations import COEFFICIENTS, Draws
from maege.analysis.rankings.judged import Flags, HumanScores, ScoredSet, of_systems
from maege.analysis.rankings.scores import CorpusScores
from maege.analysis.sample_weights import SampleWeights
from maege.analysis.statistics.correlations import COEFFICIENTS as CORRELATE
from maege.analysis.statistics.randomisation import system_correlations
from maege.analysis.statistics.resampling import too_few

STEPS = 20

Weights = tuple[float, ...]
# By the component's name.
Components = Mapping[str, tuple[ScoredSet, SystemScores]]


def weight_grid(components: Sequence[str], steps: int = STEPS) -> list[Weights]:
    """Return the weights of all components of PUBLISHED, in its order: each 0 for one that is left.

    They are at least 0 and make 1, in steps of 1 / `steps`; the published ones follow where all
    components are there.
    """
    counts = (range(steps + 1) if name in components else (0,) for name in PUBLISHED)
    points = [tuple(n / steps for n in point) for point in product(*counts) if sum(point) == steps]
    published = tuple(PUBLISHED.values())
    if set(PUBLISHED) <= set(components) and published not in points:
        points.append(published)
    return points


def component_scores(
    scored: Sequence[ScoredSet], sentences: Flags, weights: SampleWeights
) -> Components:
    """Return the scores of systems by every component, over what all of them score of sentences.

    Args:
        scored: the sentence scores of one corpus, of these and other metrics.
        sentences: which of the corpus: those that were judged.
        weights: how often each sample draws each sentence, shape (samples, sentences).

    """
    # They stand beside every reference set, and are the same beside each.
    found = {one.metric: one for one in scored if one.metric in PUBLISHED}
    if not found:
        return {}
    everywhere = np.logical_and.reduce([sentences, *(one.is_scored() for one in found.values())])
    scores = CorpusScores("", {}, weights, "expected")
    return {name: (one, scores.of(one, everywhere)) for name, one in found.items()}


def surface_rows(
    human: HumanScores, components: Components, n_sentences: int, draws: Draws
) -> Iterator[dict[str, Any]]:
    """Yield a row for each point of the grid; none where a component lacks a system.

    Args:
        human: the scores of a choice of systems.
        components: what `component_scores` returned.
        n_sentences: over how many sentences.
        draws: of intervals.

    """
    names = [name for name in PUBLISHED if name in components]
    if not names or len(human.systems) < 2:
        return
    points = []
    for name in names:
        scored, of_component = components[name]
        places = of_systems(scored, human.systems)
        if places is None:
            return
        points.append(of_component.score[places])
    grid = weight_grid(names)
    used = [place for place, name in enumerate(PUBLISHED) if name in components]
    weights = np.array(grid)[:, used]
    # Rounded, because sums that are equal on paper would differ in the last bit, and rank.
    sums = np.round(np.tensordot(weights, np.stack(points), axes=1), 12)
    found = {name: correlate(sums, human.scores) for name, correlate in CORRELATE.items()}
    missing = too_few(systems=len(human.systems), sentences=n_sentences)
    intervals = {
        name: system_correlations(sums, human.scores, name, draws.seed, draws.level)
        for name in found
        if not missing
    }
    best = {name: _best(coefficients) for name, coefficients in found.items()}
    for place, point in enumerate(grid):
        row: dict[str, Any] = {
            "method": human.method,
            "system_set": human.system_set,
            **{f"{name}_weight": weight for name, weight in zip(PUBLISHED, point, strict=True)},
            "n_systems": len(human.systems),
            "n_sentences": n_sentences,
            "is_published": point == tuple(PUBLISHED.values()),
            "too_few": missing,
        }
        for name, column in COEFFICIENTS.items():
            row[column] = found[name][place]
            row[f"is_best_{name}"] = place == best[name]
        for name, interval in intervals.items():
            if interval.low[place] < interval.high[place]:
                row[f"{name}_ci_low"] = interval.low[place]
                row[f"{name}_ci_high"] = interval.high[place]
        yield row


def _best(coefficients: FloatArray) -> int | None:
    """Return where the largest stands, the first of equal ones; None where there is none."""
    if np.isnan(coefficients).all():
        return None
    return int(np.nanargmax(coefficients))
