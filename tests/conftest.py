"""Fixtures that every test may use."""

import csv
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings

# Tests run in two processes: in each a second thread of NumPy's OpenBLAS would wait actively, and
# spaCy's parses would take three to six times as long. NumPy reads it at import.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
# The duration of an example depends on the load of the machine.
settings.register_profile("without_deadline", deadline=None)
settings.load_profile("without_deadline")

REPOSITORY = Path(__file__).resolve().parent.parent
SHARED = REPOSITORY.parent / "shared"
WAREHOUSES = REPOSITORY / "tests" / "warehouse"
# Slow fixtures, the slowest first: tests that use them start in this order. While one process
# builds the sample and compiles the kernels, the other runs tests of ingest, which need neither.
INGEST = REPOSITORY / "tests" / "ingest"
SLOW_FIXTURES = (
    "conll14_warehouse",
    "replicated_conll14",
    "session_home",
    "languagetool",
    "sample_warehouse",
    "odd_warehouse",
)
# Tests that read the published runs are for `make replicate`.
REPLICATED = {"replicated_conll14", "replicated_sample"}
# What changes rarely or takes long: live LanguageTool and Dask, killed builds, browsers, the wheel,
# builds with other variables, another site. `make test` leaves them out, `make test-all` has them.
EXTENDED = tuple(
    REPOSITORY / "tests" / name
    for name in (
        "analysis/languagetool",
        "analysis/workers/test_cluster.py",
        "maege/report/test_report_in_browser.py",
        "test_wheel.py",
        "warehouse/builds/test_cluster_build.py",
        "warehouse/builds/test_killed_build.py",
        "warehouse/builds/test_unchanged_tables.py",
        "warehouse/builds/test_variables.py",
        "warehouse/metrics/test_languagetool_marts.py",
        "warehouse/metrics/test_languagetool_offer.py",
        "warehouse/metrics/test_own_metric_by_file.py",
        "warehouse/odd/test_mixed_languages.py",
        "warehouse/odd/test_random_corpora.py",
        "warehouse/readers/test_explorer.py",
        "warehouse/readers/test_notebooks.py",
        "warehouse/readers/test_site.py",
    )
)
# Reasons to skip a test that CI accepts; any other fails there, so that nothing is left out unseen.
ACCEPTED_SKIPS = (
    "gigabytes",
    "gec-metrics is 6.5 GB",
    "an extra that pip has to compile",
    "root may read and write everywhere",
)
# Tests that read the real corpora take longer than those with inputs of their own.
REAL_DATA = {"shared", "peer_rows"}
# Tests that use these fixtures run in one process.
GROUPS = {
    "conll14_warehouse": "conll14",
    "replicated_conll14": "replicated_conll14",
    "languagetool": "languagetool",
    "session_home": "languagetool",
    "odd_warehouse": "odd",
}
# Tests of these modules share resources with all processes, and use these fixtures: each test, or
# all tests of a fixture, may run in any process.
APART = {
    "test_own_metric.py",
    "test_own_metric_by_file.py",
    "test_sample_warehouse.py",
    "test_unchanged_tables.py",
    "test_variables.py",
}
TOGETHER = {"by_file", "grown", "three_chains"}


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        names = getattr(item, "fixturenames", ())
        if REPLICATED.intersection(names):
            item.add_marker(pytest.mark.replicate)
        if any(item.path.is_relative_to(path) for path in EXTENDED):
            item.add_marker(pytest.mark.extended)
        slow = [name for name in SLOW_FIXTURES if name in names]
        if slow or WAREHOUSES in item.path.parents or REAL_DATA.intersection(names):
            item.add_marker(pytest.mark.slow)
        item.add_marker(pytest.mark.xdist_group(group_of(item, slow)))
    items.sort(key=place)


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Iterator[None]:  # noqa: ARG001 - pytest's name
    """In CI, fail a test that is skipped because something is missing."""
    outcome: Any = yield
    report = outcome.get_result()
    if report.skipped and os.environ.get("CI") == "true" and not hasattr(report, "wasxfail"):
        _, _, reason = report.longrepr
        if not any(accepted in reason for accepted in ACCEPTED_SKIPS):
            report.outcome = "failed"
            report.longrepr = f"CI skips no test: {reason}"


def group_of(item: pytest.Item, slow: list[str]) -> str:
    for fixture, group in GROUPS.items():
        if fixture in slow:
            return group
    if item.path.name in APART:
        return next(iter(TOGETHER.intersection(getattr(item, "fixturenames", ()))), item.nodeid)
    return str(item.path.relative_to(REPOSITORY))


def place(item: pytest.Item) -> int:
    if INGEST in item.path.parents:
        return SLOW_FIXTURES.index("sample_warehouse")
    names = getattr(item, "fixturenames", ())
    fixture_places = (n for n, name in enumerate(SLOW_FIXTURES) if name in names)
    is_slow = item.get_closest_marker("slow") is not None
    return next(fixture_places, len(SLOW_FIXTURES) + (not is_slow))


@pytest.fixture(scope="session")
def suite(tmp_path_factory: pytest.TempPathFactory) -> Path:
    own = tmp_path_factory.getbasetemp()
    return own.parent if "PYTEST_XDIST_WORKER" in os.environ else own


@pytest.fixture(scope="session")
def repository() -> Path:
    return REPOSITORY


@pytest.fixture(scope="session")
def shared() -> Path:
    if SHARED.is_dir():
        return SHARED
    pytest.skip("needs the real corpora and reference scores in ../shared, which this clone lacks")


@pytest.fixture(scope="session")
def peer_rows(shared: Path) -> Callable[[str], list[dict[str, str]]]:
    def read(name: str) -> list[dict[str, str]]:
        path = shared / "golden" / "peers" / name
        with path.open(encoding="utf-8", newline="") as stream:
            return list(csv.DictReader(stream, delimiter="\t"))

    return read


@pytest.fixture(scope="session")
def printed() -> Callable[[str, str, str], dict[str, float]]:
    with (REPOSITORY / "seeds" / "published.csv").open(encoding="utf-8", newline="") as stream:
        rows = list(csv.DictReader(stream))

    def read(paper: str, exhibit: str, column: str) -> dict[str, float]:
        place = (paper, exhibit, column)
        columns = ("paper", "exhibit", "column_label")
        selected = [row for row in rows if tuple(row[name] for name in columns) == place]
        assert selected, place
        return {row["row_label"]: float(row["published"]) for row in selected}

    return read


@pytest.fixture(scope="session")
def errant_f() -> dict[str, float]:
    """F0.5 of the thirteen systems' .errant files, created with an older spaCy model."""
    return {
        "AMU": 0.3208,
        "CAMB": 0.3348,
        "CUUI": 0.3402,
        "IITB": 0.0568,
        "INPUT": 0.0,
        "IPN": 0.0606,
        "NTHU": 0.2561,
        "PKU": 0.2346,
        "POST": 0.2781,
        "RAC": 0.2340,
        "SJTU": 0.1444,
        "UFC": 0.0781,
        "UMC": 0.2331,
    }
