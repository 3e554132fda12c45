"""Cache of edits and counts of texts, for the next comparison: one SQLite file per user.

The key of a row is a hash of the program that computed it, its versions and code, and the texts.
The value has edits and counts, which include the words of corrections but no whole sentences.
Scores are not stored. If the file is damaged, locked or cannot be written, the comparison warns
once and runs without it.
"""

import hashlib
import os
import sqlite3
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import TypeVar

import platformdirs

from maege import analysis

FILE = "compare-2.sqlite"
FOLDER = "MAEGE_CACHE"
# A larger file is replaced by an empty one.
LARGEST_BYTES = 500_000_000
SECONDS_TO_WAIT = 2.0
# All builds of SQLite accept at least 999 parameters per statement.
AT_ONCE = 900
# Modules that edits and counts depend on.
CODE = ("extraction", "metrics/m2", "edits.py", "compare/edits.py", "compare/gold.py")

_SCHEMA = """
    create table if not exists made (key blob primary key, made text not null) without rowid
"""
Result = TypeVar("Result")


class Cache:
    """A `Store` in a file; `warn` is called once if the file cannot be used."""

    def __init__(self, path: Path, warn: Callable[[str], None]) -> None:
        self._path, self._warn = path, warn
        self._connection: sqlite3.Connection | None = None
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            if path.exists() and path.stat().st_size > LARGEST_BYTES:
                path.unlink()
            self._connection = sqlite3.connect(path, timeout=SECONDS_TO_WAIT)
        except (sqlite3.Error, OSError) as error:
            self._give_up(error)
        self._try(lambda connection: connection.execute(_SCHEMA), None)

    def known(self, signature: str, given: Sequence[tuple[str, ...]]) -> dict[tuple[str, ...], str]:
        """Return the stored outputs of the program with this signature for the texts."""
        by_key = {key_of(signature, texts): texts for texts in given}
        keys = list(by_key)

        def select(connection: sqlite3.Connection) -> dict[tuple[str, ...], str]:
            outputs: dict[tuple[str, ...], str] = {}
            for start in range(0, len(keys), AT_ONCE):
                part = keys[start : start + AT_ONCE]
                places = ",".join("?" * len(part))
                query = f"select key, made from made where key in ({places})"  # noqa: S608
                outputs |= {by_key[key]: made for key, made in connection.execute(query, part)}
            return outputs

        return self._try(select, {})

    def keep(self, signature: str, made: Mapping[tuple[str, ...], str]) -> None:
        """Store a program's outputs for texts."""
        rows = [(key_of(signature, texts), output) for texts, output in made.items()]

        def insert(connection: sqlite3.Connection) -> None:
            with connection:
                connection.executemany("insert or ignore into made values (?, ?)", rows)

        self._try(insert, None)

    def close(self) -> None:
        """Close the file."""
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    def _try(self, action: Callable[[sqlite3.Connection], Result], default: Result) -> Result:
        if self._connection is None:
            return default
        try:
            return action(self._connection)
        except (sqlite3.Error, OSError) as error:
            self._give_up(error)
            return default

    def _give_up(self, error: Exception) -> None:
        self.close()
        self._warn(
            f"{self._path} cannot be used ({error}). Nothing is stored for the next comparison. "
            f"Remove the file, or name another folder in {FOLDER}."
        )


def default_path() -> Path:
    """Return the file in the folder that MAEGE_CACHE names, else in the user's cache."""
    folder = os.environ.get(FOLDER)
    return (Path(folder) if folder else Path(platformdirs.user_cache_dir("maege"))) / FILE


def key_of(signature: str, texts: Sequence[str]) -> bytes:
    """Return the key of a program's output for texts."""
    digest = hashlib.blake2b(digest_size=16)
    for part in (_code(), signature, *texts):
        # Each part is preceded by its length, so that different lists have different keys.
        encoded = part.encode("utf-8", "surrogatepass")
        digest.update(len(encoded).to_bytes(8, "little") + encoded)
    return digest.digest()


@cache
def _code() -> str:
    folder = Path(analysis.__file__).parent
    digest = hashlib.sha256()
    for name in CODE:
        path = folder / name
        for module in sorted(path.glob("*.py")) if path.is_dir() else [path]:
            digest.update(module.read_bytes())
    return digest.hexdigest()
