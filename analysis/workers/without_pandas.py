"""Keeps pandas out of processes that never ask for it: 44 MB, and a fifth of a second.

pyarrow imports pandas, where that is installed, when it makes its first array. It tries once, and
again for whoever wants a data frame. DuckDB tries with each statement that has parameters.
"""

import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec
from types import ModuleType

import pyarrow as pa


class _NoPandas(MetaPathFinder):
    """Says of pandas that it is not there."""

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Raise ModuleNotFoundError for pandas, and leave others to whoever finds them."""
        del path, target
        if fullname == "pandas":
            raise ModuleNotFoundError(fullname)
        return None


def spare_pandas() -> None:
    """Have pyarrow try in vain; nothing where pandas has been imported."""
    with without_pandas():
        pa.array([0])


@contextmanager
def without_pandas() -> Iterator[None]:
    """Have whoever wants to import pandas find none; nothing where it has been imported."""
    hidden = _NoPandas()
    sys.meta_path.insert(0, hidden)
    try:
        yield
    finally:
        sys.meta_path.remove(hidden)
