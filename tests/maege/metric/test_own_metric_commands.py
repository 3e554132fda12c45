"""User metrics on the command line: metrics.yml, requests and scores by file."""

import json
from pathlib import Path
from typing import Any

import duckdb
import pyarrow as pa
import pytest
from small_corpus import ingest, maege, query, refusal, write_corpus

from maege.ingest.findings import BadInputError
from maege.metric.file import read_metrics_file

IDS = ["aa", "bb", "cc", "dd"]
FAR = "metrics: {far: {inputs: [references, source, hypothesis]}}\n"


@pytest.fixture(autouse=True)
def metrics_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The path of metrics.yml, next to a module."""
    path = tmp_path / "project" / "metrics.yml"
    path.parent.mkdir()
    (path.parent / "module_of_commands.py").write_text(
        "number = 3\n\n\ndef score(source, hypothesis, model):\n    return 1.0\n\n\n"
        "class Errors:\n    reads = ('hypothesis',)\n    higher_is_better = False\n\n"
        "    def notice(self):\n        return 'texts are sent away'\n\n"
        "    def score_batch(self, hypothesis):\n        return [1.0 for _ in hypothesis]\n"
    )
    monkeypatch.setenv("MAEGE_METRICS", str(path))
    return path


@pytest.fixture
def built(tmp_path: Path, metrics_file: Path) -> Path:
    """A warehouse after a build with the metric `far`, which reads all inputs."""
    warehouse = tmp_path / "warehouse"
    warehouse.mkdir()
    with duckdb.connect(warehouse / "build.duckdb") as connection:
        connection.execute("""
            create schema raw; create schema pairs; create schema scores;
            create table raw.metric_scores (
                metric varchar, request_id varchar, score double, path varchar, line bigint
            );
            create table pairs.texts (text_id bigint, text varchar);
            insert into pairs.texts values (1, 'He go'), (2, 'He "goes", now'), (3, 'Er geht ä');
            create table pairs.reference_contents (references_key bigint, text_ids bigint[]);
            insert into pairs.reference_contents values (9, [3, 2]);
            create table scores.own_requests (
                metric varchar, request_id varchar, source_text_id bigint,
                hypothesis_text_id bigint, references_key bigint, score double
            );
            insert into scores.own_requests
            select 'far', unnest(['bb', 'aa', 'dd', 'cc']), 1, 2, 9, null
        """)
    metrics_file.write_text(FAR)
    return warehouse


ARPA = "\\data\\\nngram 1=3\n\n\\1-grams:\n-99 <s>\n-1 </s>\n-.5 a\n\\end\\\n"
FUNCTION = "function: 'module_of_commands:score', inputs: [hypothesis, source]"


def test_the_check_shows_each_kind_of_metric(tmp_path: Path, metrics_file: Path) -> None:
    (metrics_file.parent / "tiny.arpa").write_text(ARPA)
    metrics_file.write_text(f"""
metrics:
  mine: {{{FUNCTION}, parameters: {{model: big}}, higher_is_better: false}}
  errors: {{metric_class: 'module_of_commands:Errors'}}
  fluency_tiny: {{language_model: tiny.arpa, lower: true}}
  far: {{inputs: [hypothesis]}}
