"""BLEU, chrF, GREEN and edit distances: sums by hand, and the numbers of the original programs."""

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from metric_requests import (
    SYSTEMS,
    all_scores,
    all_statistics,
    conll14_groups,
    golden,
    group,
    score,
    statistics,
)
from sacrebleu.metrics.chrf import CHRF

from maege.analysis.metrics.chrf import ChrfScore
from maege.analysis.metrics.green import GreenScore

BLEU_AND_SARI = {"nucle": "bleu_sari_nucle_sentence.tsv", "bn10": "bleu_sari_bn_sentence.tsv"}


def test_orders_without_a_match_are_smoothed_by_successive_halves() -> None:
    # Matches 3/4, 1/3, 0/2, 0/1: the zeros become 1/(2*2) and 1/(4*1).
    assert score("bleu", "", "a b c d", ["a b x d"]) == pytest.approx((1 / 64) ** 0.25)


def test_closest_reference_and_order_ignore_empty_references() -> None:
    row = statistics("bleu", "", "a a b", ["a x b", "a a y", "b"])[0]
    assert [row[f"match_{n}"] for n in (1, 2, 3, 4)] == [3, 1, 0, 0]
    row = statistics("bleu", "", "a b c", ["a b c d", "a b"])[0]
    assert row["closest_reference_length"] == 2
    assert statistics("bleu", "", "a b c", ["", "a b", "a b c d"])[0]["order"] == 2
    assert statistics("bleu", "", "a b c d e", [""])[0]["order"] == 4


def test_no_match_scores_zero_and_brevity_is_penalised() -> None:
    assert score("bleu", "", "a b", ["a b c d"]) == pytest.approx(np.exp(1 - 4 / 2))

    assert score("bleu", "", "", ["a b"]) == 0
    assert score("bleu", "", "x y", ["a b"]) == 0
    assert score("bleu", "", "a", [""]) == 0


def test_source_bleu_equals_bleu_with_the_source_as_reference() -> None:
    assert statistics("source_bleu", "a b b", "b b c") == statistics("bleu", "", "b b c", ["a b b"])


def test_ibleu_adds_a_fifth_of_source_bleu_and_ibleu_minus_subtracts_it() -> None:
    texts = ("a b c d", "a b c d", ["a b x d"])
    with_reference = (1 / 64) ** 0.25
    assert score("ibleu", *texts) == pytest.approx(0.8 * with_reference + 0.2)
    assert score("ibleu_minus", *texts) == pytest.approx(0.8 * with_reference - 0.2)


@pytest.mark.parametrize(("metric", "tolerance"), [("bleu", 1e-12), ("sari", 1e-9)])
@pytest.mark.parametrize(
    ("reference_set", "system"), [(name, s) for name in SYSTEMS for s in SYSTEMS[name]]
)
def test_sentence_scores_equal_the_reference_scores(
    shared: Path, reference_set: str, system: str, metric: str, tolerance: float
) -> None:
    rows = golden(shared, BLEU_AND_SARI[reference_set], system)
    ours = all_scores(metric, conll14_groups(shared, reference_set, system))
    np.testing.assert_allclose(ours, [float(row[metric]) for row in rows], rtol=0, atol=tolerance)


TEXTS = st.text(alphabet="ab c.", max_size=12)


def test_chrf_by_hand() -> None:
    (counts,) = statistics("chrf", "", "ab c", ["abd"])
    assert [counts[f"hypothesis_{n}"] for n in range(1, 7)] == [3, 2, 1, 0, 0, 0]
    assert [counts[f"match_{n}"] for n in range(1, 4)] == [2, 1, 0]
    # For each of the three orders P and R: P = R = (2/3 + 1/2 + 0) / 3.
    assert score("chrf", "", "ab c", ["abd"]) == pytest.approx((2 / 3 + 1 / 2) / 3)

    # P = 1; R = (1/2 + 0) / 1 over the only order that both texts have.
    assert score("chrf", "", "a", ["ab"]) == pytest.approx(5 * 0.5 / (4 + 0.5))
    assert score("chrf", "", "ab", ["a"]) == pytest.approx(5 * 0.5 / (4 * 0.5 + 1))

    assert score("chrf", "", "a good text", ["xyz", "a good text"]) == 1
    assert score("chrf", "", "abc", ["xyz"]) == 0
    assert score("chrf", "", "", ["xyz"]) == 0


