"""User metrics on the command line: metrics.yml, requests and scores by file."""

import csv
import hashlib
import json
from pathlib import Path

import duckdb
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from small_corpus import ingest, maege, query, refusal, write_corpus
from typer.testing import Result

from maege.analysis.metrics.own.declared import find_metrics_file
from maege.ingest.findings import BadInputError
from maege.metric.file import read_own_metrics

IDS = ["aa", "bb", "cc", "dd"]


@pytest.fixture(autouse=True)
def metrics_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The file that the commands write, next to a module of functions."""
    path = tmp_path / "project" / "metrics.yml"
    path.parent.mkdir()
    (path.parent / "module_of_commands.py").write_text(
        "def score(hypothesis):\n    return 1.0\n\n\n"
        "def both(source, hypothesis):\n    return 1.0\n\n\n"
        "def sized(source, hypothesis, model):\n    return 1.0\n"
    )
    monkeypatch.setenv("MAEGE_METRICS", str(path))
    return path


@pytest.fixture
def built(tmp_path: Path) -> Path:
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
    added = maege(warehouse, "metric", "add", "--file", "--name", "far", "--inputs", ALL)
    assert added.exit_code == 0, added.stderr
    return warehouse


ALL = "references,source,hypothesis"


def add(warehouse: Path, *arguments: str) -> Result:
    return maege(warehouse, "metric", "add", *arguments)


def test_a_function_is_registered_listed_and_removed(tmp_path: Path, metrics_file: Path) -> None:
    options = ("--inputs", "hypothesis, source", "--lower-is-better", "--parameter", "model=big")
    line = ("module_of_commands:sized", "--name", "mine", "--languages", "en, pt-BR", *options)
    result = add(tmp_path, *line)
    assert result.exit_code == 0, result.stderr
    ((name, metric),) = read_own_metrics(metrics_file).items()
    assert (name, metric.inputs) == ("mine", ("source", "hypothesis"))
    assert (metric.higher_is_better, metric.batch) == (False, False)
    assert (metric.parameters, metric.languages) == ({"model": "big"}, ("en", "pt-BR"))
    listed = json.loads(maege(tmp_path, "metric", "list", "--json").stdout)
    assert listed["mine"]["function"] == "module_of_commands:sized"
    assert maege(tmp_path, "metric", "list").stdout.splitlines()[1].split()[:4] == [
        *("mine", "source,", "hypothesis", "lower")
    ]
    # It takes no scores by file.
    assert "a metric that was added with --file" in refusal(
        tmp_path, "metric", "load", "mine", tmp_path / "scores.csv"
    )
    assert maege(tmp_path, "metric", "remove", "mine").exit_code == 0
    assert read_own_metrics(metrics_file) == {}


KINDS = "MODULE:OBJECT, --file, --language-model"
FUNCTION = ("module_of_commands:score", "--name")


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        ((*FUNCTION, "gleu"), 2, "a name different from those of built-in"),
        ((*FUNCTION, "My"), 2, "a name of a-z, 0-9 and _"),
        ((*FUNCTION, "all"), 2, "a name that the marts do not use"),
        ((*FUNCTION, "chance_of_mine"), 2, "not all, none, chance_..."),
        ((*FUNCTION, "m", "--parameter", "source=x"), 2, "not source"),
        ((*FUNCTION, "m", "--parameter", "a=1"), 1, "a=...), but takes"),
        ((*FUNCTION, "m", "--languages", "English"), 2, "a tag of BCP 47"),
        ((*FUNCTION, "m", "--file"), 2, KINDS),
        (("module_of_commands", "--name", "m"), 2, "package.module:function"),
        (("module_of_commands:f", "--name", "m"), 1, "module_of_commands has no f"),
        (("module_of_commands:both", "--name", "m"), 1, "called as both(hypothesis=...)"),
        (("--file", "--batch", "--name", "m"), 2, "a function where there is batch"),
        (("--name", "m"), 2, KINDS),
        (("--file", "--name", "m", "--parameter", "a|b"), 2, "expected NAME=VALUE"),
    ],
)
def test_a_metric_with_a_fault_is_refused_and_nothing_is_written(
    arguments: tuple[str, ...], code: int, message: str, tmp_path: Path, metrics_file: Path
) -> None:
    result = add(tmp_path, *arguments, "--inputs", "hypothesis")
    assert result.exit_code == code
    assert message in " ".join(result.stderr.replace("│", " ").split())
    assert not metrics_file.exists()


ARPA = "\\data\\\nngram 1=3\n\n\\1-grams:\n-99 <s>\n-1 </s>\n-.5 a\n\\end\\\n"


def test_a_language_model_is_declared_by_path_and_hash(tmp_path: Path, metrics_file: Path) -> None:
    model = metrics_file.parent / "models" / "tiny.arpa"
    model.parent.mkdir()
    model.write_text(ARPA)
    result = add(tmp_path, "--language-model", str(model), "--lower", "--name", "fluency_tiny")
    assert (result.exit_code, result.stdout.splitlines()[1]) == (0, "Next: maege build")
    metric = read_own_metrics(metrics_file)["fluency_tiny"]
    # Relative to metrics.yml, so that both can be moved together.
    assert (metric.language_model, metric.lower) == ("models/tiny.arpa", True)
    assert metric.sha256 == hashlib.sha256(ARPA.encode()).hexdigest()
    assert maege(tmp_path, "metric", "list").stdout.splitlines()[1].split() == [
        *("fluency_tiny", "hypothesis", "higher", "models/tiny.arpa")
    ]
    assert "the language model for fluency_tiny" in refusal(
        tmp_path, "metric", "requests", "fluency_tiny", "--out", str(tmp_path / "r.csv")
    )
    elsewhere = tmp_path / "other.arpa"
    elsewhere.write_text(ARPA)
    assert add(tmp_path, "--language-model", str(elsewhere), "--name", "other").exit_code == 0
    assert read_own_metrics(metrics_file)["other"].language_model == str(elsewhere)


@pytest.mark.parametrize(
    ("content", "arguments", "message"),
    [
        (ARPA.replace("-.5", "half"), (), "m.arpa:7: expected a number in base 10, found 'half'"),
        (ARPA[:-6], (), "m.arpa: expected \\end\\, found the end of the file; it is truncated"),
        (None, (), "m.arpa: expected a language model, found no such file"),
        (ARPA, ("--inputs", "source"), "inputs: [hypothesis] and no function"),
        (ARPA, ("--file",), KINDS),
        (ARPA, ("--unigrams", __file__), "only the folder of a transformer has this option"),
        (ARPA, ("--budget", "1"), "--budget: only a judge has this option"),
    ],
)
def test_a_damaged_or_misused_language_model_is_refused(
    content: str | None,
    arguments: tuple[str, ...],
    message: str,
    tmp_path: Path,
    metrics_file: Path,
) -> None:
    model = tmp_path / "m.arpa"
    if content is not None:
        model.write_text(content)
    result = add(tmp_path, "--name", "mine", "--language-model", str(model), *arguments)
    assert result.exit_code == 2
    assert message in " ".join(result.stderr.replace("│", " ").split())
    assert not metrics_file.exists()


def test_languagetool_is_enabled_together_with_user_metrics(
    tmp_path: Path, metrics_file: Path
) -> None:
    enable = maege(tmp_path, "languagetool", "enable")
    assert enable.exit_code == 0, enable.stderr
    assert "languagetool: true\n" in metrics_file.read_text()
    assert add(tmp_path, "--file", "--name", "mine", "--inputs", "source").exit_code == 0
    assert "languagetool: true\n" in metrics_file.read_text()
    assert "is already enabled" in maege(tmp_path, "languagetool", "enable").stdout
    status = json.loads(maege(tmp_path, "languagetool", "status", "--json").stdout)
    assert status["enabled"]
    assert maege(tmp_path, "languagetool", "disable").exit_code == 0
    assert "languagetool" not in metrics_file.read_text().partition("\n")[2]
    assert list(read_own_metrics(metrics_file)) == ["mine"]


def test_a_name_is_taken_once(tmp_path: Path) -> None:
    warehouse = tmp_path / "warehouse"
    assert add(warehouse, "--file", "--name", "far", "--inputs", "source").exit_code == 0
    again = add(warehouse, "--file", "--name", "far", "--inputs", "source")
    assert again.exit_code == 1
    assert "maege metric remove far" in again.stderr
    ingest(warehouse, write_corpus(tmp_path / "corpus"))
    ingested = add(warehouse, "--file", "--name", "naturalness", "--inputs", "source")
    assert ingested.exit_code == 1
    assert "Corpus small has sentence scores of a metric naturalness" in ingested.stderr


def test_metrics_yml_is_not_written_where_no_build_would_find_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("MAEGE_METRICS")
    monkeypatch.chdir(tmp_path)
    refused = add(tmp_path, "--file", "--name", "far", "--inputs", "source")
    assert refused.exit_code == 1
    assert "There is no dbt_project.yml here" in refused.stderr
    (tmp_path / "dbt_project.yml").touch()
    assert add(tmp_path, "--file", "--name", "far", "--inputs", "source").exit_code == 0
    assert read_own_metrics(tmp_path / "metrics.yml").keys() == {"far"}
    assert find_metrics_file() == Path("metrics.yml")


@pytest.mark.parametrize(
    ("metrics", "line", "found", "expected"),
    [
        ("m:\n    inputs: [sauce]", 3, "sauce", "some of source"),
        ("m: {}", 2, 'no key "inputs" in metrics.m', "the key inputs"),
        ("m:\n    inputs: []", 3, "an empty list at inputs", "at least one entry"),
        ("m:\n    inputs: [source, source]", 3, "a list at inputs", "each input once"),
        ("m:\n    inputs: [source]\n    input: x", 4, '"input"', "one of"),
        ("bleu: {inputs: [source]}", 2, '"bleu"', "those of built-in metrics"),
        ("m: {inputs: [source], version: 'a|b'}", 2, "a|b", "without bars"),
        ("m: {inputs: [hypothesis, other]}", 2, "a mapping at m", "no function compares"),
        ("m: {language_model: a, inputs: [hypothesis]}", 2, "", "the sha256 of the language_model"),
        ("m: {sha256: '12', inputs: [hypothesis]}", 2, "12", "64 hexadecimal digits"),
        ("m: {draws: 9, inputs: [source]}", 2, "", "function or metric_class where there is draws"),
        ("m: {lower: true, inputs: [source]}", 2, "", "where there is sha256 or lower"),
        ("m: {function: a:f, inputs: [source], mode: new}", 2, "mode", "paper"),
        ("[", 2, "", "YAML"),
    ],
)
def test_a_fault_of_metrics_yml_is_found_on_its_line(
    metrics: str, line: int, found: str, expected: str, metrics_file: Path, tmp_path: Path
) -> None:
    metrics_file.write_text(f"metrics:\n  {metrics}\n")
    with pytest.raises(BadInputError) as error:
        read_own_metrics(metrics_file)
    finding, *_ = error.value.findings
    assert (finding.file, finding.line) == (str(metrics_file), line)
    assert found in finding.found
    assert expected in finding.expected
    message = refusal(tmp_path, "metric", "list")
    assert f"metrics.yml:{line} found" in message
    assert expected in message


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
    removed = maege(built, "metric", "remove", "far")
    assert "its 4 scores" in removed.stdout
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
        ("scores.csv", b"id,score,score\naa,1,2\n", 'twice the column score in "id,score,score"'),
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


def test_a_metric_that_the_last_build_did_not_know_needs_a_build(tmp_path: Path) -> None:
    warehouse = tmp_path / "warehouse"
    assert add(warehouse, "--file", "--name", "new", "--inputs", "source").exit_code == 0
    out = tmp_path / "requests.csv"
    assert "maege build" in refusal(warehouse, "metric", "requests", "new", "--out", out, code=1)
    assert not out.exists()
    unknown = maege(warehouse, "metric", "requests", "other", "--out", out)
    assert "has no metric other; it has: new" in unknown.stderr


def read_rows(path: Path) -> list[dict[str, object]]:
    if path.suffix == ".parquet":
        rows: list[dict[str, object]] = pq.read_table(path).to_pylist()
        return rows
    if path.suffix == ".jsonl":
        return [json.loads(line) for line in path.read_text().splitlines()]
    with path.open(newline="", encoding="utf-8") as file:
        return [
            {**row, "references": json.loads(row["references"])} for row in csv.DictReader(file)
        ]


def write_rows(path: Path, rows: list[dict[str, object]]) -> None:
    if path.suffix == ".parquet":
        pq.write_table(pa.Table.from_pylist(rows), path)
    elif path.suffix == ".jsonl":
        path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    else:
        path.write_text("id,score\n" + "".join(f"{row['id']},{row['score']}\n" for row in rows))
