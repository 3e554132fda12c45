"""LD and MinLD: similarity by edit distance in characters."""

import pytest
from metric_requests import score, statistics


def test_ld_divides_by_the_length_of_the_source() -> None:
    # kitten -> sitting takes three edits.
    assert score("ld", "kitten", "sitting") == pytest.approx(1 - 3 / 6)
    assert score("ld", "sitting", "kitten") == pytest.approx(1 - 3 / 7)


def test_ld_falls_below_zero_for_a_far_longer_hypothesis() -> None:
    assert score("ld", "a", "abcd") == -2


def test_empty_source_scores_one() -> None:
    assert score("ld", "", "abc") == 1


def test_an_empty_reference_scores_one_as_in_the_published_run() -> None:
    assert score("min_ld", "", "abc", [""]) == 1
    assert score("min_ld", "", "abd", ["", "abc"]) == 1


def test_case_and_spaces_count() -> None:
    assert statistics("source_distance", "A b", "a  b")[0] == {
        "distance": 2,
        "source_length": 3,
        "hypothesis_length": 4,
    }


def test_lengths_are_characters_not_bytes() -> None:
    assert statistics("source_distance", "naïve", "naive")[0]["source_length"] == 5


def test_min_ld_is_the_similarity_to_the_nearest_reference() -> None:
    assert score("min_ld", "", "sitting", ["kitten", "sittings", "x"]) == pytest.approx(1 - 1 / 8)
