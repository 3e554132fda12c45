"""GREEN: counts done by hand, and the numbers of the original program."""

from pathlib import Path

import numpy as np
import pytest
from metric_requests import all_statistics, conll14_groups, golden, score, statistics

from maege.analysis.metrics.green import GreenScore

REFERENCE_SETS = {"nucle_text": "nucle", "bn10": "bn10"}
SYSTEMS = ("AMU", "CAMB", "IITB", "INPUT", "UFC")


def counts(source: str, hypothesis: str, reference: str, order: int) -> tuple[float, ...]:
    row = statistics("green", source, hypothesis, [reference])[0]
    return tuple(row[f"{part}_{order}"] for part in ("tp", "fp", "fn"))


def test_counts_by_hand() -> None:
    # a and d are kept by both texts, b is deleted by both, c is inserted by both.
    assert counts("a b d", "a c d", "a c d", 1) == (4, 0, 0)

    # Only the hypothesis deletes b and inserts x; only the reference deletes c and inserts y.
    assert counts("a b c", "a c x", "a b y", 1) == (1, 2, 2)

    # a occurs 3 times in the source, once in the hypothesis, twice in the reference. Both keep one
    # and delete one; the hypothesis deletes one too many.
    assert counts("a a a", "a", "a a", 1) == (2, 1, 0)


def test_four_tokens_are_needed_and_the_best_reference_counts() -> None:
    # There is no 4-gram, and recall is 0 if there is nothing to find.
    assert score("green", "a b c", "a b c", ["a b c"]) == 0
    assert score("green", "a b c d", "a b c d", ["a b c d"]) == 1

    texts = ("a b c d e", "a b c d f")
    assert score("green", *texts, ["a b c d e", "a b c d f"]) == 1
    assert score("green", *texts, ["a b c d e"]) < 1


@pytest.mark.parametrize("system", SYSTEMS)
@pytest.mark.parametrize("reference_set", REFERENCE_SETS)
def test_scores_and_choices_equal_the_reference_scores(
    shared: Path, reference_set: str, system: str
) -> None:
    groups = conll14_groups(shared, REFERENCE_SETS[reference_set], system)
    rows = [
        row
        for row in golden(shared, "green_sentence.tsv", system)
        if (row["refset"], row["tokens"]) == (reference_set, "word")
    ]
    counted = all_statistics("green", groups)
    for beta, column in ((1.0, "f_b1"), (2.0, "f_b2")):
        expected = [float(row[column]) for row in rows]
        scores = GreenScore(beta).sentence_scores({"green": counted})
        np.testing.assert_allclose(scores, expected, rtol=0, atol=1e-9)
    chosen = GreenScore().choose(counted[np.newaxis])[0]
    assert chosen.tolist() == [int(row["chosen_b2"]) for row in rows]
    for row in golden(shared, "green_corpus.tsv", system):
        if (row["refset"], row["tokens"]) == (reference_set, "word"):
            green = GreenScore(float(row["beta"]))
            sums = green.addends(counted[np.newaxis]).sum(axis=1)
            names = [f"{part}{n}" for part in ("tp", "fp", "fn") for n in range(1, 5)]
            assert sums[0].tolist() == [float(row[name]) for name in names]
            assert float(green.of_sums(sums)[0]) == pytest.approx(float(row["f_n1_4"]), abs=1e-9)
