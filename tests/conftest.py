"""Fixtures that every test may use."""

import os
from pathlib import Path

import pytest

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
