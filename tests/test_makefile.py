"""What `make build` takes for a change, as make itself answers with --question."""

import os
import subprocess
import time
from pathlib import Path

import pytest

UP_TO_DATE, OUT_OF_DATE = 0, 1
OWN_METRICS = 'metrics:\n  overlap:\n    function: "overlap:score"\n    inputs: [hypothesis]\n'


@pytest.fixture
def built(repository: Path, tmp_path: Path) -> Path:
    """A warehouse folder whose files are newer than everything, the marts the newest."""
    warehouse = tmp_path / "warehouse"
    warehouse.mkdir()
    later = time.time() + 60
    for age, name in enumerate(("sample_ingested", "build.duckdb", "marts.duckdb")):
        (warehouse / name).touch()
        os.utime(warehouse / name, (later + age, later + age))
    (warehouse / "sources").write_text("dbt_project.yml\n")
    if not (repository / ".venv" / "installed").exists():
        pytest.skip("needs the .venv of make build")
    return warehouse


def ask(repository: Path, warehouse: Path, *arguments: str) -> int:
    """Return make's answer about the published marts."""
    line = ["make", "--question", *arguments, str(warehouse / "marts.duckdb")]
    variables = {
        "MAEGE_WAREHOUSE": str(warehouse),
        "MAEGE_METRICS": str(warehouse.parent / "metrics.yml"),
    }
    return subprocess.run(
        line, cwd=repository, env=os.environ | variables, capture_output=True, check=False
    ).returncode


def test_marts_newer_than_everything_are_not_built(repository: Path, built: Path) -> None:
    assert ask(repository, built) == UP_TO_DATE


@pytest.mark.parametrize(
    "path",
    [
        "analysis/code.py",
        "corpora/sample/outputs/careful.txt",
        "dbt_project.yml",
        "ingest/formats/m2.py",
        "ingest/raw_schema.sql",
        "macros/hashing.sql",
        "maege/publish.py",
        "models/marts/contents/metrics.yml",
        "seeds/imeasure_published.csv",
    ],
)
def test_a_changed_file_of_data_or_code_builds(repository: Path, built: Path, path: str) -> None:
    assert (repository / path).exists()
    assert ask(repository, built, f"--what-if={path}") == OUT_OF_DATE


def test_a_metric_of_the_users_own_builds(repository: Path, built: Path) -> None:
    metrics, module = built.parent / "metrics.yml", built.parent / "overlap.py"
    module.touch()
    metrics.write_text(OWN_METRICS)
    assert ask(repository, built) == UP_TO_DATE
    assert ask(repository, built, f"--what-if={metrics}") == OUT_OF_DATE
    assert ask(repository, built, f"--what-if={module}") == OUT_OF_DATE


@pytest.mark.parametrize("name", ["models/marts/gone.sql", "elsewhere/metrics.yml"])
def test_a_file_that_is_gone_builds(repository: Path, built: Path, name: str) -> None:
    with (built / "sources").open("a") as stream:
        stream.write(f"{name}\n")
    assert ask(repository, built) == OUT_OF_DATE


def test_without_a_build_file_the_sample_is_ingested(repository: Path, built: Path) -> None:
    (built / "build.duckdb").unlink()
    assert ask(repository, built) == OUT_OF_DATE
