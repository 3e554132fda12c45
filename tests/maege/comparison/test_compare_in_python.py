"""`maege.compare`: the numbers of the command as objects and frames."""

from pathlib import Path
from typing import Any

import pytest

import maege
from maege.comparison.api import Compared, ComparisonError

SOURCES = ["He go home .", "I likes tea ."]
REFERENCE = ["He goes home .", "I like tea ."]
BASE, OURS = ["He goes home .", "I likes tea ."], REFERENCE


def compared(**settings: Any) -> Compared:
    arguments: dict[str, Any] = {
        "outputs": {"base": BASE, "ours": OURS},
        "sources": SOURCES,
        "references": [REFERENCE],
        "language": "xx",
        "resamples": 100,
        "cache": False,
        **settings,
    }
    return maege.compare(None, **arguments)


def test_frames_equal_the_result() -> None:
    comparison = compared()
    scores = comparison.scores.set_index(["system", "metric"])
    assert scores.loc[("base", "errant"), ["tp", "fp", "fn"]].tolist() == [1, 0, 1]
    assert scores.loc[("ours", "errant"), "score"] == 1
    # F.5 of P 1 and R .5 is 1.25 * .5 / .75.
    (errant, *_) = comparison.result.comparisons
    assert errant.difference == pytest.approx(1 - 0.625 / 0.75)
    assert comparison.comparisons["metric"].tolist() == ["errant", "m2", "gleu"]
    assert comparison.edits[["list", "sentence", "correction"]].values.tolist() == [
        ["gained", 1, "like"]
    ]
    assert len(comparison.sentences) == 4
    assert comparison.record["schema"] == "maege-compare/1"


def test_files_are_named_by_their_names(tmp_path: Path) -> None:
    gold, ours = tmp_path / "gold.m2", tmp_path / "ours.txt"
    gold.write_text("S He go home .\nA 1 2|||R:VERB:SVA|||goes|||REQUIRED|||-NONE-|||0\n\n")
    ours.write_text("He goes home .\n")
    comparison = maege.compare(gold, [ours], language="xx", cache=False)
    assert [system.name for system in comparison.result.systems] == ["ours"]
    assert comparison.result.systems[0].scores["errant"].value == 1


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"gold_edits": "type"}, "gold_edits: found 'type'; .*did you mean typed"),
        ({"cat": 4}, "cat: found 4; expected a whole number from 1 to 3"),
        ({"language": "English"}, "language: found 'English'; expected a tag of BCP 47"),
        ({"outputs": {"a": ["x", None]}}, r"outputs\['a'\]\[1\] is missing: found None"),
        ({"outputs": {}}, "outputs: found "),
        ({"sources": None, "references": None}, "found neither"),
        ({"types": ["R:VERBB"], "language": "en"}, "types: no error type .* did you mean R:VERB"),
    ],
)
def test_invalid_arguments_are_refused_with_what_is_expected(
    settings: dict[str, Any], message: str
) -> None:
    with pytest.raises(ComparisonError, match=message):
        compared(**settings)


def test_a_comparison_prints_as_the_command() -> None:
    text = str(compared(resamples=0, metrics=["errant"]))
    # F.5 of base is .625 / .75 = .8333, that of ours 1.
    assert text.startswith("By ERRANT F0.5 ours scores higher than base (+0.167).")
    assert "srcdoc=" in compared(resamples=0)._repr_html_()
