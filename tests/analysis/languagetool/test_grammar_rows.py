"""Texts to check in chunks, as the workers of a cluster receive them."""

from collections.abc import Iterator
from pathlib import Path

import pyarrow as pa
import pytest

from maege.analysis.languagetool.server import read_record, run_folder
from maege.analysis.stored import grammar_rows
from maege.analysis.stored.grammar_rows import Check, Keeper, check_chunk, check_here, plan_checks

TEXTS = [f"{'x ' * (number % 3)}  word {number}" for number in range(40)] + ["refuse", "axe"]
IDS = list(range(100, 142))


@pytest.fixture
def keeper(stand_in: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Keeper]:
    """The worker's use of a server that belongs to this test."""
    assert stand_in.name == "home"
    test_keeper = Keeper()
    monkeypatch.setattr(grammar_rows, "_keeper", test_keeper)
    monkeypatch.setattr(grammar_rows, "CHUNK_TEXTS", 10)
    monkeypatch.setattr(grammar_rows, "CHUNK_TEXTS_OF_OLDER_VERSIONS", 20)
    # This machine uses two processes of an older version.
    monkeypatch.setattr(grammar_rows, "FEW_TEXTS", 20)
    yield test_keeper
    test_keeper.let_go()


@pytest.mark.usefixtures("keeper")
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


def test_a_worker_keeps_the_server_from_chunk_to_chunk(keeper: Keeper) -> None:
    servers = set()
    for chunk in plan_checks(Check(7, "6.6", "en-US", ()), IDS[:40], TEXTS[:40]):
        check_chunk(chunk)
        record = read_record(run_folder())
        assert record is not None
        servers.add(record.pid)
    assert len(servers) == 1
    keeper.let_go()
