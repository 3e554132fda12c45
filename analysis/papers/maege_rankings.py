"""The MAEGE paper's own correlation of metrics with human rankings (its Table 1 and Figure 4).

Choshen and Abend 2018, section 6.1, as in their release: texts are normalised and scored sentence
by sentence against eleven references. A metric ranks the outputs of each sentence, and these ranks
go through the same TrueSkill as the judges'. The two orders of the systems are correlated. The
published numbers are from one unseeded run on either side. Here the run is repeated.
"""

import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
from scipy.stats import rankdata
from scipy.stats import t as student

from maege.analysis.metrics.families.base import FloatArray, GoldGroup
from maege.analysis.metrics.families.slices import RequestGroup
from maege.analysis.metrics.m2.family import BETA, M2
from maege.analysis.metrics.registry import METRICS, TEXT_FAMILIES
from maege.analysis.metrics.scores.formula import f_of_sums
from maege.analysis.papers.numbers import BandedNumber
from maege.analysis.rankings.judged import Judged
from maege.analysis.statistics.correlations import pearson_of_rows
from maege.analysis.statistics.judgments import JudgmentCounts, judgment_counts
from maege.analysis.statistics.trueskill import trueskill_runs

# The metrics of the paper that read only texts.
TEXT_METRICS = ("gleu", "ibleu", "bleu", "sari", "max_sari", "min_ld", "ld")
SOURCE = "INPUT"
# The name of a judgment set in the table's columns, and the set behind the numbers.
SETS = {"combined": "combined", "gjg15": "nspt15", "nspt15": "gjg15"}
_THREADS = 2


class Draws(NamedTuple):
    """A number (rho or its p) over all runs: the mean, and the range of 95 % of them."""

    mean: float
    low: float
    high: float


def normalised(text: str) -> str:
    """Return the text as the release compares it: only letters and digits, as one sentence."""
    words = re.sub(r"\W+", " ", text).strip()
    # Single letters are joined: "U . S ." equals "US".
    joined = re.sub(r"(?<=\b\w) (?=\w\b)", "", words).lower().strip()
    return joined[:1].upper() + joined[1:] + "."


def metric_sentence_scores(
    outputs: Mapping[str, Sequence[str]], references: Sequence[Sequence[str]]
) -> dict[str, FloatArray]:
    """Return every text metric's scores of normalised outputs, shape (systems, sentences).

    Args:
        outputs: sentences of each system, including SOURCE.
        references: for each reference its sentences.

    """
    systems = list(outputs)
    texts = {name: [normalised(text) for text in outputs[name]] for name in systems}
    listed = [tuple(map(normalised, of_sentence)) for of_sentence in zip(*references, strict=True)]
    groups = []
    for sentence, of_sentence in enumerate(listed):
        hypotheses = tuple(dict.fromkeys(texts[name][sentence] for name in systems))
        places = [hypotheses.index(texts[name][sentence]) for name in systems]
        groups.append(
            RequestGroup(
                of_sentence,
                (texts[SOURCE][sentence],),
                hypotheses,
                np.zeros(len(systems), np.intp),
                np.array(places, np.intp),
            )
        )
    families = {name for metric in TEXT_METRICS for name in METRICS[metric].families}
    statistics = {
        name: np.concatenate(TEXT_FAMILIES[name].compute_batch(groups)) for name in families
    }
    return {
        metric: METRICS[metric]
        .score.sentence_scores(statistics)
        .reshape(len(listed), len(systems))
        .T
        for metric in TEXT_METRICS
    }


def m2_sentence_scores(
    outputs: Mapping[str, Sequence[str]], gold: Sequence[Sequence[str | None]]
) -> FloatArray:
    """Return the best annotator's F0.5 of every output, shape (systems, sentences).

    Args:
        outputs: sentences of each system, including SOURCE.
        gold: for each sentence its annotations, as text.

    """
    groups = [
        GoldGroup(source, tuple(annotations), tuple(outputs[name][place] for name in outputs))
        for place, (source, annotations) in enumerate(zip(outputs[SOURCE], gold, strict=True))
    ]
    counts = M2().compute_gold(groups)
    return np.stack(
        [
            np.nanmax(np.where(np.isnan(c[..., 0]), np.nan, f_of_sums(c[..., :3], BETA)), axis=1)
            for c in counts
        ],
        axis=1,
    )


