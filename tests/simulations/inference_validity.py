"""Measure the coverage of intervals, sets and rank ranges, and the error rate of tests.

Prints a row for each column of the marts. Data sets with known parameters are simulated in NumPy,
without code of the tested statistics: sentences of long-tailed length, equal or different systems,
noisy judges, metrics that follow the quality of systems to some degree, scores with ties.
Intervals should contain the true value in 95 % of data sets (92 to 97 %), sets and rank ranges in
at least 95 %, and tests should reject a true null hypothesis in 5 % (at most 6.5 %).
lattice_validity.py checks the statistics of lattices.

    python tests/simulations/inference_validity.py [REPLICATES]
"""

import re
import sys
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import duckdb
import numpy as np
import pyarrow as pa
import scipy
from numpy.typing import NDArray

from maege.analysis.best_metrics.judges import measured_of_systems
from maege.analysis.best_metrics.lattices import measured_ratios, measured_rhos
from maege.analysis.best_metrics.measured import BETTER, Measured, Resampling, best_rows
from maege.analysis.compare.types import type_intervals
from maege.analysis.judgments.ratings import (
    Preference,
    area_p_value,
    covariance_p_value,
    one_against_rest,
    pearson_interval,
    preference_rows,
    within_items,
)
from maege.analysis.judgments.verdicts import SharedVerdict, auc_interval, validity_rows
from maege.analysis.metrics.formula import f_of_sums
from maege.analysis.metrics.scores import scores_of_swaps
from maege.analysis.rankings.judged import HumanScores
from maege.analysis.statistics.judgments import ranking, simultaneous_ranking
from maege.analysis.statistics.randomisation import (
    Swaps,
    perm_both,
    randomisation_p,
    sign_tests,
    system_correlations,
)
from maege.analysis.statistics.references import corpus_interval
from maege.analysis.statistics.resampling import (
    Interval,
    RatioSums,
    cluster_weights,
    estimated_mean,
    estimated_ratio,
    estimated_share,
    margin_shown,
    percentile_intervals,
    ratio_intervals,
    standard_error,
)
from maege.analysis.statistics.significance import williams, zou_interval

Floats = NDArray[np.float64]
Found = Iterator[tuple[str, bool]]
SENTENCES, SYSTEMS = (50, 200, 1312), (5, 8, 12, 15)
SAMPLES = 400
SIGNS = 999
LEVEL = 0.95
VALIDITY = Path(__file__).parents[2] / "models" / "marts" / "coverage" / "correction_validity.sql"
# Correlations of metrics with quality: two are equal, and one is 0.
TRUE_R = (0.85, 0.7, 0.7, 0.4, 0.0)


def r_of(x: Floats, y: Floats) -> Floats:
    """Return Pearson's r along the last axis."""
    x, y = (side - side.mean(axis=-1, keepdims=True) for side in (x, y))
    r: Floats = (x * y).sum(axis=-1) / np.sqrt((x**2).sum(axis=-1) * (y**2).sum(axis=-1))
    return r


