"""Read bytes as lines, and JSON as values, for all formats."""

import gzip
import hashlib
import io
import json
import re
import zlib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from maege.ingest.findings import FaultError, Findings

GZIP_MAGIC = b"\x1f\x8b"
BYTE_ORDER_MARK = b"\xef\xbb\xbf"
# The first bytes of files that are not text.
BINARY_MARKS = {
    b"PK\x03\x04": "a zip archive, such as a spreadsheet or document",
    b"\xd0\xcf\x11\xe0": "a spreadsheet or document",
    b"%PDF-": "a PDF",
    b"BZh": "a file packed with bzip2",
    b"\xfd7zXZ": "a file packed with xz",
    b"\x28\xb5\x2f\xfd": "a file packed with zstd",
    b"7z\xbc\xaf": "a 7z archive",
    b"PAR1": "a Parquet file",
    b"version https://git-lfs": "a pointer of Git LFS (fetch the file: git lfs pull)",
}
MOST_DIGITS = 9
# 26 MB of gzip can unpack to 6 GB.
MOST_UNPACKED = 500_000_000
# The zero byte and halves of UTF-16 pairs, which JSON and YAML can contain as escapes.
NO_TEXT = re.compile("[\0\ud800-\udfff]")


@dataclass(frozen=True)
class TextFile:
    """The lines of a file without line ends, and the hash and size of the bytes on disk."""

    shown: str
    lines: list[str]
    sha256: str
    size: int


def read_text(path: Path, findings: Findings, remedy: str = "Correct the path.") -> TextFile | None:
    """Return the file's lines, or None and a finding if it cannot be read as UTF-8 text.

    `remedy` is the advice if the file does not exist. Gzip is recognised by its first bytes. Lines
    end only at a line feed (a preceding carriage return belongs to the line end), because
    str.splitlines would also split at U+0085, U+2028 and others, which are characters of a
    sentence.
    """
    try:
        stored = _stored(path, remedy)
        lines = _lines(_unzipped(stored) if stored.startswith(GZIP_MAGIC) else stored)
    except FaultError as error:
        findings.add(str(path), error.line, *error.fault)
        return None
    return TextFile(str(path), lines, hashlib.sha256(stored).hexdigest(), len(stored))


def _stored(path: Path, remedy: str) -> bytes:
    try:
        if path.exists() and not path.is_file():
            # Reading a pipe would block, and a device may never end.
            raise FaultError(
                "a directory, pipe, socket or device",
                "a file",
                "Name a file, and write the content of a pipe to a file first.",
            )
        stored = path.read_bytes()
    except FileNotFoundError:
        raise FaultError("no such file", "a file", remedy) from None
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or "a zero byte or half of a UTF-16 pair in it"
        raise FaultError(
            f"a path that cannot be read: {reason}",
            "the path of a readable file",
            "Correct the path, or check permissions and the disk.",
        ) from None
    for mark, problem in BINARY_MARKS.items():
        if stored.startswith(mark):
            raise FaultError(problem, "UTF-8 text", "Unpack it, or save its content as text.")
    return stored


def _unzipped(stored: bytes) -> bytes:
    try:
        with gzip.GzipFile(fileobj=io.BytesIO(stored)) as file:
            content = file.read(MOST_UNPACKED + 1)
    except (OSError, EOFError, zlib.error) as error:
        raise FaultError(
            f"a gzip file that does not unpack ({error})",
            "a whole gzip file or plain text",
            "Fetch or compress the file again.",
        ) from None
    if len(content) > MOST_UNPACKED:
        raise FaultError(
            f"{len(stored):,} bytes of gzip that unpack to more than {MOST_UNPACKED:,}",
            f"a gzip file that unpacks to at most {MOST_UNPACKED:,} bytes",
            "Check what it holds. If it is right, unpack it (gunzip FILE) and name that file.",
        )
    return content


def _lines(content: bytes) -> list[str]:
    content = content.removeprefix(BYTE_ORDER_MARK)
    try:
        text = content.decode("utf-8")
    except UnicodeDecodeError as error:
        found = f"byte 0x{content[error.start]:02x}, which is not UTF-8"
        raise _encoding_fault(found, content.count(b"\n", 0, error.start) + 1) from None
    if "\0" in text:
        raise _encoding_fault("a zero byte", text.count("\n", 0, text.index("\0")) + 1)
    if "\r" in text and "\n" not in text:
        raise _encoding_fault("lines that end with a carriage return alone", 1)
    lines = text.split("\n")
    if lines[-1] == "":
        lines.pop()
    return [line.removesuffix("\r") for line in lines]


def _encoding_fault(found: str, line: int) -> FaultError:
    return FaultError(
        found,
        "UTF-8 text whose lines end with a line feed",
        "Convert it from its encoding: iconv -f ENCODING -t UTF-8 OLD > NEW (a text with zero "
        "bytes: iconv -f UTF-16). Convert line ends: tr '\\r' '\\n' < OLD > NEW",
        line,
    )


def is_whole_number(text: str) -> bool:
    """Return whether the text is a whole number of at most nine digits, as for ranks."""
    return text.isascii() and text.isdecimal() and len(text) <= MOST_DIGITS


def parse_json(text: str, parse_constant: Callable[[str], Any] | None = None) -> Any:  # noqa: ANN401
    """Return the value of JSON text; raise ValueError for other text and deep nesting."""
    try:
        return json.loads(text, parse_constant=parse_constant)
    except RecursionError:
        raise ValueError("nested too deep") from None
