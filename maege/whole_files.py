"""Write files completely or not at all: an older file stays until the new one is on disk."""

import errno
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

SUFFIX = ".writing"


@contextmanager
def written_whole(path: Path) -> Iterator[Path]:
    """Yield a temporary path to write to; at the end it is renamed to `path`.

    Raises OSError where `path` is a folder.
    """
    if path.is_dir():
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))
    copy = path.with_name(f"{path.name}.{os.getpid()}{SUFFIX}")
    try:
        yield copy
        with copy.open("rb") as file:
            os.fsync(file.fileno())
        copy.replace(path)
    finally:
        copy.unlink(missing_ok=True)


def write_whole(text: str, path: Path) -> None:
    """Write a text file without changing its line ends."""
    with written_whole(path) as copy:
        copy.write_text(text, encoding="utf-8", newline="\n")
