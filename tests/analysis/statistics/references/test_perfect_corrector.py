"""What a perfect corrector scores: by hand."""

import numpy as np
import pytest

from maege.analysis.metrics.scores.f_score import f_of_sums
from maege.analysis.statistics.references.perfect_corrector import (
    Compared,
    best_of_many,
    corpus_interval,
    expected_counts,
    mean_of_sums,
)
from maege.analysis.statistics.samples.profiles import Interval

# Two corrections, given by 3 of 4 and 1 of 4 people; each scores 1 beside itself, 0 beside another.
SAME = Compared(np.eye(2)[..., None], np.array([0.75, 0.25]))


def expected(compared: Compared, n_references: int) -> float:
    """The expected best of the first statistic."""
    return float(best_of_many(compared, compared.statistics[..., 0], n_references)[0])


def test_accuracy_is_the_chance_that_a_reference_equals_the_output() -> None:
    """With one 9/16 + 1/16; with two 3/4 (1 - 1/16) + 1/4 (1 - 9/16)."""
    assert expected(SAME, 1) == pytest.approx(10 / 16)
    assert expected(SAME, 2) == pytest.approx(3 / 4 * 15 / 16 + 1 / 4 * 7 / 16)


def test_the_best_of_many_is_the_mean_of_maxima_over_all_choices() -> None:
    """One output; scores 1, 2, 4 in shares 1/2, 1/4, 1/4: of two, 4 in 7/16, 2 in 5/16, else 1."""
    scores = np.array([[1.0, 2.0, 4.0]] * 3)
    compared = Compared(scores[..., None], np.array([0.5, 0.25, 0.25]))
    assert expected(compared, 1) == 2
    assert expected(compared, 2) == pytest.approx((4 * 7 + 2 * 5 + 1 * 4) / 16)


def test_statistics_go_with_the_preferred_reference() -> None:
    """The second is preferred: of two references it is missed in 9 of 16 cases."""
    statistics = np.array([[[10.0], [20.0]]] * 2)
    preference = np.array([[0.0, 1.0]] * 2)
    found = best_of_many(Compared(statistics, SAME.shares), preference, 2)
    assert found == pytest.approx([10 * 9 / 16 + 20 * 7 / 16])


def test_f_chooses_references_as_it_grows_itself() -> None:
    """One sentence, one output with two edits: beside one reference 1 of 1 agrees, beside the other
    2 of 6. Of two references the first is taken where 1.25 - F 2.25 > 2.5 - F 3.5, so F > 1.

    Since F stays below 1 the second is: 1/2 with one reference, 3/4 with two."""
    counts = np.array([[[1.0, 2.0, 1.0], [2.0, 2.0, 6.0]]] * 2)
    compared = Compared(counts, np.array([0.5, 0.5]))
    assert expected_counts([compared], 1, 0.5) == pytest.approx(np.array([[1.5, 2, 3.5]]))
    assert expected_counts([compared], 2, 0.5) == pytest.approx(np.array([[1.75, 2, 4.75]]))


def test_interval_is_of_the_score_of_sums() -> None:
    few = np.array([[1.0, 2.0, 2.0], [2.0, 2.0, 2.0], [0.0, 1.0, 2.0], [1.0, 1.0, 1.0]])
    rows = np.tile(few, (5, 1))
    found = corpus_interval(rows, lambda sums: f_of_sums(sums, 0.5), 0.95, 1)
    assert found.value == pytest.approx(1.25 * 4 / (6 + 0.25 * 7))
    assert found.low is not None
    assert found.high is not None
    assert 0 < found.low < found.value < found.high <= 1


def test_sentences_that_do_not_differ_or_are_few_give_no_interval() -> None:
    rows = np.array([[0.5, 1.0]] * 20)
    assert corpus_interval(rows, mean_of_sums, 0.95, 1) == Interval(0.5, None, None)
    rows[:10, 0], rows[10:, 0] = 0.0, 1.0
    assert corpus_interval(rows, mean_of_sums, 0.95, 1).low is not None
    assert corpus_interval(rows[1:-1], mean_of_sums, 0.95, 1) == Interval(0.5, None, None)
