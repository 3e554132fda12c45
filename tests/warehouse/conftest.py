"""Warehouses that are built once and only read; tests that change one take a copy."""

from pathlib import Path

import pytest
from building import ANEW, BUILD, change, copy_of, made_once, run, variables


@pytest.fixture(scope="session")
def sample_warehouse(suite: Path) -> Path:
    """The folder of a warehouse with the sample corpus, built."""

    def build(folder: Path) -> None:
        run("maege", folder / "warehouse", "ingest", "corpora/sample")
        run("dbt", folder / "warehouse", "build", MAEGE_THREADS="2", **ANEW)

    return made_once(suite / "sample", build) / "warehouse"


@pytest.fixture(scope="session")
def another_seed(sample_warehouse: Path, suite: Path) -> Path:
    """The sample without the rows of marts.scores_by_error_count, built up to it from seed 2.

    So are the twins of invalid edits.
    """

    def build(folder: Path) -> None:
        warehouse = copy_of(sample_warehouse, folder / "warehouse")
        change(warehouse, "delete from marts.scores_by_error_count")
        selected = ("+scores_by_error_count", "+invalid_nodes")
        run("dbt", warehouse, "run", "--select", *selected, *variables(seed=2))

    return made_once(suite / "another_seed", build) / "warehouse"


@pytest.fixture(scope="session")
def conll14_warehouse(shared: Path, suite: Path) -> Path:
    """The folder of a warehouse with CoNLL-2014 and all human rankings; takes some minutes.

    Metrics that read edits score one draw of the corpora only.
    """

    def build(folder: Path) -> None:
        for corpus in ("conll14", "gjg15", "nspt15", "seeda"):
            source = (f"corpora/{corpus}", "--data-root", shared / "data")
            run("maege", folder / "warehouse", "ingest", *source)
        run("dbt", folder / "warehouse", *BUILD, *variables(edit_metric_draws=1))

    return made_once(suite / "conll14", build) / "warehouse"
