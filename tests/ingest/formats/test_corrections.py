"""Corrections by crowd workers, and judgments of them: accepted, excluded and rejected rows."""

import json
from pathlib import Path

import pytest
from small_corpus import maege, query
from typer.testing import Result

from maege.ingest.findings import Findings
from maege.ingest.formats.crowd import parse_estimate

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
def folder(tmp_path: Path) -> Path:
    (tmp_path / "manifest.yml").write_text(MANIFEST, encoding="utf-8")
    (tmp_path / "answers.tsv").write_text(ANSWERS, encoding="utf-8")
    return tmp_path


def ingest(folder: Path) -> Result:
    return maege(folder / "warehouse", "ingest", folder, "--json")


def stored(folder: Path, sql: str) -> list[tuple[object, ...]]:
    return query(folder / "warehouse", sql)


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


@pytest.mark.parametrize(
    ("compare", "texts"),
    [
        ("none", {"He goes home .", "he goes home", "gibberish"}),
        ("words", {"He goes home", "he goes home", "gibberish"}),
        ("words_lower", {"he goes home", "gibberish"}),
    ],
)
def test_another_normalisation_reads_the_file_again(
    compare: str, texts: set[str], folder: Path
) -> None:
    ingest(folder)
    entry = f"corrections: {{file: answers.tsv, compare: {compare}, rejected: []}}\n"
    manifest = MANIFEST.replace("corrections: answers.tsv\n", entry)
    (folder / "manifest.yml").write_text(manifest, encoding="utf-8")
    assert ingest(folder).exit_code == 0
    compared = stored(folder, "select compared from raw.corrections where sentence_id = 0")
    assert {text for (text,) in compared} == texts


def test_answers_to_another_sentence_are_refused(folder: Path) -> None:
    (folder / "source.txt").write_text("He go home .\n", encoding="utf-8")
    (folder / "manifest.yml").write_text(f"{MANIFEST}source: source.txt\n", encoding="utf-8")
    assert findings(ingest(folder)) == [(6, 'an answer to the sentence "She go ."')]
    assert not (folder / "warehouse" / "build.duckdb").exists()


@pytest.mark.parametrize(
    ("text", "line", "found"),
    [
        ("sentence\tcorrection\n", 1, "no column worker, status in"),
        (ANSWERS + "He go home .\tfine\t\tApproved\n", 8, "no worker or no sentence"),
        (ANSWERS + 'He go home .\t"open\tann\tApproved\n', 8, "a line that is not CSV"),
    ],
)
def test_faults_are_named_with_their_line(folder: Path, text: str, line: int, found: str) -> None:
    (folder / "answers.tsv").write_text(text, encoding="utf-8")
    first = findings(ingest(folder))[0]
    assert first[0] == line
    assert first[1].startswith(found)


def test_only_named_batches_count(folder: Path) -> None:
    entry = "corrections: {file: answers.tsv, batches: [one]"
    text = MANIFEST.replace("corrections: answers.tsv\n", f"{entry}, columns: {{batch: b}}}}\n")
    (folder / "manifest.yml").write_text(text, encoding="utf-8")
    rows = "sentence\tcorrection\tworker\tstatus\tb\nA .\tB .\tann\t\tone\nA .\tC .\tann\t\ttwo\n"
    (folder / "answers.tsv").write_text(rows, encoding="utf-8")
    assert ingest(folder).exit_code == 0
    left_out = stored(folder, "select left_out from raw.corrections order by line")
    assert left_out == [(None,), ("other_batch",)]
    # Batches need the name of their column.
    text = MANIFEST.replace("corrections: answers.tsv\n", f"{entry}}}\n")
    (folder / "manifest.yml").write_text(text, encoding="utf-8")
    assert len(findings(ingest(folder))) == 1


def test_a_released_estimate_is_read_with_its_lines() -> None:
    findings = Findings()
    lines = ["frequency\t# of variants", "0.01\t12.5", "x\t1", "0\t1"]
    assert parse_estimate(lines, findings.about("f")) == [(2, 0.01, 12.5)]
    assert [finding.line for finding in findings] == [3, 4]
    parse_estimate(["2", "1"], findings.about("g"))
    assert len(findings) == 3


JUDGED = """\
sentence\tcorrection\tworker\tvalid
He go home .\tHe goes home!\tdan\tYes
He go home .\tHe goes home .\teve\tNo
She go .\tNobody wrote this .\tdan\tNo
"""


@pytest.fixture
def judged(folder: Path) -> Path:
    """The folder with judgments of corrections, too."""
    (folder / "manifest.yml").write_text(f"{MANIFEST}validity: judged.tsv\n", encoding="utf-8")
    (folder / "judged.tsv").write_text(JUDGED, encoding="utf-8")
    return folder


def test_judgments_are_compared_as_corrections_are(judged: Path) -> None:
    assert ingest(judged).exit_code == 0
    rows = stored(
        judged,
        "select line, sentence_id, compared, is_valid from raw.validity_judgements order by line",
    )
    assert rows == [
        (2, 0, "He goes home", True),
        (3, 0, "He goes home", False),
        (4, 1, "Nobody wrote this", False),
    ]
    # A judge has one pseudonym in both files.
    workers = "select worker from raw.corrections union select worker from raw.validity_judgements"
    pseudonyms = {worker for (worker,) in stored(judged, workers)}
    assert len(pseudonyms) == 4
    assert not {"ann", "bob", "dan", "eve"} & pseudonyms


@pytest.mark.parametrize(
    ("row", "found"),
    [
        ("He go home .\tHe goes .\tdan\tyes", 'a judgment "yes"'),
        ("They go .\tThey go .\tdan\tYes", 'a judgment "Yes" of the sentence "They go ."'),
    ],
)
def test_faults_of_judgments_are_named_with_their_line(judged: Path, row: str, found: str) -> None:
    (judged / "judged.tsv").write_text(f"{JUDGED}{row}\n", encoding="utf-8")
    line, problem = findings(ingest(judged))[0]
    assert (line, problem[: len(found)]) == (5, found)
    assert not (judged / "warehouse" / "build.duckdb").exists()


def test_judgments_need_corrections_to_judge(judged: Path) -> None:
    (judged / "source.txt").write_text("He go home .\n", encoding="utf-8")
    manifest = MANIFEST.replace("corrections: answers.tsv", "source: source.txt")
    (judged / "manifest.yml").write_text(f"{manifest}validity: judged.tsv\n", encoding="utf-8")
    assert findings(ingest(judged)) == [(6, "validity, and no corrections that it judges")]


def test_a_column_of_another_name_is_named_in_the_manifest(judged: Path) -> None:
    (judged / "judged.tsv").write_text(JUDGED.replace("valid", "is_valid"), encoding="utf-8")
    entry = "validity: {file: judged.tsv, columns: {valid: is_valid}}\n"
    (judged / "manifest.yml").write_text(MANIFEST + entry, encoding="utf-8")
    assert ingest(judged).exit_code == 0
    wrong = "validity: {file: judged.tsv, columns: {verdict: is_valid}}\n"
    (judged / "manifest.yml").write_text(MANIFEST + wrong, encoding="utf-8")
    assert findings(ingest(judged)) == [(6, 'the unknown key "verdict"')]
