"""The computations of Asano et al. 2017, and correlations as the scripts of SEEDA compute them."""

import math

import numpy as np
import pytest

from maege.analysis.papers.referenceless import (
    EXAMPLE_SENTENCE,
    correctors_only,
    correlations,
    joined,
    kept_places,
    metrics_of_parts,
    oracle,
    rows_of_experts,
    rows_of_parts,
    token_counts,
)

HUMAN = np.array([3.0, 2.0, 1.0])


def test_the_papers_own_reading_of_a_part_comes_first() -> None:
    scores = dict.fromkeys(("meaning", "meaning_meteor", "grammaticality", "lt"), HUMAN)
    assert metrics_of_parts(scores) == {
        "grammaticality": "grammaticality",
        "meaning": "meaning_meteor",
    }


def test_rows_whose_parts_have_scored_are_correlated() -> None:
    # The weights .83 and .10 of the two parts give 1.66, .93 and .2, which are on a straight line
    # like the judges' scores.
    scores = {"fluency": np.array([2.0, 1.0, 0.0]), "meaning": np.array([0.0, 1.0, 2.0])}
    rows = list(rows_of_parts(HUMAN, scores))
    assert [(*row[1:3], row.made_of) for row in rows] == [
        ("meaning", "rho", "meaning"),
        ("meaning", "r", "meaning"),
        ("fluency", "rho", "fluency"),
        ("fluency", "r", "fluency"),
        ("meaning_fluency", "rho", "meaning and fluency"),
        ("meaning_fluency", "r", "meaning and fluency"),
    ]
    assert [row.reproduced for row in rows] == pytest.approx([-1, -1, 1, 1, 1, 1])


def test_the_oracle_is_the_best_of_all_weights() -> None:
    # The first part alone has r = 1/2, the second .87. Equal weights of both give 2, 1 and 0.
    scores = {
        "grammaticality_gug": np.array([1.0, 2.0, 0.0]),
        "fluency": np.array([3.0, 0.0, 0.0]),
        "meaning": np.array([0.0, 0.0, 0.0]),
    }
    rows = {row.column_label: row for row in oracle(HUMAN, scores)}
    assert rows["rho"].reproduced == pytest.approx(1)
    assert rows["r"].reproduced == pytest.approx(1)
    assert rows["r"].made_of == "grammaticality_gug, fluency and meaning"
    assert list(oracle(HUMAN, {"fluency": HUMAN})) == []


def test_annotators_without_changes_do_not_count_with_others() -> None:
    # tp, proposed, gold, approximated: of two annotators the first corrects nothing; no annotator
    # corrects the second sentence; the first annotator has no line for the third.
    absent = [math.nan] * 4
    statistics = np.array(
        [
            [[0, 1, 0, 0], [1, 1, 2, 0]],
            [[0, 1, 0, 0], [0, 1, 0, 0]],
            [absent, [0, 0, 1, 0]],
        ],
        dtype=np.float64,
    )
    expected = statistics.copy()
    expected[0, 0] = math.nan
    np.testing.assert_array_equal(correctors_only(statistics), expected)


def test_references_that_are_official_again_are_read_once() -> None:
    names = [
        ("reassess16", 1, "turker_fluencyA"),
        ("reassess16", 0, "expert_fluencyA"),
        ("bn10", 0, "BN2"),
        ("bn10", 1, "BN3"),
        ("nucle", 0, "NUCLEA"),
        ("maege8", 0, "BN1"),
    ]
    places = kept_places(names, ["expert_fluencyA"])
    assert places == {"nucle": [0], "bn10": [0], "reassess16": [1]}
    statistics_by_set = {
        "nucle": np.array([[1.0], [9.0]]),
        "bn10": np.array([[2.0], [9.0]]),
        "reassess16": np.array([[9.0], [3.0]]),
    }
    assert joined(statistics_by_set, places).tolist() == [[1], [2], [3]]


def test_experts_texts_are_ranked_and_two_sentences_of_them_are_printed() -> None:
    sentences = np.zeros((4, EXAMPLE_SENTENCE + 1))
    sentences[:, EXAMPLE_SENTENCE] = 0.1, 0.2, 0.3, 0.4
    run = np.array([0.5, 0.9, 0.7, 0.7])
    definition = np.full(4, math.nan)
    numbers = {row[:3]: row for row in rows_of_experts("m2", sentences, run, definition, "m2")}
    texts = ("flu_a", "flu_b", "min_a", "min_b")
    assert [numbers["table_2", text, "m2"].reproduced for text in texts] == [0.5, 0.9, 0.7, 0.7]
    assert [numbers["table_2", text, "m2_rank"].reproduced for text in texts] == [4, 1, 2, 2]
    assert math.isnan(numbers["table_2", "flu_a", "m2_rank"].corrected)
    assert numbers["table_3", "minimal", "m2"].reproduced == 0.3
    assert numbers["table_3", "fluent", "m2"].reproduced == 0.2
    assert len(numbers) == 10


def test_tokens_between_single_spaces_may_be_empty() -> None:
    assert token_counts(["a b", " a b", "a  b ", ""]).tolist() == [2, 3, 3, 1]


def test_systems_without_a_human_score_do_not_count() -> None:
    # Ranks 1, 2, 3 and 1, 3, 2: rho = 1 - 6 * 2 / 24. r of 0, 1, 2 and 0, 2, 1 has the same value.
    scores = {"a": 0.0, "b": 2.0, "c": 1.0, "z": 9.0}
    coefficients_by_name = correlations({"c": 2.0, "a": 0.0, "b": 1.0}, scores)
    assert coefficients_by_name == {"r": pytest.approx(0.5), "rho": pytest.approx(0.5)}
    assert correlations({"a": 1.0}, scores) == {}
