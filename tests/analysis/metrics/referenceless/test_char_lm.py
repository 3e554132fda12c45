"""The character language model: its probabilities by hand, and the metric."""

import math
from collections import Counter, defaultdict
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from maege.analysis.metrics.char_ngrams import ORDER, CharModel
from maege.analysis.metrics.own.interface import Unavailable
from maege.char_lm import CharLm

TEXTS = st.text(alphabet="ab cü", max_size=9)


class PlainModel:
    """A direct implementation, one character at a time."""

    def __init__(self, texts: Sequence[str], order: int) -> None:
        self.order = order
        self.after: dict[str, Counter[str]] = defaultdict(Counter)
        for text in texts:
            for history, symbol in self.steps(text):
                for start in range(order):
                    self.after[history[start:]][symbol] += 1
        self.base = 1 / (len(self.after[""]) + 1)

    def steps(self, text: str) -> list[tuple[str, str]]:
        """Return every character and the end with the characters before it; ^ starts, $ ends."""
        padded = "^" * (self.order - 1) + text + "$"
        return [
            (padded[place - self.order + 1 : place], padded[place])
            for place in range(self.order - 1, len(padded))
        ]

    def probability(self, history: str, symbol: str) -> float:
        shorter = self.probability(history[1:], symbol) if history else self.base
        counts = self.after.get(history)
        if not counts:
            return shorter
        return (counts[symbol] + len(counts) * shorter) / (counts.total() + len(counts))

    def score(self, text: str) -> float:
        return math.fsum(math.log(self.probability(*step)) for step in self.steps(text))


def test_probabilities_of_two_texts_are_those_done_by_hand() -> None:
    # The predicted symbols are a, b, end, a, end, three different ones: p(a) = p(end) = (2 + 3/4) /
    # (5 + 3) = 11/32, p(b) = 7/32, anything else 3/32. The start is followed only by a (twice), a
    # by b and by the end, b by the end.
    model = CharModel(["ab", "a"], order=2)
    a_first = (2 + 11 / 32) / 3
    expected = {
        "ab": a_first * (1 + 2 * 7 / 32) / 4 * (1 + 11 / 32) / 2,
        "a": a_first * (1 + 2 * 11 / 32) / 4,
        "": 11 / 32 / 3,
        # An unseen character, then an unseen history.
        "z": (3 / 32 / 3) * 11 / 32,
    }
    assert np.exp(model.score(list(expected))) == pytest.approx(list(expected.values()), rel=1e-12)


@given(st.lists(TEXTS, min_size=1, max_size=6), st.lists(TEXTS, min_size=1, max_size=4))
def test_arrays_give_what_the_definition_gives(trained: list[str], scored: list[str]) -> None:
    plain = PlainModel(trained, ORDER)
    assert CharModel(trained).score(scored) == pytest.approx(
        [plain.score(text) for text in scored], rel=1e-9
    )


@pytest.fixture
def files(tmp_path: Path) -> tuple[str, str]:
    for name, lines in (("texts", "ab\n\na\n"), ("sources", "b\nab")):
        (tmp_path / name).write_text(lines, encoding="utf-8")
    return str(tmp_path / "texts"), str(tmp_path / "sources")


def test_score_is_the_mean_over_characters_and_the_end(files: tuple[str, str]) -> None:
    texts, sources = files
    metric, ratio = CharLm(texts), CharLm(texts, sources)
    metric.setup("cpu")
    ratio.setup("cpu")
    log_p = CharModel(["ab", "a"]).score(["ab"])[0]
    source_log_p = CharModel(["b", "ab"]).score(["ab"])[0]
    assert metric.score_batch(["ab"]) == [log_p / 3]
    assert ratio.score_batch(["ab"]) == [pytest.approx((log_p - source_log_p) / 3)]


def test_signature_changes_with_the_texts(files: tuple[str, str]) -> None:
    texts, sources = files
    signatures = {CharLm(texts).signature(), CharLm(texts, sources).signature()}
    Path(texts).write_text("abc\n", encoding="utf-8")
    assert len({*signatures, CharLm(texts).signature()}) == 3


def test_file_without_texts_makes_it_unavailable(tmp_path: Path) -> None:
    empty = tmp_path / "empty"
    empty.write_text("\n \n", encoding="utf-8")
    for path in (empty, tmp_path / "absent"):
        with pytest.raises(Unavailable, match=path.name):
            CharLm(str(path)).setup("cpu")


def test_a_text_has_the_same_number_alone_and_among_others() -> None:
    texts = [f"{'abc ' * (n % 7)}{n}" for n in range(300)]
    model = CharModel(texts[:100])
    alone = np.concatenate([model.score([text]) for text in texts])
    np.testing.assert_array_equal(model.score(texts), alone)
    assert model.score([]).shape == (0,)
