"""`maege score` and `maege build` in an installation without optional packages."""

import json
from pathlib import Path

import pytest
from small_corpus import maege, refusal

SOURCE = "He go home .\nI likes tea .\n"
OURS = "He goes home .\nI likes tea .\n"
REFERENCE = "He goes home .\nI like tea .\n"


@pytest.fixture
def texts(tmp_path: Path) -> Path:
    for name, lines in (("source", SOURCE), ("ours", OURS), ("reference", REFERENCE)):
        (tmp_path / f"{name}.txt").write_text(lines, encoding="utf-8")
    return tmp_path


def test_outputs_are_scored_by_sentence_and_as_a_whole(texts: Path) -> None:
    ours, source, reference = (texts / f"{name}.txt" for name in ("ours", "source", "reference"))
    line = ("score", "ld", ours, reference, "--source", source)
    shown = maege(texts, *line, "--level", "sentence").stdout.splitlines()
    # Two of twelve characters were inserted, and one of thirteen was deleted.
    assert [row.split("\t") for row in shown] == [
        ["system", "sentence_id", "score"],
        ["ours", "0", "0.833333"],
        ["ours", "1", "1"],
        ["reference", "0", "0.833333"],
        ["reference", "1", "0.923077"],
    ]
    answer = json.loads(maege(texts, *line, "--json").stdout)
    assert answer["scores"]["ours"] == pytest.approx((1 + 10 / 12) / 2)
    assert answer["signature"].startswith("ld|")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("chrf", "longer.txt", "--refs", "reference.txt"), "found 4 lines"),
        (("ld", "longer.txt", "longer.txt"), "found the same file as"),
        (("glue", "ours.txt"), "no metric is called 'glue'"),
        (("m2", "longer.txt", "--gold", "gold.m2"), "found 4 lines"),
        (
            ("m2", "ours.txt", "--gold", "gold.m2", "--source", "ours.txt"),
            "choose one of --gold and",
        ),
        (("m2", "ours.txt", "--gold", "gold.m2", "--refs", "ours.txt"), "choose one of --gold and"),
        (("m2", "ours.txt", "--gold", "ours.txt"), "no S line"),
        (("m2", "ours.txt", "--gold", "absent.m2"), "absent.m2"),
    ],
)
@pytest.mark.usefixtures("gold")
def test_files_that_do_not_fit_and_unknown_metrics_are_refused(
    texts: Path, arguments: tuple[str, ...], message: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(texts)
    Path("longer.txt").write_text(OURS * 2, encoding="utf-8")
    assert message in refusal(texts, "score", *arguments)


GOLD = """S He go home .
A 1 2|||R:VERB:SVA|||goes|||REQUIRED|||-NONE-|||0
A 1 2|||R:VERB:TENSE|||went|||REQUIRED|||-NONE-|||1

S I likes tea .
A 1 2|||R:VERB:SVA|||like|||REQUIRED|||-NONE-|||0

"""
THEIRS = """S He go home .
A 1 2|||R:VERB:TENSE|||went|||REQUIRED|||-NONE-|||0

S I likes tea .

"""


@pytest.fixture
def gold(texts: Path) -> Path:
    (texts / "theirs.m2").write_text(THEIRS, encoding="utf-8")
    path = texts / "gold.m2"
    path.write_text(GOLD, encoding="utf-8")
    return path


def test_gold_edits_of_all_annotators_count(texts: Path, gold: Path) -> None:
    outputs = texts / "ours.txt", texts / "theirs.m2", texts / "reference.txt"
    # One annotator has no line for the second sentence and is skipped, so that `ours` and `theirs`
    # have P 1 and R 1/2: F0.5 is 1.25 * .5 / (.25 + .5).
    for metric in ("m2", "errant"):
        line = ("score", metric, *outputs, "--gold", gold, "--language", "xx", "--json")
        scores = json.loads(maege(texts, *line).stdout)["scores"]
        half = pytest.approx(0.625 / 0.75)
        assert scores == {"ours": half, "theirs": half, "reference": 1}


def test_a_build_without_dbt_names_the_extra_that_has_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "dbt_project.yml").touch()
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("maege.building.run.find_spec", lambda _: None)
    refused = maege(tmp_path, "build")
    assert refused.exit_code == 1
    assert refused.stderr == "dbt, which builds, is not installed: pip install 'maege[warehouse]'\n"
