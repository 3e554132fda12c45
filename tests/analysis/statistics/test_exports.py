"""What notebooks find in the package, without what they do not ask for."""

import subprocess
import sys
from pathlib import Path

import pytest

from maege.analysis import statistics

MODULES = Path(statistics.__file__).parent.rglob("*.py")
IMPORTED = """
import sys
import maege.analysis.statistics
print([name for name in sys.modules if name.startswith("maege.analysis.statistics.")])
"""


def test_the_package_imports_no_module_of_its_own() -> None:
    # Two threads that import two of them must never wait for each other.
    found = subprocess.run(
        [sys.executable, "-c", IMPORTED], capture_output=True, text=True, check=True
    )
    assert found.stdout == "[]\n"


@pytest.mark.parametrize("name", dir(statistics))
def test_exported_functions_are_had_by_name(name: str) -> None:
    assert getattr(statistics, name).__name__ == name


def test_all_of_them_are_imported_by_a_star() -> None:
    found: dict[str, object] = {}
    exec("from maege.analysis.statistics import *", found)  # noqa: S102
    assert found.keys() - {"__builtins__"} == set(dir(statistics))


def test_no_module_hides_an_exported_function() -> None:
    assert {path.stem for path in MODULES}.isdisjoint(dir(statistics))


def test_another_name_is_an_error() -> None:
    with pytest.raises(AttributeError, match="has no attribute 'kendall_tau_of_nothing'"):
        statistics.kendall_tau_of_nothing  # noqa: B018 (the error is what is asked for)
