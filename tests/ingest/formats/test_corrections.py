"""Corrections by crowd workers: accepted, excluded and rejected rows."""

import json
from pathlib import Path

import duckdb
import pytest
from typer.testing import CliRunner, Result

from maege.cli import app
from maege.ingest.findings import Findings
from maege.ingest.formats.crowd import normalised, parse_corrections, parse_estimate
from maege.ingest.manifest_schema import CorrectionColumns, Corrections

MANIFEST = """\
corpus: crowd
title: Answers
licence: CC0-1.0
origin: written for tests
corrections: answers.tsv
"""
ANSWERS = """\
sentence\tcorrection\tworker\tstatus
He go home .\tHe goes home .\tann\tApproved
He go home .\the goes home\tbob\tApproved
He go home .\tgibberish\teve\tRejected
She go .\t"She
goes ."\tann\tApproved
She go .\t...\tbob\tApproved
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("MAEGE_WAREHOUSE", str(tmp_path / "warehouse"))
    (tmp_path / "manifest.yml").write_text(MANIFEST, encoding="utf-8")
    (tmp_path / "answers.tsv").write_text(ANSWERS, encoding="utf-8")
    return tmp_path


def ingest(folder: Path) -> Result:
    return CliRunner().invoke(app, ["ingest", str(folder), "--json"])


def stored(folder: Path, sql: str) -> list[tuple[object, ...]]:
    with duckdb.connect(folder / "warehouse" / "build.duckdb", read_only=True) as connection:
        return connection.execute(sql).fetchall()


def findings(result: Result) -> list[tuple[int, str]]:
    assert result.exit_code == 2, result.output
    return [(row["line"], row["found"]) for row in json.loads(result.output)["findings"]]


def test_answers_bring_their_sentences_and_say_why_they_do_not_count(folder: Path) -> None:
    assert ingest(folder).exit_code == 0
    rows = stored(
        folder, "select line, sentence_id, compared, left_out from raw.corrections order by line"
    )
    assert rows == [
        (2, 0, "He goes home", None),
        (3, 0, "he goes home", None),
        (4, None, "gibberish", "rejected"),
        (6, 1, "She goes", None),
        (7, None, "", "empty"),
    ]
    assert stored(folder, "select text from raw.sentences order by sentence_id") == [
        ("He go home .",),
        ("She go .",),
    ]


def test_workers_are_pseudonyms(folder: Path) -> None:
    ingest(folder)
    workers = stored(folder, "select distinct worker from raw.corrections")
    assert len(workers) == 3
    assert not {"ann", "bob", "eve"} & {str(worker) for (worker,) in workers}


def test_another_normalisation_reads_the_file_again(folder: Path) -> None:
    ingest(folder)
    entry = "corrections: {file: answers.tsv, compare: words_lower, rejected: []}\n"
    manifest = MANIFEST.replace("corrections: answers.tsv\n", entry)
    (folder / "manifest.yml").write_text(manifest, encoding="utf-8")
    assert ingest(folder).exit_code == 0
    distinct = "select count(distinct compared), count(*) from raw.corrections "
    assert stored(folder, f"{distinct} where sentence_id = 0") == [(2, 3)]


def test_answers_to_another_sentence_are_refused(folder: Path) -> None:
    (folder / "source.txt").write_text("He go home .\n", encoding="utf-8")
    (folder / "manifest.yml").write_text(f"{MANIFEST}source: source.txt\n", encoding="utf-8")
    assert findings(ingest(folder)) == [(6, 'an answer to the sentence "She go ."')]
    assert not (folder / "warehouse" / "build.duckdb").exists()


@pytest.mark.parametrize(
    ("text", "line", "found"),
    [
        ("sentence\tcorrection\n", 1, "no column worker, status in"),
        (ANSWERS + "He go home .\tfine\n", 8, '2 columns: "He go home .'),
        (ANSWERS + "He go home .\tfine\t\tApproved\n", 8, "no worker"),
        (ANSWERS + "\tfine\tann\tApproved\n", 8, "no sentence"),
        (ANSWERS + 'He go home .\t"open\tann\tApproved\n', 8, "a line that is not CSV"),
    ],
)
def test_faults_are_named_with_their_line(folder: Path, text: str, line: int, found: str) -> None:
    (folder / "answers.tsv").write_text(text, encoding="utf-8")
    first = findings(ingest(folder))[0]
    assert first[0] == line
    assert first[1].startswith(found)


def test_batches_need_the_name_of_their_column(folder: Path) -> None:
    entry = "corrections: {file: answers.tsv, batches: [one]}\n"
    (folder / "manifest.yml").write_text(
        MANIFEST.replace("corrections: answers.tsv\n", entry), encoding="utf-8"
    )
    assert len(findings(ingest(folder))) == 1


def test_only_named_batches_count() -> None:
    lines = ["s\tc\tw\tx\tb", "A .\tB .\tann\t\tone", "A .\tC .\tann\t\ttwo"]
    findings = Findings()
    columns = CorrectionColumns(sentence="s", correction="c", worker="w", status="x", batch="b")
    entry = Corrections(file="f", columns=columns, batches=["one"])
    answers = parse_corrections(lines, entry, "f", findings)
    assert [answer.left_out for answer in answers] == [None, "other_batch"]
    assert not len(findings)


def test_normalisations_by_hand() -> None:
    text = "In the U.S. , it 's  fine !"
    assert normalised(text, "none") == text
    assert normalised(text, "words") == "In the US it s fine"
    assert normalised(text, "words_lower") == "in the us it s fine"


def test_a_released_estimate_is_read_with_its_lines() -> None:
    findings = Findings()
    lines = ["frequency\t# of variants", "0.01\t12.5", "x\t1", "0\t1"]
    assert parse_estimate(lines, "f", findings) == [(2, 0.01, 12.5)]
    assert [finding.line for finding in findings] == [3, 4]
    parse_estimate(["2", "1"], "g", findings)
    assert len(findings) == 3
