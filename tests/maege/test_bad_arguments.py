"""With an unusable warehouse, a command fails with a short message."""

import os
from pathlib import Path

import duckdb
import pytest
from documents import all_commands
from holding import locked
from small_corpus import ingest, maege, write_corpus
from small_marts import publish
from typer.testing import Result

# Number of lines of the longest message: usage, a hint, and the fault of a file.
LONGEST = 15
# A call of each command that opens the warehouse.
CALLS = (
    "metric requests mine --out requests.csv",
    "metric load mine scores.csv",
    "metric retry mine",
    "metric batch mine --out requests.jsonl",
    "report --corpus one --metric gleu --out report",
    "sql query --format csv --out answer.csv",
    "ingest corpus",
    "remove small --judgments judges",
    "publish --parquet parquet",
    "examples",
    "card gleu --corpus one",
    "plan annotators gleu --share .9 --corpus one",
    "plan metrics gleu m2 --at judges --judgment-set judges --difference .1 --margin .2",
    "export table corpora --format csv --out corpora.csv",
    "export imeasure small shared --out gold.xml",
    "export m2 small shared --out gold.m2",
    "export judgments --corpus small --set judges --out judges.csv",
    "train grammaticality --gug gug --languagetool 6.6",
    "metric answers mine answers.jsonl errors.jsonl",
)


@pytest.fixture(scope="module")
def warehouse(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("bad_arguments")
    ingest(folder / "warehouse", write_corpus(folder / "small"))
    return publish(folder / "warehouse")


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("MAEGE_METRICS", "metrics.yml")
    Path("metrics.yml").write_text("metrics:\n  mine:\n    inputs: [hypothesis]\n")
    return tmp_path


def said_shortly(result: Result) -> bool:
    message = result.output
    if result.exit_code == 0:
        return True
    is_short = 0 < len(message.splitlines()) <= LONGEST or "finding" in message
    return (
        isinstance(result.exception, SystemExit)
        and result.exit_code in (1, 2)
        and "Traceback" not in message
        and is_short
    )


def spoil(warehouse: Path, state: str) -> None:
    paths = [warehouse / "build.duckdb", warehouse / "marts.duckdb"]
    if state == "file":
        warehouse.write_text("no folder")
    elif state != "absent":
        warehouse.mkdir()
        for path in paths:
            if state == "spoilt":
                path.write_bytes(b"no database" * 1000)
            elif state == "folders":
                path.mkdir()
            else:
                duckdb.connect(path).close()


def test_every_command_has_an_example() -> None:
    lacking = [path for path, command in all_commands() if "Examples:" not in (command.help or "")]
    assert lacking == []


@pytest.mark.parametrize("state", ["absent", "file", "spoilt", "folders", "hollow"])
def test_unusable_warehouse_gives_a_short_message(state: str, here: Path) -> None:
    write_corpus(here / "corpus")
    for n, call in enumerate(CALLS):
        spoil(here / str(n), state)
        result = maege(here / str(n), *call.split())
        assert said_shortly(result), (call, result.output[-2000:], result.exception)


@pytest.mark.parametrize("name", ["what?", "number #1"])
def test_a_path_that_dbt_cannot_read_is_refused_before_anything_is_ingested(
    name: str, here: Path
) -> None:
    result = maege(here / name, "ingest", write_corpus(here / "corpus"))
    assert (result.exit_code, "expected a path without ? and #" in result.stderr) == (1, True)
    assert not (here / name).exists()


def test_path_may_contain_spaces_quotes_and_any_letters(here: Path) -> None:
    warehouse = publish(here / 'it\'s 100%20 "ünïcode" 日本')
    ingest(warehouse, write_corpus(here / "corpus"))
    assert maege(warehouse, "sql", "select count(*) as n from corpora").stdout.split() == ["n", "2"]
    assert maege(warehouse, "export", "table", "corpora", "--out", "corpora.csv").exit_code == 0


def test_warehouse_in_use_gives_a_short_message(warehouse: Path) -> None:
    with locked(warehouse / "build.duckdb") as pid:
        for call in ("ingest corpus", "publish", "remove small", "export m2 small shared"):
            result = maege(warehouse, *call.split())
            assert result.exit_code == 1
            assert f"is in use by process {pid} (" in result.stderr
            assert said_shortly(result)


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read and write everywhere")
def test_missing_write_permission_gives_a_short_message(warehouse: Path) -> None:
    Path("closed").mkdir(mode=0o500)
    result = maege(warehouse, "sql", "from corpora", "--format", "csv", "--out", "closed/out.csv")
    assert (result.exit_code, "closed/out.csv: Permission denied" in result.stderr) == (1, True)
