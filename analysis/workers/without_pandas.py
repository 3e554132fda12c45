"""Keeps pandas out of processes that never ask for it.

pyarrow imports pandas, where that is installed, when it makes its first array: 44 MB and a fifth of
a second for each worker. It tries once, and again for whoever wants a data frame.
"""

import sys
from collections.abc import Sequence
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
    hidden = _NoPandas()
    sys.meta_path.insert(0, hidden)
    try:
        pa.array([0])
    finally:
        sys.meta_path.remove(hidden)
