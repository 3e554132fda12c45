"""Corpus scores: by hand, and against plain loops over resampled sentences."""

from collections.abc import Callable, Mapping

import numpy as np
import pytest
from metric_requests import corpus_bleu

from maege.analysis.metrics.errant import ErrantScore
from maege.analysis.metrics.families import FloatArray, RequestGroup
from maege.analysis.metrics.formula import f_of_sums
from maege.analysis.metrics.gleu import GleuScore
from maege.analysis.metrics.imeasure import IMeasureScore
from maege.analysis.metrics.m2 import M2Score
from maege.analysis.metrics.registry import METRICS, TEXT_FAMILIES
from maege.analysis.metrics.scores import Reference, SystemScores, resampled
from maege.analysis.statistics.resampling import cluster_weights
from maege.analysis.system_scores import system_scores

SOURCES = [
    "Yesterday I go to school with my friend .",
    "He have many informations about this .",
    "It is raining in the city .",
    "We was waited for the bus since two hours .",
    "Thanks you for you help !",
    "The childs plays in garden every days .",
]
REFERENCES = [
    ("Yesterday I went to school with my friend .", "Yesterday I went to school with a friend ."),
    ("He has much information about this .", "He has a lot of information about this ."),
    ("It is raining in the city .", "It is raining in town ."),
    ("We waited for the bus for two hours .", "We had been waiting two hours for the bus ."),
    ("Thank you for your help !", "Thanks for your help !"),
    ("The children play in the garden every day .", "The children play outside every day ."),
]
SYSTEMS = {
    "input": SOURCES,
    "good": [
        "Yesterday I went to school with my friend .",
        "He has many information about this .",
        "It is raining in the city .",
        "We were waiting for the bus for two hours .",
        "Thank you for your help !",
        "The children plays in the garden every day .",
    ],
    "bad": [
        "Yesterday I going to school with my friends .",
        "He have informations .",
        "It rains in the city .",
        "We waited the bus .",
        "Thanks you !",
        "The childs in garden .",
    ],
}
SAMPLES = 40
LEVEL = 0.9
WEIGHTS = cluster_weights(len(SOURCES), SAMPLES, seed=5)


def family_statistics(name: str) -> FloatArray:
    """Return one family's statistics, shape (systems, sentences, references, statistics)."""
    rows = []
    for outputs in SYSTEMS.values():
        groups = [
            RequestGroup(
                references, (source,), (output,), np.zeros(1, np.intp), np.zeros(1, np.intp)
            )
            for source, references, output in zip(SOURCES, REFERENCES, outputs, strict=True)
        ]
        rows.append(np.concatenate(TEXT_FAMILIES[name].compute_batch(groups)))
    return np.stack(rows)


TEXT_METRICS = ("bleu", "ibleu", "ibleu_minus", "sari", "max_sari", "min_ld", "ld", "gleu")
STATISTICS = {
    family: family_statistics(family)
    for family in {family for name in TEXT_METRICS for family in METRICS[name].families}
}


def metric_scores(metric: str, rng: Reference = "py2") -> SystemScores:
    statistics = {name: STATISTICS[name] for name in METRICS[metric].families}
    sentences = (
        METRICS[metric].score.sentence_scores(flattened(statistics)).reshape(len(SYSTEMS), -1)
    )
    return system_scores(metric, sentences, statistics, WEIGHTS, rng)


def flattened(statistics: Mapping[str, FloatArray]) -> dict[str, FloatArray]:
    return {name: array.reshape(-1, *array.shape[2:]) for name, array in statistics.items()}


def resamples(array: FloatArray) -> list[FloatArray]:
    """Return the sentences in each bootstrap resample, with repetitions."""
    return [np.repeat(array, counts.astype(int), axis=0) for counts in WEIGHTS]


def bounds(values: list[float]) -> tuple[float, float]:
    low, high = np.quantile(values, [(1 - LEVEL) / 2, (1 + LEVEL) / 2])
    return float(low), float(high)


def intervals(result: SystemScores) -> list[tuple[float, float]]:
    """Return the quantiles of each system's resamples."""
    return [bounds(samples.tolist()) for samples in result.samples.T]


def bleu_of(sample: Mapping[str, FloatArray], source_weight: float) -> float:
    """Return iBLEU of a sample of sentences: 0.8 of BLEU, and this weight of the source's BLEU."""
    return 0.8 * corpus_bleu(sample["bleu"]) + source_weight * corpus_bleu(sample["source_bleu"])


def mean_of(metric: str) -> Callable[[Mapping[str, FloatArray]], float]:
    return lambda sample: float(METRICS[metric].score.sentence_scores(sample).mean())


