"""Ratings and preferences."""

import math

import numpy as np
import pytest

from maege.analysis.judgments.ratings import (
    Preference,
    above_ceiling,
    area_p_value,
    ceiling_outcomes,
    clustered_p_value,
    coefficients,
    covariance_p_value,
    item_pairs,
    mean_of,
    one_against_rest,
    order_p_value,
    pearson_interval,
    preference_rows,
    system_means,
    within_items,
)
from maege.analysis.judgments.verdicts import split_text
from maege.analysis.statistics.pair_agreement import PairAgreement, agreement_of_outcomes
from maege.analysis.statistics.resampling import cluster_weights

CEILING = {"ceiling": 0.6, "ceiling_ci_high": 0.65}

# --- Metrics against ratings, computed by hand ---


def test_pairs_are_of_one_item_and_of_different_texts() -> None:
    pairs = item_pairs([0, 1, 0, 1, 0], [7, 7, 8, 7, 7])
    # Item 0 has the outputs 0, 2 and 4, where 0 and 4 have the same text. Item 1 has no pair.
    assert list(zip(pairs.first.tolist(), pairs.second.tolist(), strict=True)) == [(0, 2), (2, 4)]
    assert pairs.item.tolist() == [0, 0]


def test_metric_of_items_is_chance_within_them() -> None:
    item = np.repeat(np.arange(4), 2)
    text = np.tile([0, 1], 4)
    values = item + np.tile([0.0, 0.5], 4)
    scores = item.astype(float)
    assert coefficients(scores, values).pearson > 0.9
    half = within_items(item, text, values, scores, cluster_weights(4, 50, 1))["ties_half"]
    assert half.agreement.n_tied == 4
    assert half.agreement.accuracy == 0.5


def test_rating_is_compared_with_the_mean_of_others() -> None:
    single_ratings, other_means = one_against_rest([5, 5, 5, 9, 4, 4], [1, 2, 6, 7, 3, 5])
    assert single_ratings.tolist() == [1, 2, 6, 3, 5]
    assert other_means.tolist() == [4, 3.5, 1.5, 5, 3]


def ceiling(*ratings: list[int]) -> PairAgreement:
    return agreement_of_outcomes("ties_half", ceiling_outcomes(*ratings).sum(axis=0))


def test_ceiling_counts_pairs_that_a_judge_rated_differently() -> None:
    # Two outputs of an item, three judges: 1 2 3 and 2 2 1. The first prefers the second output and
    # the others (2.5 and 1.5) the first; the second ties; the third prefers the first output and
    # the others (1.5 and 2) the second. Another item has one output.
    item, presented, judge = (
        [0] * 6 + [1] * 2,
        [4] * 3 + [5] * 3 + [6] * 2,
        [0, 1, 2, 0, 1, 2, 0, 1],
    )
    agreement = ceiling(item, presented, judge, [1, 2, 3, 2, 2, 1, 9, 1])
    assert (agreement.n_concordant, agreement.n_discordant, agreement.n_tied) == (0, 2, 0)
    # With a fourth judge, who strongly prefers the first output, the third agrees with the others.
    more = ([*item, 0, 0], [*presented, 4, 5], [*judge, 3, 3])
    agreement = ceiling(*more, [1, 2, 3, 2, 2, 1, 9, 1, 9, 1])
    assert (agreement.n_concordant, agreement.n_discordant, agreement.n_tied) == (2, 1, 0)


def test_means_and_whole_samples_by_hand() -> None:
    first, means = mean_of([3, 3, 1], [1, 2, 5])
    assert (first.tolist(), means.tolist()) == ([2, 0], [5, 1.5])
    assert system_means(np.array([1, 0, 1]), [4, 1, 6]).tolist() == [1, 5]

    scores, values = np.array([1.0, 2, 4]), np.array([2.0, 3, 1])
    once = np.ones((3, 3), np.uint16)
    low, high = pearson_interval(np.arange(3), scores, values, once)
    assert low[0] == pytest.approx(coefficients(scores, values).pearson)
    assert low[0] == high[0]


@pytest.mark.parametrize(
    ("text", "tokens", "expected"),
    [
        ("He does n't  know .", "blanks", "He does n't know ."),
        ("He does n't know.", "words", "He doesn ' t know ."),
        ("He doesn’t know .", "words", "He doesn ' t know ."),
        ("He doesn’t  know .", "contractions", "He doesn’t know ."),
        ("Its price: 1,5.", "13a", "its price : 1,5 ."),
        ("我 去", "characters", "我 去"),
    ],
)
def test_texts_are_split_alike_however_they_were(text: str, tokens: str, expected: str) -> None:
    assert split_text(text, tokens) == expected


