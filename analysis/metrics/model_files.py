"""Hashes of model files, which are part of a metric's signature.

It needs only the standard library, because other Pythons without NumPy import it, too.
"""

import hashlib
from pathlib import Path


class ModelFileError(ValueError):
    """A model file is missing, damaged, or different from the requested one."""


def file_hash(path: Path) -> str:
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
    sha256 = file_hash(path)
    if sha256 != expected:
        raise ModelFileError(
            f"{path}: expected a file with SHA-256 {expected}, found {sha256}; "
            "install it again, or declare it as another model"
        )
