"""The published marts as Parquet: partitioned, counted, and replaced as a whole."""

import hashlib
import json
from pathlib import Path

import duckdb
import pytest
from small_marts import publish

from maege.building.parquet import write_parquet
from maege.ingest.findings import BadInputError
from maege.ingest.warehouse import Warehouse


@pytest.fixture(scope="module")
def warehouse(tmp_path_factory: pytest.TempPathFactory) -> Warehouse:
    """A warehouse with marts made by hand."""
    return Warehouse(publish(tmp_path_factory.mktemp("parquet") / "warehouse"))


def test_every_mart_is_the_same_in_parquet(warehouse: Warehouse, tmp_path: Path) -> None:
    written = write_parquet(warehouse, tmp_path / "marts")
    with duckdb.connect(warehouse.marts, read_only=True) as marts:
        for name, rows in written.marts.items():
            read = f"read_parquet('{written.folder}/{name}/**/*.parquet', hive_partitioning = true)"
            columns = ", ".join(f'"{column}"' for column in marts.table(name).columns)
            mine, theirs = (
                marts.sql(f"select {columns} from {source}") for source in (f'"{name}"', read)
            )
            assert len(theirs.fetchall()) == rows
            assert sorted(map(repr, mine.fetchall())) == sorted(map(repr, theirs.fetchall()))


def test_marts_with_a_corpus_have_a_folder_each(warehouse: Warehouse, tmp_path: Path) -> None:
    folder = write_parquet(warehouse, tmp_path / "marts").folder
    names = sorted(path.name for path in (folder / "type_deltas").iterdir())
    assert names == ["corpus=one", "corpus=two"]
    assert [path.name for path in (folder / "metrics").iterdir()] == ["data_0.parquet"]


def test_manifest_has_rows_and_hashes(warehouse: Warehouse, tmp_path: Path) -> None:
    folder = write_parquet(warehouse, tmp_path / "marts").folder
    manifest = json.loads((folder / "manifest.json").read_text())["marts"]
    assert manifest["type_deltas"]["rows"] == 30
    listed = {name for mart in manifest.values() for name in mart["files"]}
    assert listed == {str(path.relative_to(folder)) for path in folder.rglob("*.parquet")}
    for mart in manifest.values():
        for name, about in mart["files"].items():
            content = (folder / name).read_bytes()
            assert about["sha256"] == hashlib.sha256(content).hexdigest()
            assert about["bytes"] == len(content)


def test_an_older_folder_is_replaced_as_a_whole(warehouse: Warehouse, tmp_path: Path) -> None:
    folder = write_parquet(warehouse, tmp_path / "marts").folder
    (folder / "gone").mkdir()
    write_parquet(warehouse, folder)
    assert not (folder / "gone").exists()
    assert [path.name for path in tmp_path.iterdir()] == ["marts"]


def test_unrelated_folder_is_unchanged(warehouse: Warehouse, tmp_path: Path) -> None:
    (tmp_path / "thesis.tex").write_text("mine")
    with pytest.raises(BadInputError):
        write_parquet(warehouse, tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["thesis.tex"]
