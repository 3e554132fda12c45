"""The warehouse that tests of commands read."""

from pathlib import Path

import pytest
from small_marts import publish


@pytest.fixture(scope="session")
def warehouse(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A warehouse with marts made by hand, which tests only read."""
    return publish(tmp_path_factory.mktemp("handmade"))
