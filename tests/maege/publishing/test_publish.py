"""Only a build that passed is published, and it is published as a whole."""

import json
import os
import subprocess
import sys
from importlib import metadata
from pathlib import Path

import duckdb
import pytest
from holding import locked
from small_corpus import maege, query, refusal

from maege import connect
from maege.ingest.warehouse import MARTS_VERSION, WarehouseError

ROWS = 50_000
CHANGED = "create schema raw; create table raw.last_change as select timestamp "
LATER = "update ops.node_results set finished_at = '2026-01-02'"
MARTS = ("last_nodes", "metrics", "node_scores", "texts")


def build(
    warehouse: Path, version: int = 1, statuses: tuple[tuple[str, str, str], ...] = ()
) -> None:
    """Write the result of a dbt build: two marts of one version, and the nodes' results."""
    warehouse.mkdir(exist_ok=True)
    models = ((f"model.a.{mart}", "success", "2026-01-01") for mart in MARTS)
    results = [*models, *(statuses or [("test.scores", "pass", "2026-01-01")])]
    with duckdb.connect(warehouse / "build.duckdb") as connection:
        connection.execute(f"""
            create schema if not exists marts; create schema if not exists ops;
            create or replace table marts.node_scores (node bigint not null, version integer);
            insert into marts.node_scores select range, {version} from range({ROWS});
            create or replace table marts.metrics as select 'it''s' as metric, {version} as version;
            comment on table marts.metrics is 'One row per metric''s signature.';
            comment on column marts.metrics.metric is 'Its name; "quoted".';
            create or replace table ops.node_results (node varchar, resource_type varchar,
                status varchar, finished_at timestamp, invocation_id varchar);
        """)
        insert = "insert into ops.node_results select $1, split_part($1, '.', 1), $2, $3, 'x'"
        connection.executemany(insert, results)


@pytest.mark.parametrize(
    ("change", "stale"),
    [
        (f"{CHANGED}'2026-01-02' as c", "2 marts are {}: metrics and node_scores"),
        (f"{CHANGED}'2025-12-31' as c", ""),
        (f"{LATER} where node = 'model.a.metrics'", "1 mart is {}: node_scores"),
        (f"{LATER} where node = 'test.scores'", ""),
        (
            "insert into ops.node_results values "
            "('model.a.deltas', 'model', 'success', '2026-01-02', 'y')",
            "2 marts are {}: metrics and node_scores",
        ),
    ],
)
def test_stale_marts_are_not_published(tmp_path: Path, change: str, stale: str) -> None:
    build(tmp_path)
    assert maege(tmp_path, "publish").exit_code == 0
    with duckdb.connect(tmp_path / "build.duckdb") as connection:
        connection.execute(change)
    result = maege(tmp_path, "publish")
    reason = stale.format("older than the ingested data or the models")
    expected = f"Nothing was published. {reason}. Run: maege build\n" if stale else ""
    assert (result.exit_code, result.stderr) == (bool(stale), expected)


def test_failed_data_test_names_sentence_and_remedy(tmp_path: Path) -> None:
    build(tmp_path, statuses=(("test.a", "fail", "2026-01-02"),))
    with duckdb.connect(tmp_path / "build.duckdb") as connection:
        connection.execute(
            "create table ops.failures as select 'test.a' as node, '2 rows' as message, "
            "'mine' as corpus, unnest([7, 3]) as sentence_id"
        )
    assert "corpus mine, sentence 3: to build and publish the others, maege remove mine" in (
        maege(tmp_path, "publish").stderr
    )


def test_report_of_earlier_marts_is_marked_as_older(tmp_path: Path) -> None:
    build(tmp_path)
    page = tmp_path / "report" / "index.html"
    page.parent.mkdir()
    page.write_text("<h1>Report</h1><!-- older -->")
    os.utime(page, (1, 1))
    assert f"{page}. Next: maege report" in maege(tmp_path, "publish").stdout
    assert "This page is older than the published marts." in page.read_text()
    assert page.stat().st_mtime == 1