def systems_of_sentences(rng: np.random.Generator, n: int) -> Found:
    """Yield the results for six systems by a metric that sums counts; three systems are equal."""
    truth = np.array([0.6, 0.5, 0.5, 0.5, 0.45, 0.3])
    length = np.ceil(rng.lognormal(1.0, 0.9, n)).astype(np.int64)
    hard = rng.normal(0, 0.5, n)[:, np.newaxis]
    # A sentence that is hard for one is hard for all; the mean over hardness is the truth.
    spread = 1 / (1 + np.exp(hard))
    chance = np.clip(truth * spread / 0.5, 0, 1)
    hits = rng.binomial(length[:, np.newaxis], chance).astype(np.float64)
    tried = np.repeat(length[:, np.newaxis], 6, axis=1).astype(np.float64)
    weights = cluster_weights(n, SAMPLES, int(rng.integers(2**31)))
    # Clipping at 1 makes the first system slightly worse than its parameter.
    often = np.clip(truth[[0, 5]] / 0.5 / (1 + np.exp(rng.normal(0, 0.5, (100_000, 1)))), 0, 1)
    true_difference = float(np.subtract(*often.mean(axis=0)))
    low, high = ratio_intervals(hits, tried, weights)
    yield "system_scores.ci_low, ci_high", bool(low[1] <= 0.5 <= high[1])
    samples = (weights @ hits) / (weights @ tried)
    difference = samples[:, [1]] - samples[:, [2]]
    low, high = percentile_intervals(difference, LEVEL)
    yield "system_comparisons.ci_low, ci_high", bool(low[0] <= 0 <= high[0])
    scores = hits.sum(axis=0) / tried.sum(axis=0)
    counts = np.stack([hits, tried], axis=-1)
    swaps = np.vstack([*Swaps(n, SAMPLES, int(rng.integers(2**31)))]).astype(np.float64)
    moved = np.tensordot(swaps, counts, axes=1)
    ((first, second),) = scores_of_swaps(
        counts.sum(axis=0), moved, [(2, 1)], lambda sums: sums[..., 0] / sums[..., 1]
    )
    p = randomisation_p(scores[[1]] - scores[[2]], (second - first)[:, np.newaxis])
    yield "system_comparisons.p_value: equal", bool(p[0] <= 0.05)
    # Systems 0 and 5 are .3 apart: no closer than the margin.
    low, high = percentile_intervals(samples[:, [0]] - samples[:, [5]], LEVEL)
    error = standard_error(float(low[0]), float(high[0]))
    is_equal = margin_shown(float(scores[0] - scores[5]), error) < true_difference
    yield "maege plan, card: equivalence at the margin", is_equal
    for name, make_ranking in (
        ("sentence_correlations.rank_low, rank_high", ranking),
        ("human_scores.rank_low, rank_high", simultaneous_ranking),
    ):
        ranks = make_ranking(samples, scores, LEVEL)
        best, worst = (truth[:, np.newaxis] < truth).sum(axis=1), (truth[:, np.newaxis] <= truth)
        covers = (ranks.rank_low <= worst.sum(axis=1)) & (ranks.rank_high >= best + 1)
        yield f"{name}: of all", bool(covers.all())


def zero_metrics_of_lattices(rng: np.random.Generator, n: int) -> Found:
    """Yield whether chance is rejected for three kinds of metrics that ignore corrections.

    A sentence has two chains. Each edit replaces, inserts or deletes a word; it goes one way as
    often as the other, so every set of word weights has a true tau of 0. Words follow a Zipf
    distribution, and frequent words return in many sentences.
    """
    words = 1 / np.arange(1, 2001)
    words /= words.sum()
    weights = rng.standard_normal(words.size)
    gains, sizes = np.zeros((2, n, 3))
    for sentence, n_edits in enumerate(rng.geometric(1 / 3, (n, 2)).tolist()):
        word_weights = rng.standard_normal(words.size)
        for length in n_edits:
            lower, upper = np.triu_indices(length + 1, 1)
            old, new = rng.choice(words.size, (2, length), p=words)
            # An edit deletes the old word, inserts the new one, or does both.
            deletes, inserts = (np.array([(1, 1), (1, 0), (0, 1)])[rng.integers(0, 3, length)]).T
            scores = [rng.random(length + 1)]
            for by_word in (word_weights, weights):
                changes = inserts * by_word[new] - deletes * by_word[old]
                scores.append(np.concatenate([[0.0], np.cumsum(changes)]))
            difference = np.array(scores)[:, upper] - np.array(scores)[:, lower]
            gains[sentence] += np.sign(np.round(difference, 9)).sum(axis=1)
            sizes[sentence] += lower.size
    p_values = sign_tests(gains, sizes, LEVEL, SIGNS, int(rng.integers(2**31))).p_value
    kinds = ("a number a node", "word weights a sentence", "one set of word weights")
    for kind, p_value in zip(kinds, p_values.tolist(), strict=True):
        yield f"sentence_correlations.chance_p_value: {kind}", p_value <= 0.05


