"""Judgments of a crowd's corrections: comparison with the corrections, and rejected rows."""

from pathlib import Path

import pytest
from test_corrections import ANSWERS, MANIFEST, findings, ingest, stored

JUDGED = """\
sentence\tcorrection\tworker\tvalid
He go home .\tHe goes home!\tdan\tYes
He go home .\tHe goes home .\teve\tNo
She go .\tNobody wrote this .\tdan\tNo
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("MAEGE_WAREHOUSE", str(tmp_path / "warehouse"))
    (tmp_path / "manifest.yml").write_text(f"{MANIFEST}validity: judged.tsv\n", encoding="utf-8")
    (tmp_path / "answers.tsv").write_text(ANSWERS, encoding="utf-8")
    (tmp_path / "judged.tsv").write_text(JUDGED, encoding="utf-8")
    return tmp_path


def test_judgments_are_compared_as_corrections_are(folder: Path) -> None:
    assert ingest(folder).exit_code == 0
    rows = stored(
        folder,
        "select line, sentence_id, compared, is_valid from raw.validity_judgements order by line",
    )
    assert rows == [
        (2, 0, "He goes home", True),
        (3, 0, "He goes home", False),
        (4, 1, "Nobody wrote this", False),
    ]
    # A judge has one pseudonym in both files.
    workers = "select worker from raw.corrections union select worker from raw.validity_judgements"
    pseudonyms = {worker for (worker,) in stored(folder, workers)}
    assert len(pseudonyms) == 4
    assert not {"ann", "bob", "dan", "eve"} & pseudonyms


@pytest.mark.parametrize(
    ("row", "found"),
    [
        ("He go home .\tHe goes .\tdan\tyes", 'the verdict "yes"'),
        ("He go home .\tHe goes .\t\tYes", "no worker"),
        ("They go .\tThey go .\tdan\tYes", 'a judgment of the sentence "They go ."'),
        ("He go home .\tHe goes .\tYes", '3 columns: "He go home .'),
    ],
)
def test_faults_are_named_with_their_line(folder: Path, row: str, found: str) -> None:
    (folder / "judged.tsv").write_text(f"{JUDGED}{row}\n", encoding="utf-8")
    line, problem = findings(ingest(folder))[0]
    assert (line, problem[: len(found)]) == (5, found)
    assert not (folder / "warehouse" / "build.duckdb").exists()


def test_judgments_need_corrections_to_judge(folder: Path) -> None:
    (folder / "source.txt").write_text("He go home .\n", encoding="utf-8")
    manifest = MANIFEST.replace("corrections: answers.tsv", "source: source.txt")
    (folder / "manifest.yml").write_text(f"{manifest}validity: judged.tsv\n", encoding="utf-8")
    assert findings(ingest(folder)) == [(6, "validity, and no corrections that it judges")]


def test_a_column_of_another_name_is_named_in_the_manifest(folder: Path) -> None:
    (folder / "judged.tsv").write_text(JUDGED.replace("valid", "is_valid"), encoding="utf-8")
    entry = "validity: {file: judged.tsv, columns: {valid: is_valid}}\n"
    (folder / "manifest.yml").write_text(MANIFEST + entry, encoding="utf-8")
    assert ingest(folder).exit_code == 0
    wrong = "validity: {file: judged.tsv, columns: {verdict: is_valid}}\n"
    (folder / "manifest.yml").write_text(MANIFEST + wrong, encoding="utf-8")
    assert findings(ingest(folder)) == [(6, 'the unknown key "verdict"')]
