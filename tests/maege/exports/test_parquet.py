"""The published marts as Parquet: partitioned, counted, and replaced as a whole."""

import hashlib
import json
from pathlib import Path

import duckdb
import pytest
from small_marts import handmade, publish

from maege.building.parquet import write_parquet
from maege.ingest.findings import BadInputError
from maege.ingest.warehouse import Warehouse

warehouse = handmade


@pytest.fixture(scope="module")
def folder(warehouse: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The marts as Parquet, in the place of an older folder."""
    marts = Warehouse(warehouse)
    folder = tmp_path_factory.mktemp("written") / "marts"
    write_parquet(marts, folder)
    (folder / "gone").mkdir()
    write_parquet(marts, folder)
    return folder


def test_every_mart_is_the_same_in_parquet(warehouse: Path, folder: Path) -> None:
    about = json.loads((folder / "manifest.json").read_text())["marts"]
    assert about["type_deltas"]["rows"] == 30
    with duckdb.connect(warehouse / "marts.duckdb", read_only=True) as marts:
        assert len(about) == len(marts.execute("show tables").fetchall())
        for name, mart in about.items():
            read = f"read_parquet('{folder}/{name}/**/*.parquet', hive_partitioning = true)"
            columns = ", ".join(f'"{column}"' for column in marts.table(name).columns)
            mine, theirs = (
                marts.sql(f"select {columns} from {source}").fetchall()
                for source in (f'"{name}"', read)
            )
            assert len(theirs) == mart["rows"]
            assert sorted(map(repr, mine)) == sorted(map(repr, theirs))


def test_marts_with_a_corpus_have_a_folder_each_and_older_ones_are_gone(folder: Path) -> None:
    names = sorted(path.name for path in (folder / "type_deltas").iterdir())
    assert names == ["corpus=one", "corpus=two"]
    assert [path.name for path in (folder / "metrics").iterdir()] == ["data_0.parquet"]
    assert not (folder / "gone").exists()
    assert [path.name for path in folder.parent.iterdir()] == ["marts"]


def test_tables_behind_views_are_written(tmp_path: Path) -> None:
    warehouse = Warehouse(publish(tmp_path / "warehouse"))
    with duckdb.connect(warehouse.marts) as marts:
        marts.execute("create schema stored; create table stored.lists as select [1, 2] as n")
    write_parquet(warehouse, tmp_path / "marts")
    assert json.loads((tmp_path / "marts/manifest.json").read_text())["marts"]["lists"]["rows"] == 1


def test_manifest_has_hashes(folder: Path) -> None:
    marts = json.loads((folder / "manifest.json").read_text())["marts"].values()
    files = {name: about for mart in marts for name, about in mart["files"].items()}
    assert files.keys() == {str(path.relative_to(folder)) for path in folder.rglob("*.parquet")}
    for name, about in files.items():
        content = (folder / name).read_bytes()
        assert about["sha256"] == hashlib.sha256(content).hexdigest()
        assert about["bytes"] == len(content)


def test_unrelated_folder_is_unchanged(warehouse: Path, tmp_path: Path) -> None:
    (tmp_path / "thesis.tex").write_text("mine")
    with pytest.raises(BadInputError):
        write_parquet(Warehouse(warehouse), tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["thesis.tex"]
