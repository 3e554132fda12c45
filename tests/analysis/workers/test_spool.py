"""The spool keeps finished chunks and nothing else."""

import os
import subprocess
import sys
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from maege.analysis.stored.caches import Spool, packed, packed_rows

TABLE = pa.table({"key": [1, 2], "statistics": [[0.5], [1.0, 2.0]]})
ROWS = packed(TABLE)

ENDLESS_WRITER = """
import sys
from pathlib import Path
import pyarrow as pa
from maege.analysis.stored.caches import Spool, packed
spool = Spool(Path(sys.argv[1]))
while True:
    spool.append(packed(pa.table({"key": list(range(20000))})))
    print("written", flush=True)
"""


def test_a_chunk_is_read_back_as_it_was_written(tmp_path: Path) -> None:
    spool = Spool(tmp_path / "new" / "spool")
    path = spool.append(ROWS)
    assert spool.paths() == [path]
    assert pq.read_table(path).equals(TABLE)


def test_computing_process_packs_its_rows(tmp_path: Path) -> None:
    def twice(keys: list[int]) -> pa.Table:
        return pa.table({"key": [key for key in keys for _ in range(2)]})

    rows = packed_rows(twice, [3, 4])
    assert rows.num_rows == 4
    assert pq.read_table(Spool(tmp_path).append(rows))["key"].to_pylist() == [3, 3, 4, 4]


def test_chunks_are_files_of_their_own_until_cleared(tmp_path: Path) -> None:
    spool = Spool(tmp_path)
    paths = [spool.append(ROWS) for _ in range(5)]
    assert len(set(paths)) == 5
    assert spool.paths() == sorted(paths)
    assert Spool(tmp_path).paths() == sorted(paths)

    spool = Spool(tmp_path / "cleared")
    first, second = spool.append(ROWS), spool.append(ROWS)
    spool.clear([first])
    spool.clear([first])
    assert spool.paths() == [second]


def test_an_unfinished_chunk_is_ignored_and_deleted(tmp_path: Path) -> None:
    leftover = tmp_path / "abc.unfinished"
    leftover.write_bytes(b"PAR1 cut off")
    (tmp_path / "notes.txt").write_text("not ours")
    assert Spool(tmp_path).paths() == []
    assert [path.name for path in tmp_path.iterdir()] == ["notes.txt"]


def test_every_finished_chunk_of_a_killed_writer_is_whole(tmp_path: Path, repository: Path) -> None:
    writer = subprocess.Popen(
        [sys.executable, "-c", ENDLESS_WRITER, str(tmp_path)],
        env={**os.environ, "PYTHONPATH": str(repository)},
        stdout=subprocess.PIPE,
        text=True,
    )
    assert writer.stdout is not None
    for _ in range(3):
        assert writer.stdout.readline() == "written\n"
    writer.kill()
    writer.communicate(timeout=20)
    paths = Spool(tmp_path).paths()
    assert len(paths) >= 3
    assert all(pq.read_table(path).num_rows == 20000 for path in paths)
    assert sorted(tmp_path.iterdir()) == paths
