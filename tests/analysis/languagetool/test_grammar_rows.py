"""Texts to check in chunks, as the workers of a cluster receive them."""

from collections.abc import Iterator
from pathlib import Path

import pyarrow as pa
import pytest

from maege.analysis.languagetool import checking
from maege.analysis.stored import grammar_rows
from maege.analysis.stored.grammar_rows import (
    Check,
    KeptServer,
    check_chunk,
    check_here,
    plan_checks,
)

TEXTS = [f"{'x ' * (number % 3)}  word {number}" for number in range(40)] + ["refuse", "axe"]
IDS = list(range(100, 142))


@pytest.fixture
def kept(stand_in: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[KeptServer]:
    assert stand_in.name == "home"
    kept_server = KeptServer()
    monkeypatch.setattr(grammar_rows, "_kept", kept_server)
    monkeypatch.setattr(grammar_rows, "CHUNK_TEXTS", 10)
    monkeypatch.setattr(grammar_rows, "CHUNK_TEXTS_OF_OLDER_VERSIONS", 20)
    # This machine uses two processes of an older version.
    monkeypatch.setattr(checking, "FEW_TEXTS", 20)
    yield kept_server
    kept_server.close()


@pytest.mark.usefixtures("kept")
@pytest.mark.parametrize(("version", "chunks"), [("6.6", 5), ("3.7", 3)])
def test_chunks_give_the_same_rows_as_one_machine(version: str, chunks: int) -> None:
    work = (Check(7, version, "en-US", ()), IDS, TEXTS)
    planned = list(plan_checks(*work))
    assert len(planned) == chunks
    assert planned[-1].description == f"LanguageTool {version}, texts 140 to 141 (2)"
    rows_of_chunks = pa.concat_tables([check_chunk(chunk) for chunk in planned])
    rows_of_machine = pa.concat_tables(list(check_here(*work)))
    assert rows_of_chunks.equals(rows_of_machine)
    assert rows_of_machine["text_id"].to_pylist() == IDS
    # White space is normalised: "x x word 2".
    assert rows_of_machine["offsets"].to_pylist()[2] == [0, 2]
    assert [row is not None for row in rows_of_machine["error"].to_pylist()].index(True) == 40


def test_a_worker_keeps_the_server_from_chunk_to_chunk(kept: KeptServer) -> None:
    addresses = set()
    for chunk in plan_checks(Check(7, "6.6", "en-US", ()), IDS[:40], TEXTS[:40]):
        check_chunk(chunk)
        with kept.server() as server:
            addresses.add(server.url())
    assert len(addresses) == 1
