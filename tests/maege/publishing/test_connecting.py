"""The recipes of docs/connect.md, on marts made by hand."""

import shutil
import subprocess
from pathlib import Path

import pytest
from small_marts import handmade

warehouse = handmade


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
