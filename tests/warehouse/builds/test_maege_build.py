"""`maege build` ends at once without changes, and publishes only builds that passed."""

import os
import signal
import subprocess
import time
from functools import partial
from pathlib import Path
from typing import Any

import psutil
import pytest
from building import attempt, copy_of, invocation

# A file of metrics that changes the inputs of marts only by addition, and one with a fault.
NONE, FAULTY = "metrics: {}\n", "metrics: {mine: {inputs: [nothing]}}\n"
OUTPUT = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT, "text": True}
PATIENCE = 300  # seconds within which dbt must open the build file


@pytest.fixture(scope="module")
def published(sample_warehouse: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return copy_of(sample_warehouse, tmp_path_factory.mktemp("built") / "warehouse")


def started(warehouse: Path) -> dict[str, Any]:
    # Ctrl-C is handled as programs on a terminal do, independent of the parent process.
    hear_interrupts = partial(signal.signal, signal.SIGINT, signal.SIG_DFL)
    return invocation("maege", warehouse, "build") | {"preexec_fn": hear_interrupts} | OUTPUT


def test_a_second_build_has_nothing_to_do(published: Path) -> None:
    before = (published / "marts.duckdb").stat().st_mtime_ns
    second_build = subprocess.run(**started(published), check=True)
    assert "Nothing has changed since" in second_build.stdout
    assert (published / "marts.duckdb").stat().st_mtime_ns == before


def test_failed_build_is_not_published_and_names_the_reason(
    published: Path, tmp_path: Path
) -> None:
    warehouse = copy_of(published, tmp_path / "warehouse")
    before = (warehouse / "marts.duckdb").read_bytes()
    (tmp_path / "metrics.yml").write_text(FAULTY)
    failed = subprocess.run(**started(warehouse), check=False)
    assert failed.returncode == 1
    assert "found 'nothing'" in failed.stdout
    assert "dbt did not pass, so nothing was published" in failed.stdout
    refused = attempt("maege", warehouse, "publish")
    assert refused.returncode == 1
    assert "Nothing was published. The last build did not pass:" in refused.stdout
    assert "error: model.maege.metric_registry" in refused.stdout
    assert (warehouse / "marts.duckdb").read_bytes() == before


@pytest.mark.parametrize(
    "how", [signal.SIGINT, pytest.param(signal.SIGKILL, marks=pytest.mark.extended)]
)
def test_an_interrupted_build_leaves_no_process(
    how: signal.Signals, published: Path, tmp_path: Path
) -> None:
    warehouse = copy_of(published, tmp_path / "warehouse")
    (tmp_path / "metrics.yml").write_text(f"# another\n{NONE}")
    # As an error for lack of memory.
    spilled = warehouse / "build.duckdb.tmp" / "spilled"
    spilled.parent.mkdir()
    spilled.touch()
    with subprocess.Popen(**started(warehouse)) as build:
        wait_until_dbt_builds(build, warehouse)
        processes = psutil.Process(build.pid).children(recursive=True)
        os.kill(build.pid, how)
        output, _ = build.communicate(timeout=60)
    assert processes
    _, alive = psutil.wait_procs(processes, timeout=30)
    assert alive == []
    if how == signal.SIGINT:
        assert build.returncode == 1
        assert "Interrupted. The published marts are as before." in output
        assert not spilled.parent.exists()


def wait_until_dbt_builds(build: "subprocess.Popen[str]", warehouse: Path) -> None:
    """Wait for the first statement that dbt writes to the build file."""
    log = warehouse / "build.duckdb.wal"
    deadline = time.monotonic() + PATIENCE
    while not log.exists():
        assert build.poll() is None
        assert time.monotonic() < deadline
        time.sleep(0.02)