CORPUS_SCORES = {
    "bleu": lambda sample: corpus_bleu(sample["bleu"]),
    "ibleu": lambda sample: bleu_of(sample, 0.2),
    "ibleu_minus": lambda sample: bleu_of(sample, -0.2),
    **{metric: mean_of(metric) for metric in ("sari", "max_sari", "min_ld", "ld")},
}


@pytest.mark.parametrize("metric", CORPUS_SCORES)
def test_sentences_are_resampled_before_the_corpus_score_is_computed(metric: str) -> None:
    corpus_score, result = CORPUS_SCORES[metric], metric_scores(metric)
    for number in range(len(SYSTEMS)):
        statistics = {name: STATISTICS[name][number] for name in METRICS[metric].families}
        assert result.score[number] == pytest.approx(corpus_score(statistics), abs=1e-12)
        samples = [
            corpus_score({name: np.repeat(rows, n, axis=0) for name, rows in statistics.items()})
            for n in WEIGHTS.astype(int)
        ]
        assert intervals(result)[number] == pytest.approx(bounds(samples), abs=1e-9)


@pytest.mark.parametrize("rng", ["py2", "py3", "expected"])
@pytest.mark.parametrize("metric", ["gleu", "gleu_equation"])
def test_gleu_interval_is_that_of_the_limit_of_many_draws(metric: str, rng: Reference) -> None:
    gleu = METRICS[metric].score
    assert isinstance(gleu, GleuScore)
    result = metric_scores(metric, rng)
    for number, statistics in enumerate(STATISTICS["gleu"]):
        score = float(gleu.corpus_score(statistics, rng))
        assert result.score[number] == pytest.approx(score, abs=1e-12)
        limit = float(gleu.corpus_score(statistics, "expected"))
        samples = [float(gleu.corpus_score(sample, "expected")) for sample in resamples(statistics)]
        expected = np.array(bounds(samples)) + score - limit
        assert intervals(result)[number] == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("counts", [[1, 2**24 - 2], [1, 2**24], [0.1, 0.2], [-3, 2]])
def test_resampled_sums_are_exact_however_large_the_counts(counts: list[float]) -> None:
    # Both sentences, twice the first, twice the second.
    weights = np.array([[1.0, 1], [2, 0], [0, 2]])
    sums = resampled(np.array([[[counts[0]], [counts[1]]]], dtype=np.float64), weights)
    first, second = counts
    assert sums.ravel().tolist() == [first + second, 2 * first, 2 * second]


def test_ingested_metric_averages_its_sentences() -> None:
    values = np.array([[0.0, 0.5, 1.0, 0.5, 0.0, 1.0], [0.5] * 6])
    result = system_scores("fluency", values, {}, WEIGHTS, "py2")
    assert result.score.tolist() == [0.5, 0.5]
    (low, high), certain = intervals(result)
    assert certain == (0.5, 0.5)
    assert low < 0.5 < high


# --- M2, ERRANT and the I-measure, from counts small enough to add by hand ---

# Two systems, three sentences, two annotators; M2: tp, proposed, gold, approximated.
M2 = np.array(
    [
        [[[1, 2, 4, 0], [1, 2, 1, 0]], [[0, 1, 3, 0], [2, 1, 2, 0]], [[0, 0, 0, 0], [0, 0, 2, 0]]],
        [[[0, 1, 4, 0], [0, 1, 1, 0]], [[0, 0, 3, 0], [0, 0, 2, 0]], [[0, 0, 0, 0], [0, 0, 2, 0]]],
    ],
    dtype=np.float64,
)
# The sentences in each of three resamples.
THREE_RESAMPLES = np.array([[1, 1, 1], [3, 0, 0], [0, 2, 1]], dtype=np.float64)


def f_half(tp: int, proposed: int, gold: int) -> float:
    precision, recall = tp / proposed, tp / gold
    return 1.25 * precision * recall / (0.25 * precision + recall)


def test_m2_sums_the_annotators_that_raise_the_corpus_score() -> None:
    assert M2Score().choose(M2).tolist() == [[1, 1, 0], [1, 1, 0]]
    scores = system_scores("m2", np.zeros((2, 3)), {"m2": M2}, THREE_RESAMPLES, "py2")
    # Sentence by sentence 1/2/1, 2/1/2 and 0/0/0.
    assert scores.score[0] == pytest.approx(f_half(3, 3, 3))
    assert scores.score[1] == 0