def types_of_sentences(rng: np.random.Generator, n: int) -> Found:
    has = rng.random(n) < 0.5
    gold = has * (1 + rng.poisson(0.2, n))
    matched, spurious = rng.binomial(gold, 0.4), has * rng.poisson(0.3, n)
    counts = np.stack([matched, matched + spurious, gold], axis=-1)[:, np.newaxis]
    seed = int(rng.integers(2**31))
    low, high = type_intervals(counts.astype(np.float64), SAMPLES, seed, LEVEL)
    # On average a sentence has .6 gold edits, of which .24 are matched, and .15 spurious edits.
    truth = 1.25 * 0.24 / (0.24 + 0.15 + 0.25 * 0.6)
    yield "type_scores.ci_low, ci_high", bool(low[0] <= truth <= high[0])


def metrics_of_sentences(rng: np.random.Generator, n: int) -> Found:
    """Yield the results for the shares of pairs of eight metrics; the two best are equal."""
    truth = np.array([0.7, 0.7, 0.68, 0.66, 0.6, 0.6, 0.5, 0.4])
    pairs = np.ceil(rng.lognormal(1.2, 0.9, n)).astype(np.int64)
    # Metrics see the same easy and hard sentences.
    logit = np.log(truth / (1 - truth)) * 1.18 + rng.normal(0, 1, n)[:, np.newaxis]
    wins = rng.binomial(pairs[:, np.newaxis], 1 / (1 + np.exp(-logit))).astype(np.float64)
    n_pairs = np.repeat(pairs[:, np.newaxis], len(truth), axis=1).astype(np.float64)
    names = [str(place) for place in range(len(truth))]
    measured = measured_ratios(names, wins, n_pairs, resampling(rng, SAMPLES))
    difficulties = rng.normal(0, 1, 100_000)
    true_share = (1 / (1 + np.exp(-np.log(0.7 / 0.3) * 1.18 - difficulties))).mean()
    yield (
        "best_metrics.ci_low, ci_high: shares, sentence_agreement",
        bool(measured.low[0] <= true_share <= measured.high[0]),
    )
    yield "best_metrics.in_best_set: shares", in_set(measured, 0)


def corpora_of_sentences(rng: np.random.Generator, n: int) -> Found:
    """Yield the results for metrics that rank eleven corpora; the two best are equal."""
    gold, n_draws = np.arange(11.0), 40
    slopes = (0.08, 0.08, 0.05, 0.02)

    def scores(slope: float, n_sentences: int, draws: int) -> Floats:
        slopes_of_sentences = rng.normal(slope, 0.05, (n_sentences, 1, 1)) * np.minimum(gold, 5)
        level = rng.normal(0, 1, (n_sentences, 1, 1))
        noise = rng.normal(0, 1, (n_sentences, draws, 11))
        values: Floats = np.round(slopes_of_sentences + level + noise, 1)
        return values

    scores_of_metrics = [scores(slope, n, n_draws) for slope in slopes]
    measured = measured_rhos(list("abcd"), scores_of_metrics, gold, n_draws, resampling(rng, 200))
    # The true value, from many other corpora of the same size.
    means = np.array([scores(slopes[0], n, 1).mean(axis=0)[0] for _ in range(40)])
    ranks = means.argsort(axis=1).argsort(axis=1)
    truth = float(r_of(ranks.astype(np.float64), gold[np.newaxis]).mean())
    yield (
        "best_metrics.ci_low, ci_high: corpora",
        bool(measured.low[0] <= truth <= measured.high[0]),
    )
    yield "best_metrics.in_best_set: corpora", in_set(measured, 0)


