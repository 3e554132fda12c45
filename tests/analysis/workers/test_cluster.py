"""A Dask cluster in place of the pool: the same results, or one clear error."""

import json
import os
import signal
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest
from dask_processes import Processes, needs_dask, processes
from small_corpus import maege
from test_pool import PROGRAM_WITH_A_THREAD, start

from maege.analysis.workers.pool import ChunkError, ClusterError, run_chunks

needs_dask()

from maege.analysis.workers import cluster  # noqa: E402 - only with Dask

pytestmark = pytest.mark.slow

FUNCTIONS = """
import asyncio, os, signal

def square(number):
    return number * number

def die_on_three(number):
    if number == 3:
        os.kill(os.getpid(), signal.SIGKILL)
    return number

async def until_there_are_tasks(dask_scheduler, some):
    async with asyncio.timeout(60):
        while bool(dask_scheduler.tasks) != some:
            await asyncio.sleep(0.01)
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    folder = tmp_path_factory.mktemp("cluster")
    (folder / "cluster_functions.py").write_text(FUNCTIONS)
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(folder))
        yield folder


@pytest.fixture(scope="module")
def shared_cluster(folder: Path, repository: Path) -> Iterator[str]:
    with processes(folder, folder, repository) as started:
        for _ in range(2):
            started.add_worker()
        yield started.address


@pytest.fixture
def own_cluster(folder: Path, repository: Path) -> Iterator[Processes]:
    with processes(folder, folder, repository) as started:
        started.add_worker(nanny=False)
        yield started


def computed(function: str, scheduler: str, n_chunks: int = 10) -> list[int]:
    import cluster_functions  # type: ignore[import-not-found]

    results: list[int] = []
    chunk_function = getattr(cluster_functions, function)
    run_chunks(chunk_function, range(n_chunks), 2, results.append, scheduler=scheduler)
    return results


def test_chunk_that_kills_its_workers_is_identified(shared_cluster: str) -> None:
    with pytest.raises(ChunkError, match=r"^chunk \d+: 2 workers died while they had this chunk"):
        computed("die_on_three", shared_cluster)
    # The nannies have started new workers.
    assert len(computed("square", shared_cluster)) == 10


def test_a_worker_with_another_version_is_refused_by_name(
    own_cluster: Processes, tmp_path: Path
) -> None:
    described = tmp_path / "numpy-99.0.dist-info" / "METADATA"
    described.parent.mkdir()
    described.write_text("Metadata-Version: 2.1\nName: numpy\nVersion: 99.0\n")
    own_cluster.add_worker(tmp_path)
    with pytest.raises(
        ClusterError, match=r"rejected: tcp://127\.0\.0\.1:\d+: numpy: expected"
    ) as e:
        computed("square", own_cluster.address)
    assert str(e.value).count("tcp://") == 1
    assert "found 99.0" in str(e.value)
    states = cluster.cluster_state(own_cluster.address)
    assert [state.threads for state in states] == [1, 1]
    assert sorted(len(state.unlike) for state in states) == [0, 1]


def test_a_scheduler_that_is_not_there_is_one_error_with_the_remedy(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(cluster, "CONNECT_SECONDS", 1)
    with socket.socket() as port_holder:
        port_holder.bind(("127.0.0.1", 0))
        address = f"tcp://127.0.0.1:{port_holder.getsockname()[1]}"
        with pytest.raises(ClusterError, match=f"{address}: no scheduler answers .*unset it"):
            computed("square", address)


def test_tls_without_certificates_is_refused_at_once() -> None:
    with pytest.raises(ClusterError, match="expected certificates for TLS, found none"):
        computed("square", "tls://127.0.0.1:1")


def test_scheduler_without_workers_is_awaited_until_timeout(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MAEGE_WORKERS_SECONDS", "1")
    with (
        processes(folder) as started,
        pytest.raises(ClusterError, match="has had no worker for 1 seconds"),
    ):
        computed("square", started.address)


@pytest.mark.parametrize("ending", [signal.SIGKILL, signal.SIGSTOP])
def test_a_scheduler_that_goes_away_or_hangs_is_one_error(
    ending: signal.Signals, own_cluster: Processes, monkeypatch: pytest.MonkeyPatch
) -> None:
    import cluster_functions

    monkeypatch.setattr(cluster, "ANSWER_SECONDS", 1.0)
    results: list[int] = []

    def end_the_scheduler(result: int) -> None:
        results.append(result)
        if len(results) == 1:
            own_cluster.scheduler.send_signal(ending)

    with pytest.raises(ClusterError, match=r"does not answer any longer .*continues with"):
        run_chunks(
            cluster_functions.square,
            range(100),
            2,
            end_the_scheduler,
            scheduler=own_cluster.address,
        )
    assert 0 < len(results) < 100


def test_ctrl_c_takes_the_work_back(own_cluster: Processes, folder: Path, repository: Path) -> None:
    import cluster_functions

    with start(folder, repository, PROGRAM_WITH_A_THREAD, "hang", own_cluster.address) as program:
        client = cluster.connect(own_cluster.address)
        client.run_on_scheduler(cluster_functions.until_there_are_tasks, some=True)
        os.killpg(program.pid, signal.SIGINT)
        try:
            output, _ = program.communicate(timeout=60)
        finally:
            program.kill()
        client.run_on_scheduler(cluster_functions.until_there_are_tasks, some=False)
        client.close()
    assert "interrupted; the unfinished chunks were cancelled" in output


def test_doctor_shows_the_workers(
    shared_cluster: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MAEGE_SCHEDULER", shared_cluster)
    result = maege(tmp_path, "doctor")
    assert result.exit_code == 0, result.stdout
    assert f"Cluster {shared_cluster}: 2 workers, 2 cores" in result.stdout
    workers = [line for line in result.stdout.splitlines() if line.startswith("tcp://")]
    assert [line.split()[-1] for line in workers] == ["none", "none"]
    report = json.loads(maege(tmp_path, "doctor", "--json").stdout)["cluster"]
    assert [worker["cores"] for worker in report["workers"]] == [1, 1]
    assert all(worker["versions"]["numpy"] for worker in report["workers"])
    assert report["broken"] == []
