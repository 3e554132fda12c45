"""Interface between fluency and a language model of any kind.

One text goes in, four numbers come out: log10 of the model's probability of the text, log10 of its
unigrams' probability, the number of tokens, and the number of unknown tokens. Name and file hash
are part of the signature, so that two models are two metrics.
"""

import hashlib
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

# Other Pythons without NumPy also compute the hash of a folder.
if TYPE_CHECKING:
    from maege.analysis.metrics.families.base import FloatArray

STATISTICS = ("log10_pm", "log10_pu", "lm_tokens", "lm_oov")


class LanguageModel(Protocol):
    """A loaded language model."""

    def score(self, texts: Sequence[str]) -> "FloatArray":
        """Return one row per text, with the columns of STATISTICS."""


class ModelFileError(ValueError):
    """A model file is missing, damaged, or different from the requested one."""


def file_hash(path: Path) -> str:
    """Return the SHA-256 of a file, or of all files of a folder with their names, as hex digits.

    Raises ModelFileError if the file or folder does not exist.
    """
    if path.is_dir():
        digest = hashlib.sha256()
        for part in sorted(p for p in path.rglob("*") if p.is_file()):
            digest.update(f"{part.relative_to(path).as_posix()}\0{file_hash(part)}\n".encode())
        return digest.hexdigest()
    if not path.is_file():
        raise ModelFileError(f"{path}: expected a language model, found no such file")
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def check_hash(path: Path, expected: str) -> None:
    """Raise ModelFileError if the file's SHA-256 differs from `expected`."""
    sha256 = file_hash(path)
    if sha256 != expected:
        raise ModelFileError(
            f"{path}: expected a file with SHA-256 {expected}, found {sha256}; "
            "install it again, or declare it as another model"
        )