def ratings_of_items(rng: np.random.Generator, n: int) -> Found:
    """Yield the results for ratings of one to seven outputs per item, and for verdicts on edits.

    Items differ in their mean ratings and scores. A second metric is independent of the outputs.
    """
    item = np.repeat(np.arange(n), rng.integers(1, 8, n))
    quality = rng.standard_normal(item.size)
    ratings = quality + np.sqrt(0.5) * (
        rng.standard_normal(n)[item] + rng.standard_normal(item.size)
    )
    own_noise = rng.standard_normal((2, item.size))
    easy = np.sqrt(0.5) * rng.standard_normal((2, n))[:, item]
    scores, knows_nothing = easy + np.array([0.6 * quality + 0.8 * own_noise[0], own_noise[1]])
    weights = cluster_weights(n, SAMPLES, int(rng.integers(2**31)))
    low, high = pearson_interval(item, scores, ratings, weights, LEVEL)
    yield "rating_correlations.ci: pooled", bool(low[0] <= 0.6 / np.sqrt(3) <= high[0])
    p = covariance_p_value(item, knows_nothing, ratings)
    yield "rating_correlations.p_value: pooled, r is 0", p <= 0.05
    output = np.arange(item.size)
    half = within_items(item, output, ratings, scores, weights)["ties_half"]
    accuracy = 0.5 + np.arcsin(0.6 / np.sqrt(1.5)) / np.pi
    yield "rating_correlations.ci: within_item", half.ci_low <= accuracy <= half.ci_high
    p = within_items(item, output, ratings, knows_nothing, weights)["ties_half"].p_value
    yield "rating_correlations.p_value: within_item, one half", p <= 0.05
    source = np.repeat(np.arange(n), rng.integers(1, 5, n))
    is_valid = rng.random(source.size) < rng.beta(2, 2, n)[source]
    chance = 0.5 * rng.standard_normal(n)[source] + rng.standard_normal(source.size)
    low, high = auc_interval(source, is_valid, chance + 0.8 * is_valid, weights, LEVEL)
    area = scipy.special.ndtr(0.8 / np.sqrt(2 * 1.25))
    yield "verdict_agreement.ci: auc", bool(low[0] <= area <= high[0])
    yield "verdict_agreement.p_value: auc is .5", area_p_value(source, is_valid, chance) <= 0.05
    verdicts = [
        SharedVerdict(str(edit_source), [1.0 if valid else -1.0], "1")
        for edit_source, valid in zip(source.tolist(), is_valid.tolist(), strict=True)
    ]
    estimated_share = next(validity_rows(verdicts, LEVEL))
    yield "edit_validity.ci", bool(estimated_share["ci_low"] <= 0.5 <= estimated_share["ci_high"])


def preferences_of_items(rng: np.random.Generator, n: int) -> Found:
    """Yield the results for two metrics that are independent of the outputs that judges compared.

    An item has four outputs; two judges judge one to six of its pairs. One metric gives each output
    a number. The other ties outputs often and weighs two features of an output by weights of the
    item, so that the pairs of an item depend on each other.
    """
    quality, features = rng.standard_normal((n, 4)), rng.standard_normal((n, 4, 2))
    weighed = (features * rng.standard_normal((n, 1, 2))).sum(axis=-1)
    scores = {"number": rng.standard_normal((n, 4)), "weights": np.round(weighed)}
    pairs = np.stack(np.triu_indices(4, 1), axis=1)
    preferences = []
    for item in range(n):
        for first, second in pairs[rng.permutation(6)[: rng.integers(1, 7)]].tolist():
            gap = quality[item, first] - quality[item, second] + rng.standard_normal(2)
            preferences += [
                Preference(judge, str(item), first, second, 1 if value > 0 else -1)
                for judge, value in zip("ab", gap.tolist(), strict=True)
            ]
    by_output = {
        ("none", metric): {
            (str(item), output): float(values[item, output]) for item, output in np.ndindex(n, 4)
        }
        for metric, values in scores.items()
    }
    seed = int(rng.integers(2**31))
    for row in preference_rows(preferences, by_output, SIGNS, LEVEL, seed):
        if row["tie_rule"] in ("ties_wrong", "ties_half"):
            rejects = row["chance_p_value"] <= 1 - LEVEL
            name = f"sentence_agreement.chance_p_value: {row['tie_rule']}, {row['metric']}"
            yield name, rejects
            if row["tie_rule"] == "ties_half":
                holds_half = row["ci_low"] <= 0.5 <= row["ci_high"]
                name = "sentence_agreement: interval and test agree"
                yield f"{name}, {row['metric']}", holds_half != rejects


