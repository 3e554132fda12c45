"""What texts were found to say, kept for the next comparison: one SQLite file for a user.

A row is named for the program that made it, with versions and code, and for the texts that it was
given. It holds edits and counts, and so the words of corrections, but no sentence. Scores are never
kept: they cost less than being wrong. A file that is damaged, locked or cannot be written is said
once and then gone without.
"""

import hashlib
import os
import sqlite3
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from itertools import islice
from pathlib import Path
from types import TracebackType
from typing import Self

import platformdirs

from maege import analysis

FILE = "compare-1.sqlite"
FOLDER = "MAEGE_CACHE"
LARGEST_BYTES = 500_000_000
# Of a file that is too large this share of the rows stays, the youngest.
STAYS = 0.7
SECONDS_TO_WAIT = 2.0
# SQLite takes 999 in one question everywhere.
AT_ONCE = 900
# The modules whose change makes other edits or counts.
CODE = (
    "extraction",
    "metrics/m2",
    "edits.py",
    "compare/edits/parsing.py",
    "compare/edits/m2_counts.py",
)

_SCHEMA = """
pragma auto_vacuum = incremental;
create table if not exists made (key blob primary key, made text not null, at integer not null)
without rowid;
create index if not exists made_at on made (at);
"""


def default_path() -> Path:
    """Return the file in the folder that MAEGE_CACHE names, else in the user's cache."""
    named = os.environ.get(FOLDER)
    return (Path(named) if named else Path(platformdirs.user_cache_dir("maege"))) / FILE


class Cache:
    """A store of what programs make of texts; to be left, which writes what is new."""

    def __init__(
        self,
        path: Path,
        warn: Callable[[str], None],
        largest_bytes: int = LARGEST_BYTES,
    ) -> None:
        self._path = path
        self._warn = warn
        self._largest_bytes = largest_bytes
        self._new: dict[bytes, str] = {}
        self._connection: sqlite3.Connection | None = None

    def __enter__(self) -> Self:
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            self._connection = sqlite3.connect(
                self._path, timeout=SECONDS_TO_WAIT, isolation_level=None
            )
            self._connection.executescript(_SCHEMA)
        except (sqlite3.Error, OSError) as error:
            self._give_up(error)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._connection is not None and self._new:
            try:
                self._write(self._connection)
            except sqlite3.Error as failure:
                self._give_up(failure)
        self._close()

    def known(self, signature: str, given: Sequence[tuple[str, ...]]) -> dict[tuple[str, ...], str]:
        """Return what is known of these texts."""
        by_key = {key_of(signature, texts): texts for texts in given}
        found = {by_key[key]: made for key, made in self._new.items() if key in by_key}
        if self._connection is None:
            return found
        try:
            for keys in _parts(by_key):
                places = ",".join("?" * len(keys))
                rows = self._connection.execute(
                    f"select key, made from made where key in ({places})",  # noqa: S608
                    keys,
                )
                found |= {by_key[key]: made for key, made in rows}
        except sqlite3.Error as error:
            self._give_up(error)
        return found

    def keep(self, signature: str, made: Mapping[tuple[str, ...], str]) -> None:
        """Keep what was made of texts, for this comparison and the next."""
        self._new |= {key_of(signature, texts): text for texts, text in made.items()}

    def _write(self, connection: sqlite3.Connection) -> None:
        now = int(time.time())
        connection.execute("begin immediate")
        connection.executemany(
            "insert or ignore into made values (?, ?, ?)",
            [(key, made, now) for key, made in self._new.items()],
        )
        if self._bytes(connection) > self._largest_bytes:
            (rows,) = connection.execute("select count(*) from made").fetchone()
            connection.execute(
                "delete from made where key in (select key from made order by at, key limit ?)",
                [int(rows * (1 - STAYS))],
            )
        connection.execute("commit")
        connection.execute("pragma incremental_vacuum").fetchall()

    def _bytes(self, connection: sqlite3.Connection) -> int:
        (pages,) = connection.execute("pragma page_count").fetchone()
        (size,) = connection.execute("pragma page_size").fetchone()
        return int(pages) * int(size)

    def _give_up(self, error: Exception) -> None:
        self._close()
        self._warn(
            f"{self._path} cannot be used ({error}), and nothing is kept for the next comparison; "
            f"remove the file, or name another folder in {FOLDER}"
        )

    def _close(self) -> None:
        if self._connection is not None:
            self._connection.close()
            self._connection = None


def key_of(signature: str, texts: Sequence[str]) -> bytes:
    """Return the name of what a program makes of texts."""
    digest = hashlib.blake2b(digest_size=16)
    for part in (_code(), signature, *texts):
        # Its length before each part, so that no two lists are the same.
        encoded = part.encode("utf-8", "surrogatepass")
        digest.update(len(encoded).to_bytes(8, "little") + encoded)
    return digest.digest()


@cache
def _code() -> str:
    """Return the name of the code that makes edits and counts."""
    folder = Path(analysis.__file__).parent
    digest = hashlib.sha256()
    for name in CODE:
        path = folder / name
        for module in sorted(path.glob("*.py")) if path.is_dir() else [path]:
            digest.update(module.read_bytes())
    return digest.hexdigest()


def _parts(keys: Mapping[bytes, object]) -> Iterator[list[bytes]]:
    waiting = iter(keys)
    while part := list(islice(waiting, AT_ONCE)):
        yield part
