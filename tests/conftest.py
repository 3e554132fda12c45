"""Fixtures that every test may use."""

import csv
import os
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import settings

# Two processes run tests: in each a second thread of NumPy's OpenBLAS would wait for work by
# running in circles, and spaCy's parses take three to six times as long. Read by NumPy's import.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
# How long an example takes says how busy the machine is.
settings.register_profile("without_deadline", deadline=None)
settings.load_profile("without_deadline")

REPOSITORY = Path(__file__).resolve().parent.parent
SHARED = REPOSITORY.parent / "shared"
WAREHOUSES = REPOSITORY / "tests" / "warehouse"
# Fixtures that take long, the longest first: tests that use them start in this order.
# While the first has the sample built, LanguageTool's own tests, which need none, are run.
SLOW_FIXTURES = (
    "conll14_warehouse",
    "replicated_conll14",
    "session_home",
    "languagetool",
    "sample_warehouse",
    "odd_warehouse",
)
# What reads the published runs is for `make replicate`.
REPLICATED = {"replicated_conll14", "replicated_sample"}
# What reads the real corpora takes longer than what has its input in the test.
REAL_DATA = {"shared", "peer_rows"}
# Tests of these modules share what all processes share, and these fixtures: each test, or all tests
# of a fixture, may run in any of them.
APART = {
    "test_corrupted_edits.py",
    "test_own_metric.py",
    "test_own_metric_by_file.py",
    "test_sample_warehouse.py",
    "test_unchanged_tables.py",
    "test_variables.py",
}
TOGETHER = {
    "built_again",
    "by_file",
    "full_lattices",
    "rebuilt_with_another_scipy",
    "three_chains",
    "tiny_warehouse",
}


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark what is slow or of the published runs, and keep together what shares a fixture."""
    for item in items:
        names = getattr(item, "fixturenames", ())
        if REPLICATED.intersection(names):
            item.add_marker(pytest.mark.replicate)
        slow = [name for name in SLOW_FIXTURES if name in names]
        if slow or WAREHOUSES in item.path.parents or REAL_DATA.intersection(names):
            item.add_marker(pytest.mark.slow)
        item.add_marker(pytest.mark.xdist_group(group_of(item, slow)))
    items.sort(key=place)


def group_of(item: pytest.Item, slow: list[str]) -> str:
    """Return the name of the tests that run in one process with this one."""
    if "conll14_warehouse" in slow:
        return "conll14"
    if "replicated_conll14" in slow:
        return "replicated_conll14"
    if "languagetool" in slow or "session_home" in slow:
        return "languagetool"
    if "odd_warehouse" in slow:
        return "odd"
    if item.path.name in APART:
        return next(iter(TOGETHER.intersection(getattr(item, "fixturenames", ()))), item.nodeid)
    return str(item.path.relative_to(REPOSITORY))


def place(item: pytest.Item) -> int:
    """Return where the test stands in the order of the suite."""
    names = getattr(item, "fixturenames", ())
    of_fixtures = (n for n, name in enumerate(SLOW_FIXTURES) if name in names)
    is_slow = item.get_closest_marker("slow") is not None
    return next(of_fixtures, len(SLOW_FIXTURES) + (not is_slow))


@pytest.fixture(scope="session")
def suite(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder that all processes of one run of the tests share."""
    own = tmp_path_factory.getbasetemp()
    return own.parent if "PYTEST_XDIST_WORKER" in os.environ else own


@pytest.fixture(scope="session")
def repository() -> Path:
    """The root of the checkout."""
    return REPOSITORY


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder of real corpora and reference scores; the test is skipped where it is absent."""
    if SHARED.is_dir():
        return SHARED
    message = "needs the real corpora and reference scores in ../shared, which this clone lacks"
    if os.environ.get("CI") == "true":
        pytest.fail(message)
    pytest.skip(message)


@pytest.fixture(scope="session")
def peer_rows(shared: Path) -> Callable[[str], list[dict[str, str]]]:
    """Read a tab-separated file of scores that other programs gave."""

    def read(name: str) -> list[dict[str, str]]:
        path = shared / "golden" / "peers" / name
        with path.open(encoding="utf-8", newline="") as stream:
            return list(csv.DictReader(stream, delimiter="\t"))

    return read


@pytest.fixture(scope="session")
def errant_f() -> dict[str, float]:
    """F.5 of the thirteen systems' .errant files, which an older model made from the references."""
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
