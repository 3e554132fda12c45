"""Addresses and versions of workers."""

import os
import socket
from pathlib import Path

import pytest

from maege.analysis.metrics.own.declared import OwnMetric
from maege.analysis.metrics.own.family import OwnFamily
from maege.analysis.metrics.own.interface import source_sha256
from maege.analysis.workers import BLAS_THREADS
from maege.analysis.workers.chunks import ScoringChunk
from maege.analysis.workers.cluster import (
    UnlikeWorkerError,
    checked_address,
    differences,
    expected_versions,
    job_of,
    run_job,
    versions_here,
)
from maege.analysis.workers.pool import ClusterError, scheduler_of

# --- Allowed addresses of schedulers ---


@pytest.mark.parametrize(
    "scheduler",
    [
        *("tcp://127.0.0.1:8786", "tcp://[::1]:8786", "tcp://10.1.2.3:8786", "tcp://192.168.0.7:1"),
        # With TLS both sides must show certificates, wherever they are.
        *("tls://8.8.8.8:8786", "tls://scheduler.example:8786"),
    ],
)
def test_this_machine_private_networks_and_tls_are_connected_to(scheduler: str) -> None:
    assert checked_address(scheduler) == scheduler


@pytest.mark.parametrize("scheduler", ["tcp://8.8.8.8:8786", "tcp://[2600::1]:8786"])
def test_public_address_without_tls_is_refused_by_default(
    scheduler: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("MAEGE_SCHEDULER_PUBLIC", raising=False)
    with pytest.raises(ClusterError, match=r"private network, found .*MAEGE_SCHEDULER_PUBLIC=1"):
        checked_address(scheduler)
    monkeypatch.setenv("MAEGE_SCHEDULER_PUBLIC", "1")
    assert checked_address(scheduler) == scheduler


def test_a_name_is_connected_to_by_the_number_that_was_looked_at(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def public(host: str, port: int, **_: object) -> list[tuple[object, ...]]:
        assert (host, port) == ("scheduler", 8786)
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (number, port))]

    monkeypatch.setattr(socket, "getaddrinfo", public)
    number = "10.0.0.4"
    assert checked_address("tcp://scheduler:8786") == "tcp://10.0.0.4:8786"
    number = "8.8.4.4"
    with pytest.raises(ClusterError, match=r"tcp://scheduler:8786: .*found 8\.8\.4\.4"):
        checked_address("tcp://scheduler:8786")


def test_a_scheduler_file_holds_the_address(tmp_path: Path) -> None:
    path = tmp_path / "scheduler.json"
    with pytest.raises(ClusterError, match=r"expected a scheduler file.*found FileNotFoundError"):
        checked_address(str(path))
    path.write_text('{"address": "tcp://127.0.0.1:40001", "workers": {}}')
    assert checked_address(str(path)) == "tcp://127.0.0.1:40001"
    path.write_text('{"address": "inproc://127.0.0.1/1/2"}')
    with pytest.raises(ClusterError, match="found inproc://"):
        checked_address(str(path))


@pytest.mark.parametrize("scheduler", ["http://127.0.0.1:80", "tcp://127.0.0.1", "tcp://a:b"])
def test_anything_else_is_refused_with_what_is_expected(scheduler: str) -> None:
    with pytest.raises(ClusterError, match="expected tcp://HOST:PORT, tls://HOST:PORT"):
        checked_address(scheduler)


def test_variable_overrides_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("MAEGE_SCHEDULER", raising=False)
    assert scheduler_of("") is None
    assert scheduler_of(None) is None
    monkeypatch.setenv("MAEGE_SCHEDULER", " tcp://127.0.0.1:1 ")
    assert scheduler_of("") == "tcp://127.0.0.1:1"
    assert scheduler_of("tcp://127.0.0.1:2") == "tcp://127.0.0.1:2"


# --- A worker checks itself before it computes a chunk ---


@pytest.fixture
def like_a_worker(monkeypatch: pytest.MonkeyPatch) -> None:
    """Set one thread for linear algebra, as Dask's nanny does."""
    for name in BLAS_THREADS:
        monkeypatch.setenv(name, "1")
    versions_here.cache_clear()


class Picky:
    def problems_here(self) -> list[str]:
        return ["its module is another"]


def word_count(text: str) -> int:
    return len(text.split())


def never(_: object) -> None:
    pytest.fail("was computed")


@pytest.mark.usefixtures("like_a_worker")
def test_a_worker_like_the_client_computes() -> None:
    assert run_job(job_of(word_count, "a b c", expected_versions())) == 3


@pytest.mark.usefixtures("like_a_worker")
def test_a_worker_that_differs_says_where_and_computes_nothing() -> None:
    expected = (*expected_versions(), ("numpy", "1.0"))
    with pytest.raises(UnlikeWorkerError, match=f"process {os.getpid()}: numpy: expected 1.0, "):
        run_job(job_of(never, "a", expected))
    with pytest.raises(UnlikeWorkerError, match="its module is another"):
        run_job(job_of(never, Picky(), expected_versions()))


def test_linear_algebra_with_more_threads_is_a_difference(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in BLAS_THREADS:
        monkeypatch.delenv(name, raising=False)
    versions_here.cache_clear()
    problems = differences(expected_versions(), versions_here())
    assert problems == [f"{name}: expected 1, found unset" for name in BLAS_THREADS]


def test_worker_needs_no_package_that_the_client_lacks() -> None:
    assert differences((("numpy", "2"),), (("numpy", "2"), ("torch", "9"))) == []
    assert differences((("numpy", "2"),), ()) == ["numpy: expected 2, found absent"]
    names = {name for name, _ in expected_versions()}
    assert {"Python", "maege", "maege's code", "numba", "numpy"} <= names
    assert "duckdb" not in names


def test_languagetool_is_asked_for_where_chunks_need_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LANGUAGETOOL_HOME", str(tmp_path))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setenv("LANGUAGETOOL_URL", "http://127.0.0.1:1")
    versions_here.cache_clear()
    assert "LanguageTool 6.6" not in dict(versions_here())
    assert dict(versions_here(("6.6",)))["LanguageTool 6.6"] == "installed"
    assert dict(versions_here(("3.7",)))["LanguageTool 3.7"] == "not installed"
    versions_here.cache_clear()


def test_a_chunk_wants_the_very_module_of_its_own_metrics(tmp_path: Path) -> None:
    module = tmp_path / "remote_words.py"
    module.write_text("def score(hypothesis):\n    return len(hypothesis)\n")
    folders = (str(tmp_path),)
    definition = OwnMetric.model_validate(
        {"function": "remote_words:score", "inputs": ["hypothesis"]}
    )
    family = OwnFamily("words", definition, folders, source_sha256("remote_words:score", folders))
    chunk = ScoringChunk("c", (), {}, {}, {family.name: family})
    assert chunk.problems_here() == []
    module.write_text("def score(hypothesis):\n    return 1\n")
    assert len(chunk.problems_here()) == 1
    assert f"{module}: expected SHA-256 {family.content[:12]}" in chunk.problems_here()[0]
    module.unlink()
    assert "expected a module with SHA-256" in chunk.problems_here()[0]