def ranking_counts(scores: FloatArray) -> JudgmentCounts:
    """Return the outcomes of a metric that ranks all outputs of every sentence.

    Args:
        scores: shape (systems, sentences); larger is better.

    """
    first, second = np.triu_indices(len(scores), 1)
    preference = np.sign(scores[first] - scores[second]).astype(np.int64)
    repeated = [np.repeat(side, scores.shape[1]) for side in (first, second)]
    return judgment_counts(repeated[0], repeated[1], preference.ravel(), len(scores))


def judged_orders(human: JudgmentCounts, runs: int, seed: int) -> FloatArray:
    """Return the systems' ranks by the judges, run by run: shape (runs, systems)."""
    return _orders(human, runs, seed)


def correlation_draws(judged: FloatArray, metric: JudgmentCounts, runs: int, seed: int) -> Draws:
    """Return rho of the judges' order of systems and the metric's, for each run.

    Args:
        judged: result of `judged_orders` for the same number of runs.
        metric: result of `ranking_counts`.
        runs: number of runs.
        seed: seed of the metric's runs, which differ from the judges'.

    """
    rho = pearson_of_rows(judged, _orders(metric, runs, seed + 1))
    low, high = np.quantile(rho, [0.025, 0.975])
    return Draws(float(rho.mean()), float(low), float(high))


def _orders(counts: JudgmentCounts, runs: int, seed: int) -> FloatArray:
    ranks: FloatArray = rankdata(-trueskill_runs(counts, runs, seed, _THREADS), axis=1)
    return ranks


def ranking_draws(
    judged: Mapping[str, Judged],
    scores: Mapping[str, FloatArray],
    systems: Sequence[str],
    shown: Sequence[int],
    runs: int,
    seed: int,
) -> dict[tuple[str, str], Draws]:
    """Return the draws of rho by metric and judgment set.

    Args:
        judged: the judgment sets, by name.
        scores: of every metric, shape (systems, sentences).
        systems: names of the systems.
        shown: the sentences that judges of any set saw, which form the combined set.
        runs: number of TrueSkill runs on either side.
        seed: seed of the runs.

    """
    draws = {}
    for name, one in judged.items():
        ranked = sorted(set(systems) & set(one.systems))
        human = judged_orders(_pairs_of_different_outputs(one.among(ranked)), runs, seed)
        places = [list(systems).index(system) for system in ranked]
        for metric, of_metric in scores.items():
            of_systems = of_metric[places]
            counts = ranking_counts(of_systems[:, shown] if name == "combined" else of_systems)
            draws[metric, name] = correlation_draws(human, counts, runs, seed)
    return draws


def ranking_rows(draws: Mapping[tuple[str, str], Draws], n_systems: int) -> list[BandedNumber]:
    """Return the numbers of Table 1 and Figure 4, each with the band of its runs.

    Args:
        draws: result of `ranking_draws`.
        n_systems: number of systems in the combined set.

    """
    rows = []
    for metric in dict.fromkeys(metric for metric, _ in draws):
        rows += [
            _row(
                "table_1", metric, f"{label}_rho", draws[metric, behind], draws[metric, label].mean
            )
            for label, behind in SETS.items()
        ]
        combined = draws[metric, "combined"]
        p = _p_values(combined, n_systems)
        rows += [
            _row("figure_4", metric, "human_rho", combined, combined.mean),
            _row("table_1", metric, "combined_p", p, p.mean),
        ]
    return rows


def _row(exhibit: str, metric: str, column: str, drawn: Draws, corrected: float) -> BandedNumber:
    return BandedNumber(exhibit, metric, column, drawn.mean, corrected, drawn.low, drawn.high)


def _pairs_of_different_outputs(judged: Judged) -> JudgmentCounts:
    """Return the outcomes of pairs of outputs that differ."""
    saw = ~judged.is_same_output
    return judgment_counts(
        judged.first[saw], judged.second[saw], judged.preference[saw], len(judged.systems)
    )


def _p_values(drawn: Draws, n_systems: int) -> Draws:
    """Return the p-value of the mean rho, and the band of the runs' p-values."""
    low, high = sorted(_p(value, n_systems) for value in (drawn.low, drawn.high))
    if drawn.low < 0 < drawn.high:
        low, high = 0.0, 1.0
    return Draws(_p(drawn.mean, n_systems), low, high)


def _p(rho: float, n: int) -> float:
    """Return the two-sided p-value of rho by the t-approximation; 0 for a perfect one."""
    if abs(rho) == 1:
        return 0.0
    return float(2 * student.sf(abs(rho) * ((n - 2) / (1 - rho**2)) ** 0.5, n - 2))
