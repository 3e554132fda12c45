"""Workers that a template forks, and those that are spawned where there is none."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from analysis.workers.template import start_method

# One template serves a process to its end: hence a process for each case.
PROGRAM = """
import json, os, sys
import psutil
from template_workers import die_on_three, seen
from analysis.workers.executors import ChunkError
from analysis.workers.run import run_chunks
from analysis.workers.template import start_template

if __name__ == "__main__":
    if sys.argv[1] == "template":
        start_template()
    found = []
    for _ in range(2):
        run_chunks(seen, range(12), 2, found.append)
    try:
        run_chunks(die_on_three, range(8), 2, lambda _: None)
    except ChunkError as error:
        died = str(error)
    run_chunks(seen, range(12), 2, found.append)
    ids = {process for process, *_ in found}
    # Those of multiprocessing itself and the workers, which Python runs; nothing else that waits.
    for child in psutil.Process().children(recursive=True):
        assert "python" in child.name(), child
    print(json.dumps([len(ids), [rest for _, *rest in found], died]))
"""
WORKERS = """
import os, signal, sys

def seen(number):
    return os.getpid(), number, "spacy" in sys.modules, os.environ.get("OPENBLAS_NUM_THREADS")

def die_on_three(number):
    if number == 3:
        os.kill(os.getpid(), signal.SIGKILL)
    return number
"""


def answer(folder: Path, repository: Path, case: str) -> tuple[int, list[list[Any]], str]:
    """Return the number of processes, what each chunk saw, and what is said of a death."""
    (folder / "template_workers.py").write_text(WORKERS)
    program = folder / "program.py"
    program.write_text(PROGRAM)
    environment = {"PYTHONPATH": f"{folder}:{repository}", "PATH": "/usr/bin:/bin"}
    command = [sys.executable, str(program), case]
    said = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    ids, found, died = json.loads(said.stdout)
    return ids, found, died


@pytest.mark.skipif(sys.platform == "win32", reason="Windows forks no processes")
def test_forked_workers_have_what_the_template_has_imported(
    tmp_path: Path, repository: Path
) -> None:
    ids, found, died = answer(tmp_path, repository, "template")

    assert 3 <= ids <= 6
    assert sorted(number for number, *_ in found) == sorted([*range(12)] * 3)
    assert {tuple(rest) for _, *rest in found} == {(True, "1")}
    assert "a worker died" in died


def test_spawned_workers_import_what_they_need(tmp_path: Path, repository: Path) -> None:
    ids, found, died = answer(tmp_path, repository, "none")

    assert 3 <= ids <= 6
    assert {tuple(rest) for _, *rest in found} == {(False, "1")}
    assert "a worker died" in died


def test_without_a_template_workers_are_spawned() -> None:
    assert start_method().get_start_method() == "spawn"
