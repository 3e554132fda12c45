"""Estimates of coverage."""

from collections.abc import Callable, Sequence
from itertools import combinations
from math import sqrt
from pathlib import Path

import numpy as np
import pytest

from maege.analysis.statistics.coverage import (
    Curve,
    Distribution,
    corpus_curve,
    expected_coverage,
    expected_distinct_coverage,
    frequent_counts,
    rare_unseen_estimate,
    rarefied_coverage,
    redrawn_estimates,
    sample_size,
    unseen_estimate,
)

# --- UnseenEst: the linear programme, and the published numbers from the released estimates ---

THRESHOLDS = (0, 0.001, 0.01, 0.1)


def released(shared: Path, measure: str) -> tuple[list[Distribution], list[list[int]]]:
    folder = shared / "data" / "lcb" / "unseen_estimates"
    outputs = sorted(folder.glob(f"*_{measure}_output_hist.txt"))
    distributions, histograms = [], []
    for path in outputs:
        points = np.loadtxt(path, skiprows=1)
        points = points[points[:, 1] > 0]
        distributions.append(Distribution(points[:, 0], points[:, 1]))
        text = path.with_name(path.name.replace("output", "input")).read_text()
        histograms.append([int(float(number)) for number in text.split()])
    return distributions, histograms


def table_1(distributions: list[Distribution]) -> list[tuple[float, float]]:
    return [
        (
            float(np.mean([d.variants[d.frequencies > least].sum() for d in distributions])),
            float(np.mean([d.mass[d.frequencies > least].sum() for d in distributions])),
        )
        for least in THRESHOLDS
    ]


def mean_coverage(distributions: list[Distribution], numbers: list[int]) -> list[float]:
    curves = np.stack([expected_coverage(d, numbers) for d in distributions])
    return [round(float(share), 4) for share in curves.mean(axis=0)]


def test_released_estimates_give_table_1_to_the_printed_digit(shared: Path) -> None:
    distributions, _ = released(shared, "exact")
    assert len(distributions) == 48
    variants, masses = zip(*table_1(distributions), strict=True)
    assert [f"{number:.2f}" for number in variants] == ["1351.24", "74.34", "8.72", "1.35"]
    assert [f"{mass:.2f}" for mass in masses] == ["1.00", "0.75", "0.58", "0.37"]


def test_released_index_estimates_hold_fewer_and_more_frequent_variants(shared: Path) -> None:
    distributions, _ = released(shared, "index")
    variants, masses = zip(*table_1(distributions), strict=True)
    assert variants == pytest.approx((555.5, 54.75, 11.46, 1.45), abs=0.04)
    assert masses == pytest.approx((1, 0.899, 0.741, 0.438), abs=5e-4)


def test_new_estimates_of_the_released_histograms_are_close_to_the_released_ones(
    shared: Path,
) -> None:
    _, histograms = released(shared, "exact")
    variants, masses = zip(*table_1([unseen_estimate(h) for h in histograms]), strict=True)
    assert variants == pytest.approx((1335.6, 66.6, 9.01, 1.45), abs=0.05)
    assert masses == pytest.approx((1, 0.750, 0.581, 0.382), abs=5e-4)


def test_accuracy_of_a_perfect_corrector_equals_the_closed_form(shared: Path) -> None:
    numbers = [1, 2, 3, 4, 5, 10, 15, 20]
    exact, _ = released(shared, "exact")
    expected = [0.1412, 0.2254, 0.2801, 0.3182, 0.3463, 0.4226, 0.4610, 0.4866]
    assert mean_coverage(exact, numbers) == expected
    index, _ = released(shared, "index")
    expected = [0.1858, 0.2915, 0.3582, 0.4041, 0.4380, 0.5335, 0.5846, 0.6193]
    assert mean_coverage(index, numbers) == expected


def test_references_that_differ_cover_what_the_paper_drew(shared: Path) -> None:
    """The paper used 1,000 draws. The .47 in its text is 10 exact matches, rounded up."""
    exact, _ = released(shared, "exact")
    curve = np.mean([expected_distinct_coverage(d, 20) for d in exact], axis=0)
    assert (curve[9], curve[19]) == pytest.approx((0.4622, 0.5399), abs=0.002)
    index, _ = released(shared, "index")
    curve = np.mean([expected_distinct_coverage(d, 10) for d in index], axis=0)
    assert curve[9] == pytest.approx(0.599, abs=0.002)


def test_a_sample_of_one_variant_is_one_variant() -> None:
    estimate = unseen_estimate([0, 0, 0, 0, 0, 0, 0, 0, 0, 1])
    assert estimate.mass.sum() == pytest.approx(1)
    assert estimate.frequencies.max() == pytest.approx(1, abs=0.05)
    assert estimate.mass[estimate.frequencies > 0.9].sum() == pytest.approx(1, abs=0.02)


def test_frequent_counts_by_hand() -> None:
    """Around 10: 2 variants were seen 6 to 14 times, below 3.16.

    Around 6: the same two, below 2.45. Around 2: 5 variants were seen 1 to 4 times, not below 1.41.
    A single variant with count 1 is not frequent, because 1 is not below 1.
    """
    histogram = [4, 1, 0, 0, 0, 1, 0, 0, 0, 1]
    assert np.flatnonzero(frequent_counts(histogram)).tolist() == [5, 9]
    assert not frequent_counts([1]).any()


