"""BLEU: NLTK's smoothing 3 at MAEGE's orders, and iBLEU on top of it."""

from pathlib import Path

import numpy as np
import pytest
from metric_requests import SYSTEMS, all_scores, conll14_groups, golden, score, statistics

NAMES = {"nucle": "bleu_sari_nucle_sentence.tsv", "bn10": "bleu_sari_bn_sentence.tsv"}


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


@pytest.mark.parametrize(
    ("reference_set", "system"), [(name, s) for name in SYSTEMS for s in SYSTEMS[name]]
)
def test_sentence_bleu_equals_the_reference_scores(
    shared: Path, reference_set: str, system: str
) -> None:
    rows = golden(shared, NAMES[reference_set], system)
    ours = all_scores("bleu", conll14_groups(shared, reference_set, system))
    np.testing.assert_allclose(ours, [float(row["bleu"]) for row in rows], rtol=0, atol=1e-12)
