"""Published correlations of GLEU and of reference-less metrics with human rankings."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.stats import pearsonr, rankdata, spearmanr

from maege.analysis.metrics.families import FloatArray
from maege.analysis.metrics.fluency import PUBLISHED
from maege.analysis.metrics.gleu import STATISTICS, GleuScore, Penalty
from maege.analysis.metrics.m2 import M2, M2Score
from maege.analysis.papers.numbers import MadeNumber
from maege.analysis.rankings.correlations import weight_grid
from maege.analysis.statistics.correlations import pearson_of_rows, spearman_of_rows


def token_counts(lines: Sequence[str]) -> FloatArray:
    """Return the number of tokens, including empty ones, between single spaces.

    Lines of ranked systems have an additional empty token at their start. No n-gram of source or
    references has it, so only the lengths change.
    """
    return np.array([len(line.rstrip().split(" ")) for line in lines], dtype=np.float64)


def printed_gleu(
    statistics: FloatArray, lengths: FloatArray, is_used: NDArray[np.bool_], penalty: Penalty
) -> FloatArray:
    """Return the corpus scores of systems as printed.

    Args:
        statistics: of GLEU, shape (systems, sentences, references, statistics).
        lengths: of the outputs in tokens, shape (systems, sentences).
    """
    system_statistics = statistics.copy()
    system_statistics[..., STATISTICS.index("hypothesis_length")] = lengths[..., np.newaxis]
    return np.round(GleuScore(penalty).corpus_score(system_statistics[:, is_used], "py3"), 6)


def correlations(human: Mapping[str, float], scores: Mapping[str, float]) -> dict[str, float]:
    if len(human) < 2:
        return {}
    x, y = np.array([(human[name], scores[name]) for name in sorted(human)]).T
    return {"r": float(pearsonr(x, y).statistic), "rho": float(spearmanr(x, y).statistic)}


# --- Asano, Mizumoto and Inui 2017, on scoring without references: Tables 1 to 3 and the oracle ---
#
# Known, from the printed numbers: all rho can come from 13 systems and eight of them cannot come
# from 12, so the unchanged source was ranked together with the twelve systems.
#
# Inferred: M2 is the mean of the sentences' F0.5, each with the best annotator for that sentence.
# Annotators who leave a sentence unchanged do not count, as in M2 files without a line for them.
# With the M2 files of Sakaguchi et al. 2016 this reproduces all printed scores and correlations
# of M2; with the edits that are extracted from their texts here, nearly. If annotators without
# changes counted, rho would be 0.36, not 0.648.
#
# Unknown: the weights for two parts; the printed weights of all three are used instead. The
# paper's language model, grammaticality model and spelling variants are not available: a part is
# the first of the metrics of PARTS with scores.

# For each part the metrics that can replace it, the closest one to the paper first.
PARTS = {
    "grammaticality": ("grammaticality_gug", "grammaticality"),
    "fluency": ("fluency",),
    "meaning": ("meaning_meteor", "meaning"),
}
ROWS = {
    "grammar": ("grammaticality",),
    "meaning": ("meaning",),
    "fluency": ("fluency",),
    "grammar_meaning": ("grammaticality", "meaning"),
    "meaning_fluency": ("meaning", "fluency"),
    "fluency_grammar": ("fluency", "grammaticality"),
    "combination": ("grammaticality", "fluency", "meaning"),
}
REFERENCE_SETS = ("nucle", "bn10", "reassess16")
# The official references of `bn10`, as texts and as annotators.
OFFICIAL_AGAIN = ("BN3", "BN7", "A3", "A7")
# The texts of the paper's editors A and B, in alphabetical order.
EXPERTS = {
    "expert_fluencyA": "flu_a",
    "expert_fluencyB": "flu_b",
    "expert_minimalA": "min_a",
    "expert_minimalB": "min_b",
}
# Table 3: the sentence, and the experts whose texts are printed.
EXAMPLE_SENTENCE = 618
EXAMPLES = {"minimal": "expert_minimalA", "fluent": "expert_fluencyB"}
# The oracle's weights are multiples of this.
STEPS = 100

# The kind of references that each metric reads.
BASELINES = {"m2": "gold", "gleu": "texts"}

# For each metric: systems on the first axis, except where it has sentences on the second.
Scores = Mapping[str, FloatArray]


def metrics_of_parts(scores: Scores) -> dict[str, str]:
    metrics_by_part = {}
    for part, metrics in PARTS.items():
        available = [metric for metric in metrics if metric in scores]
        if available:
            metrics_by_part[part] = available[0]
    return metrics_by_part


def kept_places(
    names: Iterable[tuple[str, int, str]], left_out: Collection[str] = ()
) -> dict[str, list[int]]:
    """Return by reference set the positions of the references that are used, in order.

    `names` are set, position and name. References in OFFICIAL_AGAIN and `left_out` are not used.
    """
    places: dict[str, list[int]] = {}
    for reference_set, position, name in sorted(names):
        if name not in (*OFFICIAL_AGAIN, *left_out):
            places.setdefault(reference_set, []).append(position)
    return {
        reference_set: places[reference_set]
        for reference_set in REFERENCE_SETS
        if reference_set in places
    }


def joined(
    statistics_by_set: Mapping[str, FloatArray], places: Mapping[str, list[int]]
) -> FloatArray:
    """Return the statistics at these positions of all sets: (..., references, statistics)."""
    parts = [
        statistics_by_set[reference_set][..., positions, :]
        for reference_set, positions in places.items()
    ]
    return np.concatenate(parts, axis=-2)


def rounded_correlations(human: FloatArray, scores: FloatArray) -> dict[str, float]:
    # Rounded, because sums that are equal on paper would differ in the last bit, and in rank.
    rounded = np.round(scores, 12)
    return {
        "rho": float(spearman_of_rows(rounded, human)),
        "r": float(pearson_of_rows(rounded, human)),
    }


def rows_of_parts(human: FloatArray, scores: Scores) -> Iterator[MadeNumber]:
    metrics = metrics_of_parts(scores)
    for row, parts in ROWS.items():
        if not set(parts) <= metrics.keys():
            continue
        total, made_of = _weighted(scores, parts)
        for name, value in rounded_correlations(human, total).items():
            yield MadeNumber("table_1", row, name, value, made_of=made_of)


def oracle(human: FloatArray, scores: Scores) -> Iterator[MadeNumber]:
    metrics = metrics_of_parts(scores)
    if metrics.keys() != PARTS.keys():
        return
    weights = np.array(weight_grid([*PARTS], STEPS))
    parts = np.array([scores[metrics[part]] for part in PUBLISHED])
    sums = np.round(weights @ parts, 12)
    made_of = _listed(list(metrics.values()))
    for name, function in (("rho", spearman_of_rows), ("r", pearson_of_rows)):
        largest = float(np.nanmax(function(sums, human)))
        yield MadeNumber("text", "oracle", name, largest, made_of=made_of)


def correctors_only(statistics: FloatArray) -> FloatArray:
    """Return M2's statistics with NaN for annotators who leave a corrected sentence unchanged."""
    corrects = statistics[..., M2.statistics.index("gold")] > 0
    counts = corrects | ~corrects.any(axis=-1, keepdims=True)
    corrected_only: FloatArray = np.where(counts[..., np.newaxis], statistics, np.nan)
    return corrected_only