def test_a_sample_keeps_the_annotator_chosen_for_each_sentence() -> None:
    scores = system_scores("m2", np.zeros((2, 3)), {"m2": M2}, THREE_RESAMPLES, "py2")
    expected = [f_half(3, 3, 3), f_half(3, 6, 3), f_half(4, 2, 4)]
    assert scores.samples[:, 0] == pytest.approx(expected)


def test_errants_counts_become_tp_proposed_and_gold() -> None:
    # tp, fp, fn: the second annotator has the better F.5 in the first sentence.
    statistics = np.array([[[[0, 2, 1], [1, 1, 3]], [[2, 0, 1], [0, 2, 0]]]], dtype=np.float64)
    positions = ErrantScore().choose(statistics)
    assert positions.tolist() == [[1, 0]]
    assert ErrantScore().chosen_counts(statistics, positions).tolist() == [[[1, 2, 4], [2, 2, 3]]]
    scores = system_scores(
        "errant", np.zeros((1, 2)), {"errant": statistics}, np.ones((1, 2)), "py2"
    )
    assert scores.score[0] == scores.samples[0, 0] == pytest.approx(f_half(3, 4, 7))


@pytest.mark.parametrize(
    ("counts", "f"),
    [((0, 0, 0), 1.0), ((0, 0, 2), 0.0), ((0, 2, 0), 0.0), ((2, 2, 2), 1.0), ((0, 3, 3), 0.0)],
)
def test_nothing_proposed_is_precise_and_nothing_to_find_is_found(
    counts: tuple[int, int, int], f: float
) -> None:
    assert f_of_sums(np.array(counts, dtype=np.float64), 0.5) == f


def test_the_i_measure_of_a_corpus_is_of_the_summed_counts() -> None:
    # tp, tn, fp, fn, fpn of corrections, the same of the source alone; detection is not read.
    first = [2, 5, 1, 1, 0, 0, 5, 0, 3, 0]
    second = [0, 8, 1, 0, 0, 0, 9, 0, 0, 0]
    statistics = np.zeros((1, 2, 1, 22))
    statistics[0, :, 0, :10] = [first, second]
    scores = system_scores(
        "imeasure",
        np.zeros((1, 2)),
        {"imeasure": statistics},
        np.array([[1.0, 1.0], [2.0, 0.0]]),
        "py2",
    )
    # WAcc = (2 TP + TN) / (2 (TP + FP) + TN + FN): 17/22 and 14/17; for the first 9/12 and 5/8.
    assert scores.score[0] == pytest.approx((17 / 22) / (14 / 17) - 1)
    assert scores.samples[:, 0] == pytest.approx(
        [(17 / 22) / (14 / 17) - 1, (9 / 12 - 5 / 8) / (1 - 5 / 8)]
    )


def test_counts_of_edits_are_reported_with_precision_recall_and_f() -> None:
    sums = np.array([[3.0, 4.0, 6.0], [0.0, 0.0, 2.0]])
    (aspect, measures), *other_aspects = M2Score().reported(sums).items()
    assert (aspect, other_aspects) == ("correction", [])
    expected = {"tp": [3, 0], "fp": [1, 0], "fn": [3, 2], "p": [0.75, 1], "r": [0.5, 0]}
    assert {name: measures[name].tolist() for name in expected} == expected
    assert measures["f"] == pytest.approx([1.25 * 0.75 * 0.5 / (0.25 * 0.75 + 0.5), 0])


def test_the_i_measure_reports_tokens_of_corrections_and_of_their_detection() -> None:
    sums = np.zeros((1, 22))
    # tp, tn, fp, fn, fpn of corrections, then of the source; of detection, then of the source.
    sums[0, :20] = [2, 6, 2, 2, 1, 0, 6, 0, 4, 0, 3, 6, 1, 1, 0, 0, 6, 0, 4, 0]
    reported = IMeasureScore().reported(sums)
    # Weighted: (2 * 2 + 6) / (2 * 4 + 6 + 2 - 1.5), compared with 6 / 10 of the source.
    wacc, base_wacc = 10 / 14.5, 0.6
    counts = {"tp": 2, "tn": 6, "fp": 2, "fn": 2, "fpn": 1}
    measures = {"p": 1 / 2, "r": 1 / 2, "f": 1 / 2, "acc": 8 / 11, "wacc": wacc}
    improved = {"base_wacc": base_wacc, "improvement": (wacc - base_wacc) / (1 - base_wacc)}
    correction = {name: float(value[0]) for name, value in reported["correction"].items()}
    assert correction == pytest.approx(counts | measures | improved)
    detection = reported["detection"]
    assert [float(detection[name][0]) for name in ("tp", "fp", "fn", "fpn")] == [3, 1, 1, 0]
    assert float(detection["f"][0]) == pytest.approx(3 / 4)