@settings(deadline=None)
@given(st.lists(st.tuples(TEXTS, st.lists(TEXTS, min_size=2, max_size=2)), min_size=1, max_size=6))
def test_chrf_is_sacrebleus(corpus: list[tuple[str, list[str]]]) -> None:
    groups = [group("", hypothesis, references) for hypothesis, references in corpus]
    peer = CHRF()
    expected = [peer.sentence_score(hypothesis, refs).score for hypothesis, refs in corpus]
    assert (100 * all_scores("chrf", groups)).tolist() == expected
    transposed = list(zip(*(references for _, references in corpus), strict=True))
    corpus_score = peer.corpus_score([hypothesis for hypothesis, _ in corpus], transposed).score
    addends = ChrfScore().addends(all_statistics("chrf", groups))
    assert float(100 * ChrfScore().of_sums(addends.sum(axis=0))) == corpus_score


def test_ld_divides_by_the_length_of_the_source() -> None:
    # kitten -> sitting takes three edits.
    assert score("ld", "kitten", "sitting") == pytest.approx(1 - 3 / 6)
    assert score("ld", "sitting", "kitten") == pytest.approx(1 - 3 / 7)

    assert score("ld", "a", "abcd") == -2

    assert score("ld", "", "abc") == 1


def test_case_and_spaces_count_and_bytes_do_not() -> None:
    assert list(statistics("source_distance", "A b", "a  b")[0].values()) == [2, 3, 4]
    assert statistics("source_distance", "naïve", "naive")[0]["source_length"] == 5


def test_min_ld_is_the_similarity_to_the_nearest_reference() -> None:
    assert score("min_ld", "", "sitting", ["kitten", "sittings", "x"]) == pytest.approx(1 - 1 / 8)
    assert score("min_ld", "", "abc", [""]) == 1
    assert score("min_ld", "", "abd", ["", "abc"]) == 1


REFERENCE_SETS = {"nucle_text": "nucle", "bn10": "bn10"}
GREEN_SYSTEMS = ("AMU", "CAMB", "IITB", "INPUT", "UFC")


def green_counts(source: str, hypothesis: str, reference: str, order: int) -> tuple[float, ...]:
    row = statistics("green", source, hypothesis, [reference])[0]
    return tuple(row[f"{part}_{order}"] for part in ("tp", "fp", "fn"))


def test_green_counts_by_hand() -> None:
    # a and d are kept by both texts, b is deleted by both, c is inserted by both.
    assert green_counts("a b d", "a c d", "a c d", 1) == (4, 0, 0)

    # Only the hypothesis deletes b and inserts x; only the reference deletes c and inserts y.
    assert green_counts("a b c", "a c x", "a b y", 1) == (1, 2, 2)

    # a occurs 3 times in the source, once in the hypothesis, twice in the reference. Both keep one
    # and delete one; the hypothesis deletes one too many.
    assert green_counts("a a a", "a", "a a", 1) == (2, 1, 0)


def test_four_tokens_are_needed_and_the_best_reference_counts() -> None:
    # There is no 4-gram, and recall is 0 if there is nothing to find.
    assert score("green", "a b c", "a b c", ["a b c"]) == 0
    assert score("green", "a b c d", "a b c d", ["a b c d"]) == 1

    texts = ("a b c d e", "a b c d f")
    assert score("green", *texts, ["a b c d e", "a b c d f"]) == 1
    assert score("green", *texts, ["a b c d e"]) < 1


@pytest.mark.parametrize("system", GREEN_SYSTEMS)
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
