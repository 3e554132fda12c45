"""Fixtures that every test may use."""

import csv
import os
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import settings

# How long an example takes says how busy the machine is.
settings.register_profile("without_deadline", deadline=None)
settings.load_profile("without_deadline")

REPOSITORY = Path(__file__).resolve().parent.parent
SHARED = REPOSITORY.parent / "shared"


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