def metrics_and_judges(rng: np.random.Generator, n: int) -> Found:
    """Yield the results for metrics and judges of n systems sampled from a population."""
    quality = rng.standard_normal(n)
    true_r = np.array(TRUE_R)[:, np.newaxis]
    # A component other than quality that metrics share, so that their errors correlate.
    shared, own_noise = rng.standard_normal(n), rng.standard_normal((len(TRUE_R), n))
    error = np.sqrt(0.4) * shared + np.sqrt(0.6) * own_noise
    points = true_r * quality + np.sqrt(1 - true_r**2) * error
    noise = 0.15
    human = quality + noise * rng.standard_normal(n)
    human_samples = human + noise * rng.standard_normal((SAMPLES, n))
    samples = points[:, np.newaxis] + 0.05 * rng.standard_normal((len(TRUE_R), SAMPLES, n))
    truth = np.array(TRUE_R) / np.sqrt(1 + noise**2)
    r = r_of(points, human)
    human_scores = HumanScores(
        "", "", ["" for _ in human], human, human_samples, np.zeros((2, 0, n))
    )
    seed = int(rng.integers(2**31))
    r_metrics = r_of(points[1], points[2])
    p_williams = williams(r[1], r[2], r_metrics, n).p_value
    yield "metric_comparisons.p_value: williams, equal", bool(p_williams <= 0.05)
    low, high = zou_interval(r[0], r[3], r_of(points[0], points[3]), n)
    yield "metric_comparisons.ci: williams", bool(low <= truth[0] - truth[3] <= high)
    two = [1, 2]
    p = perm_both(points[two], samples[two], human, human_samples, seed, SAMPLES)
    yield "metric_comparisons.p_value: perm_both, equal", bool(p[0] <= 0.05)
    names = [str(place) for place in range(len(TRUE_R))]
    redrawn = resampling(rng, 2 * SAMPLES)
    measured = measured_of_systems(names, points, samples, human_scores, redrawn)
    yield "best_metrics.in_best_set: judged_systems", in_set(measured, 0)
    # The hardest case: all are equally good.
    equal_points = 0.7 * quality + np.sqrt(0.51) * rng.standard_normal((8, n))
    jittered = equal_points[:, np.newaxis] + 0.05 * rng.standard_normal((8, SAMPLES, n))
    measured = measured_of_systems(list("abcdefgh"), equal_points, jittered, human_scores, redrawn)
    yield "best_metrics.in_best_set: judged_systems, all equal", in_set(measured, 0)


def ceilings_of_items(rng: np.random.Generator, n: int) -> Found:
    """Yield whether a metric whose r is exactly the ceiling is found above it.

    Three judges rate three outputs of each item with noise as large as the differences in quality:
    one of them and the mean of the others have an r of 1 / sqrt(2 * 1.5). A metric with a loading
    of 2 / 3 on the quality has the same r with the mean of all three, whose variance is 4 / 3.
    """
    item = np.repeat(np.arange(n), 3)
    quality = rng.standard_normal(item.size)
    ratings = quality + rng.standard_normal((3, item.size))
    scores = 2 / 3 * quality + np.sqrt(5) / 3 * rng.standard_normal(item.size)
    weights = cluster_weights(n, SAMPLES, int(rng.integers(2**31)))
    single_ratings, other_means = one_against_rest(
        np.tile(np.arange(item.size), 3), ratings.ravel()
    )
    ceiling = float(r_of(single_ratings, other_means))
    low, high = pearson_interval(np.tile(item, 3), single_ratings, other_means, weights, LEVEL)
    yield "rating_correlations.ceiling_ci: pooled", bool(low[0] <= 1 / np.sqrt(3) <= high[0])
    r = float(r_of(scores, ratings.mean(axis=0)))
    metric_interval = pearson_interval(item, scores, ratings.mean(axis=0), weights, LEVEL)
    half_width = np.hypot(r - metric_interval.low[0], high[0] - ceiling)
    yield "rating_correlations.above_ceiling: equal", bool(r - ceiling > half_width)


