"""chrF against sums by hand, and against sacreBLEU to the last bit."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from metric_requests import all_scores, all_statistics, group, score, statistics
from sacrebleu.metrics.chrf import CHRF

from maege.analysis.metrics.chrf import ChrfScore

TEXTS = st.text(alphabet="ab c.", max_size=12)


def test_precision_and_recall_by_hand() -> None:
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
def test_scores_are_sacrebleus(corpus: list[tuple[str, list[str]]]) -> None:
    groups = [group("", hypothesis, references) for hypothesis, references in corpus]
    peer = CHRF()
    expected = [peer.sentence_score(hypothesis, refs).score for hypothesis, refs in corpus]
    assert (100 * all_scores("chrf", groups)).tolist() == expected
    transposed = list(zip(*(references for _, references in corpus), strict=True))
    corpus_score = peer.corpus_score([hypothesis for hypothesis, _ in corpus], transposed).score
    addends = ChrfScore().addends(all_statistics("chrf", groups))
    assert float(100 * ChrfScore().of_sums(addends.sum(axis=0))) == corpus_score


def test_requests_that_share_references_are_scored_alike() -> None:
    first, second = group("", "abc d", ["abc", "bcd"]), group("", "x", ["x y", "z"])
    together = all_statistics("chrf", [first, second])
    alone = [all_statistics("chrf", [requests]) for requests in (first, second)]
    np.testing.assert_array_equal(together, np.concatenate(alone))