class Baseline(NamedTuple):
    metric: str
    sentences: FloatArray
    run: FloatArray
    definition: FloatArray


def baseline(
    metric: str,
    statistics_by_set: Mapping[str, FloatArray],
    names: Iterable[tuple[str, int, str]],
    n_systems: int,
    left_out: Collection[str] = (),
) -> Baseline | None:
    if any(
        len(statistics_by_set.get(reference_set, ())) != n_systems
        for reference_set in REFERENCE_SETS
    ):
        return None
    read = joined(statistics_by_set, kept_places(names, left_out))
    if metric == "m2":
        run, definition = (
            M2Score().sentence_scores({"m2": statistics})
            for statistics in (correctors_only(read), read)
        )
        return Baseline("m2", run, run.mean(axis=-1), definition.mean(axis=-1))
    gleu = GleuScore()
    sentences = gleu.sentence_scores({"gleu": read})
    return Baseline("gleu_plus", sentences, gleu.corpus_score(read), sentences.mean(axis=-1))


def combination(scores: Scores) -> tuple[FloatArray, str] | None:
    metrics = metrics_of_parts(scores)
    if metrics.keys() != PARTS.keys():
        return None
    return _weighted(scores, [*PARTS])


def rows_of_experts(
    metric: str,
    sentences: FloatArray,
    run: FloatArray,
    definition: FloatArray,
    made_of: str | None = None,
) -> Iterator[MadeNumber]:
    """`run` has the published run's scores, `definition` the paper's; NaN where they are equal."""
    ranks = [rankdata(-scores, method="min", nan_policy="omit") for scores in (run, definition)]
    numbers = {metric: (run, definition), f"{metric}_rank": ranks}
    for column, (reproduced, corrected) in numbers.items():
        for place, row in enumerate(EXPERTS.values()):
            values = float(reproduced[place]), float(corrected[place])
            yield MadeNumber("table_2", row, column, *values, made_of)
    # A corpus with the name of the paper's may be shorter.
    examples = EXAMPLES if sentences.shape[1] > EXAMPLE_SENTENCE else {}
    for row, text in examples.items():
        score = float(sentences[[*EXPERTS].index(text), EXAMPLE_SENTENCE])
        yield MadeNumber("table_3", row, metric, score, made_of=made_of)


def _weighted(scores: Scores, parts: Sequence[str]) -> tuple[FloatArray, str]:
    metrics = metrics_of_parts(scores)
    total: FloatArray = np.sum([PUBLISHED[part] * scores[metrics[part]] for part in parts], axis=0)
    return total, _listed([metrics[part] for part in parts])


def _listed(metrics: Sequence[str]) -> str:
    *initial, last = metrics
    return f"{', '.join(initial)} and {last}" if initial else last
