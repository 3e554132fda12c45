"""The character language model: its probabilities by hand, and the metric."""

from pathlib import Path

import numpy as np
import pytest

from maege.analysis.metrics.char_ngrams import CharModel
from maege.analysis.metrics.own.interface import Unavailable
from maege.char_lm import CharLm


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
