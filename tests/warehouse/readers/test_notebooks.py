"""The notebooks run from a fresh kernel to their end on a copy of the published sample."""

import os
from pathlib import Path

import nbformat
import pytest
from building import PROGRAMS, REPOSITORY, copy_of, environment, project_around
from jupyter_client.manager import AsyncKernelManager
from nbclient import NotebookClient

ENTRY = "metric_class: tiny_transformer:TinyTransformer\n"
A_SAMPLE = "    sample_sentences: 20\n    draws: 1\n"
NOTEBOOKS = sorted((REPOSITORY / "docs" / "notebooks").glob("*.ipynb"))


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_runs_to_its_end(
    path: Path, sample_warehouse: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # One of them adds a metric, in the folder of a project.
    warehouse = copy_of(sample_warehouse, tmp_path / "warehouse")
    project_around(warehouse)
    for name, setting in environment(warehouse).items():
        monkeypatch.setenv(name, setting)
    monkeypatch.setenv("PATH", f"{PROGRAMS}{os.pathsep}{os.environ['PATH']}")
    notebook = nbformat.read(path, as_version=4)  # type: ignore[no-untyped-call]
    assert all(not cell.get("outputs") for cell in notebook.cells)
    # Other tests check that a metric scores all its inputs; here it scores a sample.
    for cell in notebook.cells:
        cell.source = cell.source.replace(ENTRY, ENTRY + A_SAMPLE)
    # Over sockets in the file system, to which no other user has access.
    kernel = AsyncKernelManager(kernel_name="python3", transport="ipc", ip=str(tmp_path / "kernel"))
    client = NotebookClient(
        notebook, km=kernel, timeout=300, resources={"metadata": {"path": str(tmp_path)}}
    )
    executed = client.execute()
    cells = [cell for cell in executed.cells if cell.cell_type == "code"]
    # All cells except the last, which closes the connection, show something; no table is empty.
    shown = [cell.outputs[-1] for cell in cells if cell.outputs]
    assert len(shown) >= len(cells) - 2
    assert not [output for output in shown if "Empty DataFrame" in str(output)]