@pytest.mark.parametrize(
    ("version", "remedy"),
    [("0.9", "keeps what was scored: maege build"), ("3.0", "pip install --upgrade maege")],
)
def test_marts_of_another_major_version_are_not_read(
    tmp_path: Path, version: str, remedy: str
) -> None:
    build(tmp_path)
    maege(tmp_path, "publish")
    with duckdb.connect(tmp_path / "marts.duckdb") as marts:
        marts.execute(f"update publication set value = '{version}' where fact = 'marts_version'")
    message = refusal(tmp_path, "sql", "from metrics")
    assert f"version {version[0]} of the contract, maege reads 2. " in message
    assert remedy in message
    shown = [line.split() for line in maege(tmp_path, "publish").stdout.splitlines()]
    assert shown[1:3] == [["metrics", "1"], ["node_scores", "50,000"]]
    assert maege(tmp_path, "sql", "from metrics").exit_code == 0


@pytest.fixture(scope="module")
def published(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A warehouse with published marts, a mart of texts among them, and tables of no model."""
    warehouse = tmp_path_factory.mktemp("published")
    build(warehouse)
    with duckdb.connect(warehouse / "build.duckdb") as connection:
        connection.execute("""
            create table ops.variables (name varchar, value varchar);
            insert into ops.variables values ('seed', '7'), ('metrics', '[]');
            create table marts.texts as select md5(range::varchar) as text from range(50_000);
            create table marts.former as select 1 as n;
            create view marts.broken as from marts.former;
            drop table marts.former cascade;
            create table marts.old (n integer)
        """)
    answer = json.loads(maege(warehouse, "publish", "--json").stdout)
    assert answer == {
        "status": "published",
        "path": str(warehouse / "marts.duckdb"),
        "bytes": (warehouse / "marts.duckdb").stat().st_size,
        "marts": {"metrics": 1, "node_scores": ROWS, "texts": 50_000},
    }
    return warehouse


def test_marts_are_published_with_rows_comments_and_not_null(published: Path) -> None:
    marts = "marts.duckdb"
    assert query(published, "select * from main.metrics", marts) == [("it's", 1)]
    rows = query(published, "select node from node_scores", marts)
    assert rows == [(node,) for node in range(ROWS)]
    comments = dict(query(published, "select table_name, comment from duckdb_tables()", marts))
    assert comments.pop("publication").startswith("One row per fact about the build")
    expected = {"metrics": "One row per metric's signature.", "node_scores": None, "texts": None}
    assert comments == expected
    columns = "select column_name, comment, is_nullable from duckdb_columns() where table_name = "
    assert query(published, f"{columns}'metrics'", marts)[0] == (
        "metric",
        'Its name; "quoted".',
        True,
    )
    assert query(published, f"{columns}'node_scores'", marts)[0] == ("node", None, False)


def test_published_marts_name_their_engines_and_variables(published: Path) -> None:
    facts = dict(query(published, "from publication", "marts.duckdb"))
    assert facts["marts_version"] == MARTS_VERSION
    assert facts["built_at"] == "2026-01-01 00:00:00"
    assert facts["maege"] == metadata.version("maege")
    assert facts["duckdb"] == duckdb.__version__
    assert facts["published_at"] > facts["built_at"]
    assert (facts["variable metrics"], facts["variable seed"]) == ("[]", "7")


def test_published_file_is_read_by_older_clients_and_without_rare_encodings(
    published: Path,
) -> None:
    tags = "select tags from duckdb_databases() where database_name = 'marts'"
    ((storage,),) = query(published, tags, "marts.duckdb")
    assert storage["storage_version"].startswith("v1.2.0")
    segments = "select distinct compression from pragma_storage_info('texts')"
    encodings = query(published, f"{segments} where segment_type = 'VARCHAR'", "marts.duckdb")
    assert encodings
    assert ("FSST",) not in encodings


def test_a_view_is_published_over_published_tables(tmp_path: Path) -> None:
    build(tmp_path)
    with duckdb.connect(tmp_path / "build.duckdb") as connection:
        connection.execute(
            "create view marts.last_nodes as with nodes as (from build.marts.node_scores) "
            "select nodes.node as last from nodes where nodes.node >= 49998"
        )
        connection.execute("comment on view marts.last_nodes is 'The last two.'")
        connection.execute("comment on column marts.last_nodes.last is 'A node.'")
    assert json.loads(maege(tmp_path, "publish", "--json").stdout)["marts"]["last_nodes"] is None
    # A reader may give the file any name.
    renamed = tmp_path / "renamed.duckdb"
    (tmp_path / "marts.duckdb").rename(renamed)
    (tmp_path / "build.duckdb").unlink()
    with duckdb.connect() as reader:
        reader.execute(f"attach '{renamed}' as other (read_only)")
        assert reader.execute("from other.last_nodes order by all").fetchall() == [
            (49998,),
            (49999,),
        ]
        assert reader.execute(
            "select comment from duckdb_views() where view_name = 'last_nodes' union all "
            "select comment from duckdb_columns() where table_name = 'last_nodes'"
        ).fetchall() == [("The last two.",), ("A node.",)]


@pytest.mark.parametrize("status", ["error", "fail", "skipped", "runtime error"])
def test_a_build_that_did_not_pass_is_not_published(tmp_path: Path, status: str) -> None:
    build(tmp_path, statuses=(("test.b", status, "2026-01-02"),))
    (tmp_path / "marts.duckdb").write_bytes(b"before")
    result = maege(tmp_path, "publish")
    assert result.exit_code == 1
    assert f"  {status}: test.b" in result.stderr.splitlines()
    assert "Correct the cause, then run: maege build" in result.stderr
    assert (tmp_path / "marts.duckdb").read_bytes() == b"before"


@pytest.mark.parametrize(
    ("kind", "status", "finished", "run", "exit_code"),
    [
        ("unit_test", "skipped", "2025-01-01", "last", 0),
        ("unit_test", "fail", "2025-01-01", "earlier", 0),
        ("unit_test", "fail", "2025-01-01", "last", 1),
        ("test", "warn", "2026-01-01", "last", 0),
        ("test", "fail", "2026-01-01", "last", 1),
        # A later result of the same test counts.
        ("test", "fail", "2025-01-01", "last", 0),
    ],
)
def test_results_of_the_last_run_decide(
    tmp_path: Path, kind: str, status: str, finished: str, run: str, exit_code: int
) -> None:
    build(tmp_path, statuses=(("test.a", "pass", "2025-12-31"),))
    with duckdb.connect(tmp_path / "build.duckdb") as connection:
        connection.execute(
            "update ops.node_results set invocation_id = 'last'; "
            "insert into ops.node_results values "
            f"('{kind}.a', '{kind}', '{status}', timestamp '{finished}', '{run}')"
        )
    assert maege(tmp_path, "publish").exit_code == exit_code


def test_without_marts_nothing_is_published(tmp_path: Path) -> None:
    assert "Ingest a corpus and build first" in refusal(tmp_path, "publish", code=1)
    duckdb.connect(tmp_path / "build.duckdb").close()
    assert "Run: maege build" in refusal(tmp_path, "publish", code=1)
    build(tmp_path)
    with duckdb.connect(tmp_path / "build.duckdb") as connection:
        connection.execute("drop schema marts cascade")
    assert "no table in the schema marts" in refusal(tmp_path, "publish", code=1)
    assert [path.name for path in tmp_path.iterdir()] == ["build.duckdb"]


def test_remains_of_a_killed_publish_are_removed(tmp_path: Path) -> None:
    build(tmp_path)
    ended = subprocess.Popen([sys.executable, "-c", ""])
    ended.wait()
    (tmp_path / f"marts.duckdb.{ended.pid}.publishing").write_bytes(b"half")
    (tmp_path / f"marts.duckdb.{ended.pid}.publishing.wal").write_bytes(b"half")
    maege(tmp_path, "publish")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["build.duckdb", "marts.duckdb"]


def test_an_open_reader_keeps_the_marts_that_it_opened(tmp_path: Path) -> None:
    build(tmp_path)
    maege(tmp_path, "publish")
    before = (tmp_path / "marts.duckdb").read_bytes()
    build(tmp_path, version=2)
    with (tmp_path / "marts.duckdb").open("rb") as opened:
        assert maege(tmp_path, "publish").exit_code == 0
        assert opened.read() == before
    assert query(tmp_path, "from metrics", "marts.duckdb") == [("it's", 2)]


CRASHED_WRITER = """
import os, sys, duckdb
opened = duckdb.connect(sys.argv[1])
opened.execute("update metrics set metric = 'forged'")
os._exit(1)
"""


def leave_log(warehouse: Path) -> Path:
    """Change a published mart in a process that dies; return the log that it leaves."""
    subprocess.run([sys.executable, "-c", CRASHED_WRITER, str(warehouse / "marts.duckdb")])
    log = warehouse / "marts.duckdb.wal"
    assert log.stat().st_size > 0
    return log


def test_publishing_removes_the_log_of_a_dead_writer(tmp_path: Path) -> None:
    build(tmp_path)
    maege(tmp_path, "publish")
    leave_log(tmp_path)
    build(tmp_path, version=2)
    assert maege(tmp_path, "publish").exit_code == 0
    assert sorted(path.name for path in tmp_path.iterdir()) == ["build.duckdb", "marts.duckdb"]
    assert query(tmp_path, "from metrics", "marts.duckdb") == [("it's", 2)]


def test_readers_do_not_show_the_changes_of_a_log(tmp_path: Path) -> None:
    build(tmp_path)
    maege(tmp_path, "publish")
    log = leave_log(tmp_path)
    for reader in (
        ("sql", "from metrics"),
        ("examples",),
        ("card", "gleu"),
        ("explore", "--folder", str(tmp_path / "out")),
        ("compare", "--corpus", "sample"),
        ("export", "human", "--out", str(tmp_path / "out.xml")),
    ):
        result = maege(tmp_path, *reader)
        assert "forged" not in result.output
        assert result.exit_code in {1, 2}
    with pytest.raises(WarehouseError, match="found a write-ahead log"):
        connect(tmp_path)
    assert f"{log}: found a write-ahead log" in maege(tmp_path, "sql", "from metrics").stderr
    doctor = maege(tmp_path, "doctor", "--json")
    assert doctor.exit_code == 1
    (broken,) = json.loads(doctor.stdout)["warehouse"]["broken"]
    assert broken.startswith(f"{log}: found a write-ahead log")
    # A log that cannot be replayed is named, too.
    log.write_bytes(b"no log of DuckDB")
    assert f"{log}: found a write-ahead log" in maege(tmp_path, "sql", "from metrics").stderr


def test_nothing_is_published_while_a_program_writes_to_the_marts(tmp_path: Path) -> None:
    build(tmp_path)
    maege(tmp_path, "publish")
    build(tmp_path, version=2)
    with locked(tmp_path / "marts.duckdb") as pid:
        for command in (("publish",), ("sql", "from metrics"), ("doctor",)):
            result = maege(tmp_path, *command)
            assert result.exit_code == 1 + (command[0] == "sql")
            message = " ".join(result.output.split())
            assert f"is open for writing in process {pid}" in message
    assert query(tmp_path, "from metrics", "marts.duckdb") == [("it's", 1)]
    with locked(tmp_path / "marts.duckdb", "reading"):
        assert maege(tmp_path, "publish").exit_code == 0
    assert query(tmp_path, "from metrics", "marts.duckdb") == [("it's", 2)]