def judged_systems(rng: np.random.Generator, n: int) -> Found:
    """Yield the results for correlations if n systems and their sentences are resampled.

    Judges and metrics score the same 40 sentences, which differ in difficulty. Each system has a
    random effect per sentence, which judges and good metrics observe. The true value is the
    correlation over many systems. The skewed population has a few systems that are far worse than
    the others.
    """
    n_sentences = 40
    for population in ("normal", "skewed"):

        def quality(size: int, population: str = population) -> Floats:
            normal = rng.standard_normal(size)
            return normal if population == "normal" else 1 - rng.exponential(1, size)

        def system_scores(n_systems: int, true_r: float) -> tuple[Floats, Floats]:
            human_quality = quality(n_systems)
            metric_quality = true_r * human_quality + np.sqrt(1 - true_r**2) * quality(n_systems)
            shape = (n_systems, n_sentences)
            hard, luck = rng.standard_normal(n_sentences), rng.standard_normal((2, *shape))
            if true_r:
                luck[1] = luck[0]
            ratings = human_quality[:, np.newaxis] + hard + luck[0] + rng.standard_normal(shape)
            measured = metric_quality[:, np.newaxis] + hard + luck[1] + rng.standard_normal(shape)
            return ratings.mean(axis=1), measured.mean(axis=1)

        seed = int(rng.integers(2**31))
        for coefficient in ("pearson", "spearman"):
            name = f"human_correlations.{coefficient}"
            human, scores = system_scores(n, 0.0)
            correlations = system_correlations([scores], human, coefficient, seed, LEVEL)
            yield (
                f"{name}_p_value: {population}, no correlation",
                bool(correlations.p_value[0] <= 0.05),
            )
            agrees = (correlations.low[0] > 0 or correlations.high[0] < 0) == (
                correlations.p_value[0] <= 0.05
            )
            yield f"{name}: interval and test agree", bool(agrees)
            if population == "skewed":
                continue
            human, scores = system_scores(n, 0.7)
            low, high, *_ = system_correlations([scores], human, coefficient, seed, LEVEL)
            # The noise of the means has a variance of 2 / 40, half of which is shared.
            r = (0.7 + 1 / 40) / (1 + 2 / 40)
            truth = r if coefficient == "pearson" else 6 / np.pi * np.arcsin(r / 2)
            has_interval = low[0] < high[0]
            yield f"{name}_ci", bool(not has_interval or low[0] <= truth <= high[0])


