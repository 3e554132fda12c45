"""Bytes are read as lines, whichever program wrote the file."""

import gzip
import os
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from maege.ingest import reading
from maege.ingest.findings import Findings
from maege.ingest.reading import parse_json, read_text

LINE = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\n\r\0\ufeff"))


def read(path: Path, content: bytes) -> list[str]:
    path.write_bytes(content)
    findings = Findings()
    file = read_text(path, findings)
    assert findings.as_text() == ""
    assert file is not None
    return file.lines


@given(
    lines=st.lists(LINE, min_size=1, max_size=5),
    end=st.sampled_from(["\n", "\r\n"]),
    mark=st.sampled_from([b"", b"\xef\xbb\xbf"]),
    zipped=st.booleans(),
)
def test_line_ends_byte_order_mark_and_gzip_do_not_change_the_lines(
    tmp_path_factory: pytest.TempPathFactory, lines: list[str], end: str, mark: bytes, zipped: bool
) -> None:
    content = mark + "".join(line + end for line in lines).encode()
    path = tmp_path_factory.mktemp("reading") / "text"
    assert read(path, gzip.compress(content) if zipped else content) == lines


def test_only_a_line_feed_ends_a_line(tmp_path: Path) -> None:
    assert read(tmp_path / "text", b"a\nb") == ["a", "b"]
    assert read(tmp_path / "text", b"\na\n\n") == ["", "a", ""]
    assert read(tmp_path / "text", b"") == []
    inside = "a\x0bb\x0cc\x1cd\x85e\u2028f\u2029g\rh"
    assert read(tmp_path / "text", f"{inside}\n".encode()) == [inside]


@pytest.mark.parametrize(
    ("make", "found"),
    [
        (os.mkfifo, "a directory, pipe, socket or device"),
        (Path.mkdir, "a directory, pipe, socket or device"),
        (lambda path: path.symlink_to(path.name), "a path that cannot be read: "),
        (lambda _: None, "no such file"),
    ],
)
def test_what_is_no_file_is_a_finding(
    make: Callable[[Path], None], found: str, tmp_path: Path
) -> None:
    make(tmp_path / "it")
    findings = Findings()
    assert read_text(tmp_path / "it", findings) is None
    assert f"found    {found}" in findings.as_text()


def test_gzip_that_unpacks_to_too_much_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reading, "MOST_UNPACKED", 1000)
    assert read(tmp_path / "small", gzip.compress(b"a\n" * 500)) == ["a"] * 500
    # Two gzip members, each small enough by itself.
    packed = gzip.compress(b"a\n" * 500) + gzip.compress(b"a")
    (tmp_path / "large").write_bytes(packed)
    findings = Findings()
    assert read_text(tmp_path / "large", findings) is None
    (finding,) = findings
    assert finding.found == f"{len(packed)} bytes of gzip that unpack to more than 1,000"
    assert "gunzip FILE" in finding.remedy


@pytest.mark.parametrize("name", ["a\0b", "a" * 5000, "\ud800"])
def test_a_path_that_no_file_can_have_is_a_finding(name: str, tmp_path: Path) -> None:
    findings = Findings()
    assert read_text(tmp_path / name, findings) is None
    (finding,) = findings
    assert finding.remedy


@pytest.mark.parametrize("text", ["[" * 100_000, '{"a":' * 100_000])
def test_deep_json_is_no_json(text: str) -> None:
    with pytest.raises(ValueError, match="nested too deep"):
        parse_json(text)
