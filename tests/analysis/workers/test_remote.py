"""Checks of a worker before it computes a chunk."""

import os
from dataclasses import dataclass
from pathlib import Path

import pytest

from maege.analysis.metrics.own.declared import OwnMetric
from maege.analysis.metrics.own.family import OwnFamily
from maege.analysis.metrics.own.functions import source_sha256
from maege.analysis.workers.chunks import ScoringChunk
from maege.analysis.workers.environment import BLAS_THREADS
from maege.analysis.workers.remote import (
    UnlikeWorkerError,
    differences,
    expected_versions,
    job_of,
    run_job,
    versions_here,
)


@pytest.fixture
def like_a_worker(monkeypatch: pytest.MonkeyPatch) -> None:
    """One thread for linear algebra, as Dask's nanny sets it."""
    for name in BLAS_THREADS:
        monkeypatch.setenv(name, "1")
    versions_here.cache_clear()


@dataclass
class Picky:
    """A chunk that no machine can compute."""

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
def test_different_worker_reports_where_and_computes_nothing() -> None:
    expected = (*expected_versions(), ("numpy", "1.0"))
    with pytest.raises(UnlikeWorkerError, match=f"process {os.getpid()}: numpy: expected 1.0, "):
        run_job(job_of(never, "a", expected))
    with pytest.raises(UnlikeWorkerError, match="its module is another"):
        run_job(job_of(never, Picky(), expected_versions()))


def test_linear_algebra_with_more_threads_is_a_difference(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in BLAS_THREADS:
        monkeypatch.delenv(name, raising=False)
    versions_here.cache_clear()
    found = differences(expected_versions(), versions_here())
    assert found == [f"{name}: expected 1, found unset" for name in BLAS_THREADS]


def test_worker_need_not_have_what_the_client_lacks() -> None:
    assert differences((("numpy", "2"),), (("numpy", "2"), ("torch", "9"))) == []
    assert differences((("numpy", "2"),), ()) == ["numpy: expected 2, found absent"]
    names = {name for name, _ in expected_versions()}
    assert {"Python", "maege", "maege's code", "numba", "numpy"} <= names
    assert "duckdb" not in names


def test_languagetool_is_required_if_chunks_need_it(
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