def test_frequent_variants_are_as_seen_and_the_rest_is_estimated() -> None:
    """Of 22 answers, 6 and 10 have one variant each: the programme distributes the other 6."""
    estimate = rare_unseen_estimate([4, 1, 0, 0, 0, 1, 0, 0, 0, 1])
    frequent = estimate.frequencies > 5.5 / 22
    assert estimate.frequencies[frequent] == pytest.approx([6 / 22, 10 / 22])
    assert estimate.variants[frequent] == pytest.approx([1, 1])
    assert estimate.mass[~frequent].sum() == pytest.approx(6 / 22)
    assert estimate.frequencies[~frequent].max() < 3 / 22


def test_answers_that_are_all_frequent_need_no_programme() -> None:
    estimate = rare_unseen_estimate([0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 1])
    assert estimate.frequencies == pytest.approx([4 / 16, 12 / 16])
    assert estimate.variants == pytest.approx([1, 1])


@pytest.mark.parametrize("histogram", [[], [0, 0], [3, -1]])
@pytest.mark.parametrize("estimate", [unseen_estimate, rare_unseen_estimate])
def test_a_histogram_without_answers_is_refused(
    estimate: Callable[[Sequence[int]], Distribution], histogram: list[int]
) -> None:
    with pytest.raises(ValueError, match="at least one answer"):
        estimate(histogram)


def test_bounds_are_symmetric_in_log_odds() -> None:
    """Log odds of .8 are 1.386; .04 is .04 / .16 = .25 there, and .49 for 95 %."""
    low, high = Curve(np.array([0.8, 1.0]), np.array([0.04, 0.0])).interval(0.95)
    assert (low[0], high[0]) == pytest.approx((0.7102, 0.8672), abs=1e-4)
    assert np.isnan([low[1], high[1]]).all()


def test_coverage_by_hand() -> None:
    """Two variants of .5: (1 - .5^M); .38 = .5^2 + .3^2 + .2^2."""
    halves = Distribution(np.array([0.5]), np.array([2.0]))
    assert expected_coverage(halves, [1, 2, 3]) == pytest.approx([0.5, 0.75, 0.875])
    three = Distribution(np.array([0.5, 0.3, 0.2]), np.ones(3))
    assert expected_coverage(three, [1]) == pytest.approx([0.38])


def test_coverage_of_distinct_references_by_hand() -> None:
    """Successive draws: P(i then j) = x_i x_j / (1 - x_i) covers x_i + x_j; three cover all."""
    shares = (0.5, 0.3, 0.2)
    two = sum(
        first * second / (1 - first) * (first + second)
        for first in shares
        for second in shares
        if first != second
    )
    three = Distribution(np.array(shares), np.ones(3))
    curve = expected_distinct_coverage(three, 4)
    assert curve == pytest.approx([0.38, two, 1, 1], abs=1e-5)


def test_resamples_keep_the_number_of_answers_and_repeat() -> None:
    histogram = [6, 2, 0, 1]
    first = [redrawn for redrawn, _ in redrawn_estimates(histogram, unseen_estimate, 5, 3)]
    repeated = [redrawn for redrawn, _ in redrawn_estimates(histogram, unseen_estimate, 5, 3)]
    assert first == repeated
    assert first[0] == histogram
    assert {sample_size(redrawn) for redrawn in first} == {14}
    assert (
        first[1:]
        != [redrawn for redrawn, _ in redrawn_estimates(histogram, unseen_estimate, 5, 4)][1:]
    )


# --- Coverage of samples smaller and larger than the observed sample, by hand ---


def test_rarefied_coverage_is_the_mean_over_all_choices_of_answers() -> None:
    answers = "aaabbcc"
    n = len(answers)
    curve = rarefied_coverage([0, 2, 1], 6)
    for m in range(1, n):
        hits = [
            answers[held_out] in {answers[i] for i in choice}
            for held_out in range(n)
            for choice in combinations([i for i in range(n) if i != held_out], m)
        ]
        assert curve[m - 1] == pytest.approx(np.mean(hits))


def test_coverage_beyond_the_sample_by_hand() -> None:
    """n = 4, f1 = 2, f2 = 1: 1 - 2/4 * (3*2 / (3*2 + 2))^(m* + 1)."""
    curve = rarefied_coverage([2, 1], 6)
    assert curve[3] == pytest.approx(1 - 0.5 * 0.75)
    assert curve[5] == pytest.approx(1 - 0.5 * 0.75**3)


def test_mean_over_sentences_has_the_error_of_a_mean() -> None:
    curves = [
        Curve(np.array([0.2]), np.array([0.01])),
        Curve(np.array([0.4]), np.array([0.01])),
    ]
    curve = corpus_curve(curves)
    assert curve.shares == pytest.approx([0.3])
    assert curve.errors == pytest.approx([sqrt(0.02) / sqrt(2)])
    low, high = corpus_curve(curves[:1]).interval(0.95)
    assert (low[0], high[0]) == pytest.approx((0.1811, 0.2203), abs=1e-4)
