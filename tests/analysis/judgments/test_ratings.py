"""Metrics against ratings, by sums done by hand."""

import numpy as np
import pytest

from maege.analysis.judgments.ratings import (
    ceiling_within_items,
    coefficients,
    item_pairs,
    mean_of,
    one_against_rest,
    pearson_interval,
    system_means,
    within_items,
)
from maege.analysis.judgments.tokens import split_text
from maege.analysis.statistics.samples.bootstrap import cluster_weights


def test_pairs_are_of_one_item_and_of_different_texts() -> None:
    pairs = item_pairs([0, 1, 0, 1, 0], [7, 7, 8, 7, 7])
    # In item 0 the outputs 0, 2 and 4, of which 0 and 4 have the same text; in item 1 none.
    assert list(zip(pairs.first.tolist(), pairs.second.tolist(), strict=True)) == [(0, 2), (2, 4)]
    assert pairs.item.tolist() == [0, 0]


def test_metric_of_items_is_chance_within_them() -> None:
    item = np.repeat(np.arange(4), 2)
    text = np.tile([0, 1], 4)
    values = item + np.tile([0.0, 0.5], 4)
    scores = item.astype(float)
    assert coefficients(scores, values).pearson > 0.9
    half = next(
        one
        for one in within_items(item, text, values, scores, cluster_weights(4, 50, 1))
        if one.rule == "ties_half"
    )
    assert half.agreement.n_tied == 4
    assert half.agreement.accuracy == 0.5


def test_rating_is_compared_with_the_mean_of_others() -> None:
    one, rest = one_against_rest([5, 5, 5, 9, 4, 4], [1, 2, 6, 7, 3, 5])
    assert one.tolist() == [1, 2, 6, 3, 5]
    assert rest.tolist() == [4, 3.5, 1.5, 5, 3]


def test_ceiling_counts_pairs_that_a_judge_rated_differently() -> None:
    # Two outputs of an item, three judges: 1 2 3 and 2 2 1. The first prefers the second output and
    # the others (2.5 and 1.5) the first; the second ties; the third prefers the first output and
    # the others (1.5 and 2) the second. Another item has one output.
    item, presented, judge = (
        [0] * 6 + [1] * 2,
        [4] * 3 + [5] * 3 + [6] * 2,
        [0, 1, 2, 0, 1, 2, 0, 1],
    )
    found = ceiling_within_items(item, presented, judge, [1, 2, 3, 2, 2, 1, 9, 1])
    assert (found.n_concordant, found.n_discordant, found.n_tied) == (0, 2, 0)
    # With a fourth judge, who strongly prefers the first output, the third agrees with the others.
    more = ([*item, 0, 0], [*presented, 4, 5], [*judge, 3, 3])
    found = ceiling_within_items(*more, [1, 2, 3, 2, 2, 1, 9, 1, 9, 1])
    assert (found.n_concordant, found.n_discordant, found.n_tied) == (2, 1, 0)


def test_means_are_of_what_was_shown_and_of_systems() -> None:
    first, means = mean_of([3, 3, 1], [1, 2, 5])
    assert (first.tolist(), means.tolist()) == ([2, 0], [5, 1.5])
    assert system_means(np.array([1, 0, 1]), [4, 1, 6]).tolist() == [1, 5]


def test_a_sample_that_draws_every_item_once_has_the_r_of_all() -> None:
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
