"""LD and MinLD: similarity by edit distance in characters."""

import pytest
from metric_requests import score, statistics


def test_ld_divides_by_the_length_of_the_source() -> None:
    # kitten -> sitting takes three edits.
    assert score("ld", "kitten", "sitting") == pytest.approx(1 - 3 / 6)
    assert score("ld", "sitting", "kitten") == pytest.approx(1 - 3 / 7)

    assert score("ld", "a", "abcd") == -2

    assert score("ld", "", "abc") == 1


def test_case_and_spaces_count_and_bytes_do_not() -> None:
    assert statistics("source_distance", "A b", "a  b")[0] == {
        "distance": 2,
        "source_length": 3,
        "hypothesis_length": 4,
    }

    assert statistics("source_distance", "naïve", "naive")[0]["source_length"] == 5


def test_min_ld_is_the_similarity_to_the_nearest_reference() -> None:
    assert score("min_ld", "", "sitting", ["kitten", "sittings", "x"]) == pytest.approx(1 - 1 / 8)
    assert score("min_ld", "", "abc", [""]) == 1
    assert score("min_ld", "", "abd", ["", "abc"]) == 1
