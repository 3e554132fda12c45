"""Warehouses that are built once and only read; tests that change one take a copy."""

from pathlib import Path

import pytest
from building import run, variables


@pytest.fixture(scope="session")
def sample_warehouse(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a warehouse with the sample corpus, built."""
    warehouse = tmp_path_factory.mktemp("sample") / "warehouse"
    run("maege", warehouse, "ingest", "corpora/sample")
    run("dbt", warehouse, "build", MAEGE_THREADS="2")
    return warehouse


@pytest.fixture(scope="session")
def conll14_warehouse(shared: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a warehouse with CoNLL-2014 and all human rankings; takes some minutes.

    Metrics that read edits score one draw of the corpora only.
    """
    warehouse = tmp_path_factory.mktemp("conll14") / "warehouse"
    for corpus in ("conll14", "gjg15", "nspt15", "seeda"):
        run("maege", warehouse, "ingest", f"corpora/{corpus}", "--data-root", shared / "data")
    run("dbt", warehouse, "build", *variables(edit_metric_draws=1))
    return warehouse
