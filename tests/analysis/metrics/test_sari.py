"""SARI: sums done by hand, and the numbers of the original program."""

from pathlib import Path

import numpy as np
import pytest
from metric_requests import SYSTEMS, all_scores, conll14_groups, golden, score, statistics

NAMES = {"nucle": "bleu_sari_nucle_sentence.tsv", "bn10": "bleu_sari_bn_sentence.tsv"}


def parts(source: str, hypothesis: str, references: list[str]) -> list[float]:
    return list(statistics("sari", source, hypothesis, references)[0].values())


def test_parts_by_hand_for_one_reference() -> None:
    assert parts("a b c d", "a b c d", ["a b c d"]) == [1, 0, 0]
    assert score("sari", "a b c d", "a b c d", ["a b c d"]) == pytest.approx(1 / 3)
    # n = 1: a is kept, b deleted, c added, all correctly. n = 2: `a b` is deleted, `a c` added.
    assert parts("a b", "a c", ["a c"]) == [1 / 4, 2 / 4, 2 / 4]
    # n = 1: a kept, the empty token deleted; n = 2: the pair of both deleted.
    assert parts(" a", "a", ["a"]) == [1 / 4, 2 / 4, 0]
    assert parts("A b c d", "a B c d", ["a b C d"]) == [1, 0, 0]


def test_a_second_reference_halves_the_worth_of_a_deletion_it_does_not_make() -> None:
    # n = 1: for keep, P = 1 and R = 1/2 (b could be kept), F1 = 2/3. One of two references deletes
    # b.
    assert parts("a b", "a c", ["a c", "a b"]) == pytest.approx([2 / 3 / 4, 1 / 4, 1 / 2])
    assert score("sari", "a b", "a c", ["a c", "a b"]) == pytest.approx(11 / 36)


def test_repeated_tokens_count_by_their_ratio() -> None:
    # n = 1: source 3 a, hypothesis 2, reference 1: kept 1 of 2 and 1 of 1, F1 = 2/3. One a is
    # deleted, and the reference would keep no more than one: 1 - 1 = 0. n = 2: source 2 `a a`,
    # hypothesis 1, no reference has it: kept 0, deleted 1 of 1. n = 3: deleted 1 of 1.
    assert parts("a a a", "a a", ["a"]) == pytest.approx([2 / 3 / 4, 2 / 4, 0])


def test_max_sari_is_the_best_single_reference() -> None:
    texts = ("a b", "a c")
    single = [score("sari", *texts, [reference]) for reference in ("a c", "a b")]
    assert score("max_sari", *texts, ["a b", "a c"]) == max(single)


@pytest.mark.parametrize(
    ("reference_set", "system"), [(name, s) for name in SYSTEMS for s in SYSTEMS[name]]
)
def test_sentence_sari_equals_the_reference_scores(
    shared: Path, reference_set: str, system: str
) -> None:
    rows = golden(shared, NAMES[reference_set], system)
    ours = all_scores("sari", conll14_groups(shared, reference_set, system))
    np.testing.assert_allclose(ours, [float(row["sari"]) for row in rows], rtol=0, atol=1e-9)