# --- Tests over items, computed by hand ---


def test_few_and_opposite_pairs_by_hand() -> None:
    # t = 3 / sqrt(2^2 + 1^2); Student's t with one degree of freedom is Cauchy's.
    expected = 1 - 2 / math.pi * math.atan(3 / math.sqrt(5))
    assert clustered_p_value(3, np.array([2.0, 1, 0])) == pytest.approx(expected)

    item = np.array([0, 0, 1, 1, 1])
    # The items contribute 2 and -1.
    expected = 1 - 2 / math.pi * math.atan(1 / math.sqrt(5))
    assert order_p_value(item, np.array([1, 1, -1, 0, 0])) == pytest.approx(expected)
    assert math.isnan(order_p_value(item, np.zeros(5, np.int64)))


def test_outputs_of_one_item_count_together() -> None:
    scores, values = np.array([0.0, 0, 2, 2]), np.array([0.0, 2, 2, 4])
    # Deviations are -1 -1 1 1 and -2 0 0 2. Their products are 2 0 0 2, which sum to 2 for each of
    # the two items.
    expected = 1 - 2 / math.pi * math.atan(4 / math.sqrt(8))
    item = np.array([0, 0, 1, 1])
    assert covariance_p_value(item, scores, values) == pytest.approx(expected)
    assert math.isnan(covariance_p_value(item, np.ones(4), values))


def test_an_area_of_three_quarters_from_four_sources() -> None:
    # The valid edits have differences 2 and 0, the invalid ones 1 and -1. The first is above all
    # invalid edits, the second above half of them. Each of the four deviates by .25 from the area
    # and contributes .125, so t is .25 / .25 with three degrees of freedom.
    t = 1 / math.sqrt(3)
    expected = 1 - 2 / math.pi * (t / (1 + 1 / 3) + math.atan(t))
    is_valid, d = np.array([True, True, False, False]), np.array([2.0, 0, 1, -1])
    assert area_p_value(np.arange(4), is_valid, d) == pytest.approx(expected)
    assert math.isnan(area_p_value(np.arange(4), is_valid, np.zeros(4)))


# --- Metrics against pairwise preferences, computed by hand ---


def test_a_metric_meets_what_judges_said_of_two_outputs() -> None:
    preferences = [
        Preference("ann", "bus", 0, 1, 1),
        Preference("ann", "bus", 0, 2, 0),
        Preference("ben", "cat", 1, 0, 1),
    ]
    scores = {("none", "length"): {("bus", 0): 3.0, ("bus", 1): 2.0, ("bus", 2): 3.0}}
    scores["none", "length"] |= {("cat", 0): 1.0, ("cat", 1): 1.0}
    rows = {row["tie_rule"]: row for row in preference_rows(preferences, scores, 40, 0.95, 1)}
    half = rows["ties_half"]
    # One of two decided pairs is concordant and one is tied. Each is from a different item.
    counts = ("n_pairs", "n_concordant", "n_discordant", "n_tied", "n_sentences")
    assert [half[name] for name in counts] == [2, 1, 0, 1, 2]
    assert (half["accuracy"], half["too_few"]) == (0.75, "sentences")
    assert rows["ties_wrong"]["accuracy"] == 0.5
    assert (rows["acc_eq"]["n_tied_by_both"], rows["acc_eq"]["accuracy"]) == (1, 2 / 3)


def test_pairs_without_scores_have_no_row() -> None:
    preferences = [Preference("ann", "bus", 0, 1, 1)]
    assert list(preference_rows(preferences, {("none", "x"): {("bus", 0): 1.0}}, 40, 0.95, 1)) == []


@pytest.mark.parametrize(
    ("row", "expected"),
    [
        # 0.2 is more than sqrt(0.1^2 + 0.05^2) = 0.112, and 0.1 is not.
        ({"pearson_r": 0.8, "ci_low": 0.7, "q_value": 0.001, **CEILING}, True),
        ({"pearson_r": 0.7, "ci_low": 0.6, "q_value": 0.001, **CEILING}, False),
        ({"accuracy": 0.8, "ci_low": 0.7, "q_value": 0.001, **CEILING}, True),
        # Not better than chance.
        ({"pearson_r": 0.8, "ci_low": 0.7, "q_value": 0.06, **CEILING}, False),
        ({"pearson_r": 0.8, "ci_low": 0.7, "q_value": 0.06}, False),
        # Without a ceiling.
        ({"pearson_r": 0.8, "ci_low": 0.7, "q_value": 0.001}, None),
    ],
)
def test_a_metric_above_the_ceiling_is_tested(row: dict[str, float], expected: bool | None) -> None:
    assert above_ceiling(row) is expected