def corrections_of_sentences(rng: np.random.Generator, n: int) -> Found:
    # Sentences with more errors have more edits by annotators and systems; a system has .6 of them.
    rate = rng.lognormal(0, 0.7, n)
    annotators, system = rng.poisson(rate), rng.poisson(0.6 * rate)
    interval = estimated_mean(system.tolist(), LEVEL)
    true_mean = 0.6 * np.exp(0.7**2 / 2)
    yield "correction_profiles.ci: means", holds(interval, true_mean)
    interval = estimated_share(int((system > 0).sum()), n, LEVEL)
    often = rng.lognormal(0, 0.7, 100_000)
    yield (
        "correction_profiles.ci: shares",
        holds(interval, float((1 - np.exp(-0.6 * often)).mean())),
    )
    x, y = system.astype(np.float64), annotators.astype(np.float64)
    sums = RatioSums(x.sum(), y.sum(), (x * x).sum(), (x * y).sum(), (y * y).sum())
    yield "type_ratios.ci", holds(estimated_ratio(sums, LEVEL), 0.6)
    matched = rng.binomial(system, 0.4)
    counts = np.stack([matched, system, annotators], axis=1).astype(np.float64)
    seed = int(rng.integers(2**31))
    interval = corpus_interval(counts, lambda sums: f_of_sums(sums, 0.5), LEVEL, seed)
    yield "perfect_corrector_scores.ci", holds(interval, 1.25 * 0.24 / (0.6 + 0.25))
    low, high = validity_bounds(rng, n)
    yield "correction_validity.ci", low <= 0.75 <= high


def validity_bounds(rng: np.random.Generator, n: int) -> tuple[float, float]:
    """Return the interval for a validity of .75: one to nine corrections, two judges."""
    sentence = np.repeat(np.arange(n), rng.integers(1, 10, n))
    is_valid = rng.random((2, sentence.size)) < rng.beta(4.5, 1.5, n)[sentence]
    database = duckdb.connect()
    corrections = pa.table(  # noqa: F841 (read by name in the queries)
        {"sentence_id": sentence, "compared": np.arange(sentence.size)}
    )
    validity = pa.table(  # noqa: F841
        {
            "sentence_id": np.tile(sentence, 2),
            "compared": np.tile(np.arange(sentence.size), 2),
            "is_valid": is_valid.ravel(),
        }
    )
    database.execute("""
        create table usable_corrections as
        select 'c' as corpus, *, null as left_out from corrections;
        create table validity_judgements as select 'c' as corpus, * from validity;
    """)
    query = re.sub(r"\{\{ (?:ref|source)\(.*?(\w+)'\) \}\}", r"\1", VALIDITY.read_text())
    bounds = database.sql(query).filter("frequency is null").select("ci_low, ci_high")
    low, high = bounds.fetchall()[0]
    return float(low), float(high)


def holds(interval: Interval, truth: float) -> bool:
    return (
        interval.low is not None
        and interval.high is not None
        and interval.low <= truth <= interval.high
    )


def resampling(rng: np.random.Generator, n_resamples: int) -> Resampling:
    return Resampling(n_resamples, n_resamples, LEVEL, int(rng.integers(2**31)), 0.9)


def in_set(measured: Measured, best: int) -> bool:
    """Return whether the truly best metric is in the set, if it is better than chance."""
    row = list(best_rows("", "", None, measured, LEVEL))[best]
    return bool(row["in_best_set"]) or row["verdict"] != BETTER


WORLDS = (
    (
        SENTENCES,
        "sentences",
        (
            systems_of_sentences,
            zero_metrics_of_lattices,
            types_of_sentences,
            metrics_of_sentences,
            corpora_of_sentences,
            ratings_of_items,
            preferences_of_items,
            ceilings_of_items,
            corrections_of_sentences,
        ),
    ),
    (SYSTEMS, "systems", (metrics_and_judges, judged_systems)),
)


def main(replicates: int) -> None:
    for sizes, unit, worlds in WORLDS:
        shares: dict[str, dict[int, list[bool]]] = defaultdict(lambda: defaultdict(list))
        for size in sizes:
            for seed in range(replicates):
                for number, world in enumerate(worlds):
                    if world is corpora_of_sentences and (size > 200 or seed >= 100):
                        # This takes longest, because the true value is simulated each time.
                        continue
                    for name, holds in world(np.random.default_rng([seed, size, number]), size):
                        shares[name][size].append(holds)
        print(unit.ljust(60), *(f"{size:>6}" for size in sizes))
        for name, row in shares.items():
            cells = (f"{np.mean(row[size]):6.3f}" if row[size] else " " * 6 for size in sizes)
            print(name.ljust(60), *cells)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 300)
