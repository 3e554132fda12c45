"""`maege score` and `maege build` in an installation without optional packages."""

import json
from pathlib import Path

import pytest
from small_corpus import maege

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


def test_files_that_do_not_fit_and_unknown_metrics_are_refused(texts: Path) -> None:
    longer = texts / "longer.txt"
    longer.write_text(OURS * 2, encoding="utf-8")
    unequal = maege(texts, "score", "chrf", longer, "--refs", texts / "reference.txt")
    assert unequal.exit_code == 2
    assert "found    4 lines" in unequal.stderr
    same = maege(texts, "score", "ld", longer, longer)
    assert same.exit_code == 2
    assert "found    the same file as" in same.stderr
    unknown = maege(texts, "score", "glue", texts / "ours.txt")
    assert unknown.exit_code == 2
    assert "no metric is called 'glue'" in unknown.stderr
    assert "gleu" in unknown.stderr


def test_a_build_without_dbt_names_the_extra_that_has_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "dbt_project.yml").touch()
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("maege.building.run.find_spec", lambda _: None)
    refused = maege(tmp_path, "build")
    assert refused.exit_code == 1
    assert refused.stderr == "dbt, which builds, is not installed: pip install 'maege[warehouse]'\n"
