"""The recipes of docs/connect.md, on marts made by hand."""

import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pandas
import pytest
from small_marts import handmade
from sqlalchemy import Engine, MetaData, create_engine, select, text
from sqlalchemy.exc import DatabaseError

warehouse = handmade


@pytest.fixture
def engine(warehouse: Path) -> Iterator[Engine]:
    connected = create_engine(
        f"duckdb:///{warehouse / 'marts.duckdb'}", connect_args={"read_only": True}
    )
    yield connected
    connected.dispose()


@pytest.mark.filterwarnings("ignore:duckdb-engine doesn't yet support reflection on indices")
def test_sqlalchemy_reflects_every_mart(engine: Engine) -> None:
    tables = MetaData()
    tables.reflect(engine)
    mart = tables.tables["sentence_correlations"]
    with engine.connect() as connection:
        published = {name for (name,) in connection.execute(text("select name from (show tables)"))}
        rows = connection.execute(select(mart.c.metric).where(mart.c.rank == 1)).all()
    assert {name.rpartition(".")[2] for name in tables.tables} == published
    assert rows
    assert all(isinstance(metric, str) for (metric,) in rows)


def test_pandas_reads_and_cannot_write(engine: Engine) -> None:
    with engine.connect() as connection, pytest.raises(DatabaseError, match="read-only"):
        connection.execute(text("create table t (x integer)"))

    frame = pandas.read_sql("select metric, rank from sentence_correlations", engine)
    assert frame.columns.tolist() == ["metric", "rank"]
    assert len(frame) > 0


# The path that `mvn dependency:get` uses.
JAR = Path.home() / ".m2/repository/org/duckdb/duckdb_jdbc/1.5.6.0/duckdb_jdbc-1.5.6.0.jar"


@pytest.mark.slow
@pytest.mark.extended
@pytest.mark.skipif(shutil.which("java") is None, reason="there is no Java to read the marts with")
@pytest.mark.skipif(
    not JAR.is_file(),
    reason="the JDBC driver is not here: mvn dependency:get "
    "-Dartifact=org.duckdb:duckdb_jdbc:1.5.6.0",
)
def test_java_reads_the_marts_and_cannot_write(warehouse: Path, repository: Path) -> None:
    def run_query(sql: str) -> subprocess.CompletedProcess[str]:
        program = repository / "docs" / "connect" / "ReadMarts.java"
        marts = warehouse / "marts.duckdb"
        return subprocess.run(
            ["java", "-cp", str(JAR), str(program), str(marts), sql],
            capture_output=True,
            text=True,
            check=False,
        )

    best = run_query("select corpus, metric from sentence_correlations where rank = 1 order by all")
    assert best.stdout.splitlines() == ["one\tfluency", "two\tfluency"], best.stderr
    refused = run_query("create table t (x integer)")
    assert refused.returncode != 0
    assert "read-only mode" in refused.stderr