""")
    result = maege(tmp_path, "metric", "check")
    assert result.exit_code == 0, result.stderr
    by = "available; scored by"
    assert result.stdout.splitlines() == [
        f"mine: {by} module_of_commands:score; reads source, hypothesis; lower is better",
        f"errors: {by} module_of_commands:Errors; reads hypothesis; lower is better",
        "  texts are sent away",
        f"fluency_tiny: {by} tiny.arpa; reads hypothesis; higher is better",
        f"far: {by} file; reads hypothesis; higher is better",
        "Next: maege metric try NAME, or maege build",
    ]
    as_json = json.loads(maege(tmp_path, "metric", "check", "--json").stdout)
    assert as_json["mine"]["parameters"] == {"model": "big"}
    assert {entry["problem"] for entry in as_json.values()} == {None}


@pytest.mark.parametrize(
    ("entry", "problem"),
    [
        (f"{{{FUNCTION}}}", "called as score(source=..., hypothesis=...), but takes"),
        ("{metric_class: 'module_of_commands:score'}", "is not a class with score_batch"),
        ("{metric_class: 'no_module:C'}", "no_module cannot be imported: ModuleNotFoundError"),
        ("{function: 'module_of_commands:f', inputs: [source]}", "module_of_commands has no f"),
        (
            "{function: 'module_of_commands:number', inputs: [source]}",
            "has a int, not a function, number; install or correct the module",
        ),
        ("{metric_class: 'module_of_commands:Errors', parameters: {a: b}}", "TypeError"),
        ("{language_model: none.arpa}", "none.arpa: expected a language model, found no such file"),
    ],
)
def test_a_metric_that_is_not_available_has_a_reason(
    entry: str, problem: str, tmp_path: Path, metrics_file: Path
) -> None:
    metrics_file.write_text(f"metrics:\n  mine: {entry}\n")
    result = maege(tmp_path, "metric", "check")
    assert result.exit_code == 1
    assert problem in " ".join(result.stdout.split())


def test_languagetool_is_enabled_without_changes_of_other_lines(
    tmp_path: Path, metrics_file: Path
) -> None:
    content = "# My metrics\nmetrics:\n  mine: {inputs: [source]}  # by hand\n"
    metrics_file.write_text(content)
    assert maege(tmp_path, "languagetool", "enable").exit_code == 0
    assert metrics_file.read_text() == content + "languagetool: true\n"
    assert "is already enabled" in maege(tmp_path, "languagetool", "enable").stdout
    status = json.loads(maege(tmp_path, "languagetool", "status", "--json").stdout)
    assert status["enabled"]
    assert maege(tmp_path, "languagetool", "disable").exit_code == 0
    assert metrics_file.read_text() == content


def test_languagetool_is_not_enabled_where_no_build_would_find_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("MAEGE_METRICS")
    monkeypatch.chdir(tmp_path)
    message = refusal(tmp_path, "languagetool", "enable", code=1)
    assert "There is no dbt_project.yml here" in message


def test_a_name_of_ingested_scores_is_taken(tmp_path: Path, metrics_file: Path) -> None:
    ingest(tmp_path / "warehouse", write_corpus(tmp_path / "corpus"))
    metrics_file.write_text("metrics: {naturalness: {inputs: [source]}}\n")
    result = maege(tmp_path / "warehouse", "metric", "check")
    assert result.exit_code == 1
    assert "corpus small has sentence scores of a metric naturalness" in result.stdout


@pytest.mark.parametrize(
    ("metrics", "line", "found", "expected"),
    [
        ("m:\n    inputs: [sauce]", 3, "sauce", "some of source"),
        ("m: {}", 2, "an empty mapping at m", "the key inputs"),
        ("m:\n    inputs: []", 2, "a mapping at m", "the key inputs"),
        ("m:\n    inputs: [source, source]", 3, "a list at inputs", "each input once"),
        ("m:\n    inputs: [source]\n    input: x", 4, '"input"', "one of"),
        ("bleu: {inputs: [source]}", 2, '"bleu"', "those of built-in metrics"),
        ("My: {inputs: [source]}", 2, "My", "a name of a-z, 0-9 and _"),
        ("all: {inputs: [source]}", 2, "all", "a name that the marts do not use"),
        ("m: {inputs: [source], version: 'a|b'}", 2, "a|b", "without bars"),
        ("m: {inputs: [source], languages: [English]}", 2, "English", "a tag of BCP 47"),
        ("m: {function: module, inputs: [source]}", 2, "module", "package.module:function"),
        ("m: {inputs: [source], batch: true}", 2, "", "a function where there is batch"),
        ("m: {inputs: [hypothesis, other]}", 2, "a mapping at m", "no function compares"),
        ("m: {inputs: [source], parameters: {source: x}}", 2, "", "not source"),
        ("m: {sha256: '12', inputs: [hypothesis]}", 2, "12", "64 hexadecimal digits"),
        ("m: {draws: 9, inputs: [source]}", 2, "", "function or metric_class where there is draws"),
        ("m: {lower: true, inputs: [source]}", 2, "", "where there is sha256 or lower"),
        ("m: {function: a:f, inputs: [source], mode: new}", 2, "mode", "paper"),
        ("[", 2, "", "YAML"),
    ],
)
def test_a_fault_of_metrics_yml_is_found_on_its_line(
    metrics: str, line: int, found: str, expected: str, metrics_file: Path
) -> None:
    metrics_file.write_text(f"metrics:\n  {metrics}\n")
    with pytest.raises(BadInputError) as error:
        read_metrics_file(metrics_file)
    finding, *_ = error.value.findings
    assert (finding.file, finding.line) == (str(metrics_file), line)
    assert found in finding.found
    assert expected in finding.expected


def test_the_check_reports_faults_with_exit_code_2(tmp_path: Path, metrics_file: Path) -> None:
    metrics_file.write_text("metrics:\n  m: {inputs: [sauce]}\n")
    assert "metrics.yml:2 found" in refusal(tmp_path, "metric", "check")


@pytest.mark.parametrize("suffix", ["jsonl", "csv", "parquet"])
def test_requests_go_out_and_scores_come_back_in_each_format(suffix: str, built: Path) -> None:
    out = built / f"requests.{suffix}"
    assert maege(built, "metric", "requests", "far", "--out", out).exit_code == 0
    rows = read_rows(out)
    assert [row["id"] for row in rows] == IDS
    assert rows[0] == {
        "id": "aa",
        "source": "He go",
        "hypothesis": 'He "goes", now',
        "references": ["Er geht ä", 'He "goes", now'],
    }
    scores = built / f"scores.{suffix}"
    write_rows(scores, [{"id": i, "score": n / 4} for n, i in enumerate(IDS)])
    loaded = json.loads(maege(built, "metric", "load", "far", scores, "--json").stdout)
    assert (loaded["loaded"], loaded["scored"], loaded["requested"]) == (4, 4, 4)
    stored = query(built, "select request_id, score, line from raw.metric_scores order by 1")
    first = {"csv": 2}.get(suffix, 1)
    assert stored == [(i, n / 4, first + n) for n, i in enumerate(IDS)]
    nothing_left = maege(built, "metric", "requests", "far", "--out", out)
    assert "far has a score for every input" in nothing_left.stdout
    assert read_rows(out) == []


def test_partial_scores_are_accepted_and_replaced_later(built: Path) -> None:
    file = built / "scores.csv"
    file.write_text("id,model,score\nbb,x,0.5\n\naa,x,1e-1\n")
    assert "no score for 2 of 4 inputs: cc, dd" in refusal(built, "metric", "load", "far", file)
    assert query(built, "from raw.metric_scores") == []

    accepted = maege(built, "metric", "load", "far", file, "--partial")
    assert accepted.exit_code == 0
    assert "far: 2 scores loaded; 2 of 4 inputs have a score." in accepted.stdout
    left = built / "left.jsonl"
    assert maege(built, "metric", "requests", "far", "--out", left).exit_code == 0
    assert [row["id"] for row in read_rows(left)] == ["cc", "dd"]

    file.write_text("id,score\naa,0.75\ncc,1\ndd,2\n")
    assert maege(built, "metric", "load", "far", file).exit_code == 0
    assert query(built, "select request_id, score from raw.metric_scores order by 1") == [
        ("aa", 0.75),
        ("bb", 0.5),
        ("cc", 1.0),
        ("dd", 2.0),
    ]
    assert "4 loaded scores were deleted" in maege(built, "metric", "retry", "far").stdout
    assert query(built, "from raw.metric_scores") == []


@pytest.mark.parametrize("suffix", ["jsonl", "csv", "parquet"])
def test_doubled_unknown_and_non_numeric_scores_are_all_listed(suffix: str, built: Path) -> None:
    file = built / f"scores.{suffix}"
    rows = [("aa", "1"), ("aa", "2"), ("zz", "1"), ("bb", "high"), ("cc", "nan"), ("dd", "0.5")]
    write_rows(file, [{"id": i, "score": score} for i, score in rows])
    result = maege(built, "metric", "load", "far", file, "--json", "--partial")
    assert result.exit_code == 2
    findings = json.loads(result.stdout)["findings"]
    first = {"csv": 2}.get(suffix, 1)
    assert [(f["line"] - first, f["found"]) for f in findings] == [
        (1, f"a second score of aa; the first is on line {first}"),
        (2, 'the id "zz"'),
        (3, 'the score "high" of bb'),
        (4, 'the score "nan" of cc'),
    ]
    assert {f["file"] for f in findings} == {str(file)}
    assert query(built, "from raw.metric_scores") == []


@pytest.mark.parametrize(
    ("name", "content", "problem"),
    [
        ("scores.tsv", b"id\tscore\n", 'a name that ends in ".tsv"'),
        ("scores.csv", b"", "an empty file"),
        ("scores.csv", b"id,value\naa,1\n", 'no column score in "id,value"'),
        ("scores.csv", b"id,score,score\naa,1,2\n", 'no column score in "id,score,score"'),
        ("scores.csv", b"id,score\naa\n", "1 columns"),
        ("scores.csv", b"id,score\naa,\xff\n", "byte 0xff"),
        ("scores.jsonl", b"[1]\n", '"[1]"'),
        ("scores.jsonl", b'{"id": "aa"\n', "aa"),
        ("scores.jsonl", b'{"id": "aa", "score": true}\n', 'the score "True" of aa'),
        ("scores.parquet", b"PAR1", "no Parquet"),
        ("absent.csv", None, "no such file"),
        ("absent.parquet", None, "no such file"),
    ],
)
def test_file_in_an_unknown_format_is_a_finding(
    name: str, content: bytes | None, problem: str, built: Path
) -> None:
    if content is not None:
        (built / name).write_bytes(content)
    result = maege(built, "metric", "load", "far", built / name, "--json")
    assert result.exit_code == 2
    assert problem in json.loads(result.stdout)["findings"][0]["found"]


def test_a_metric_that_the_last_build_did_not_know_needs_a_build(
    built: Path, metrics_file: Path
) -> None:
    metrics_file.write_text("metrics: {new: {inputs: [source]}}\n")
    out = built / "requests.csv"
    assert "maege build" in refusal(built, "metric", "requests", "new", "--out", out, code=1)
    assert not out.exists()
    unknown = maege(built, "metric", "requests", "other", "--out", out)
    assert "has no metric other; it has: new" in unknown.stderr


def read_rows(path: Path) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = duckdb.sql(f"from '{path}'").to_arrow_table().to_pylist()
    for row in rows:
        if isinstance(row["references"], str):  # CSV
            row["references"] = json.loads(row["references"])
    return rows


def write_rows(path: Path, rows: list[dict[str, Any]]) -> None:
    table = duckdb.from_arrow(pa.Table.from_pylist(rows))
    if path.suffix == ".jsonl":
        path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    elif path.suffix == ".csv":
        table.write_csv(str(path))
    else:
        table.write_parquet(str(path))
