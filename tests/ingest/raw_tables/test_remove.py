"""What `maege remove` removes from the warehouse, and what it keeps."""

import json
from pathlib import Path

import pytest
from small_corpus import MANIFEST, Tables, ingest, load, maege, raw_tables, refusal, write_corpus

RANKINGS = """\
rankings_of: small
name: more_judges
title: Two rankings
licence: CC0-1.0
origin: written for tests
judgments: {more: more.csv}
"""


@pytest.fixture
def warehouse(tmp_path: Path) -> Path:
    return load(tmp_path).warehouse


def add_rankings(warehouse: Path) -> Path:
    """Ingest rankings of the corpus with their own manifest; return its folder."""
    folder = warehouse.parent / "rankings"
    folder.mkdir()
    (folder / "manifest.yml").write_text(RANKINGS)
    (folder / "more.csv").write_text(
        "judge,item,sentence_id,system,rank\ncy,1,0,good,1\ncy,1,0,INPUT,2\n"
    )
    ingest(warehouse, folder)
    return folder


def without_times(tables: Tables) -> Tables:
    return {
        name: [tuple(v for v in row if not hasattr(v, "isoformat")) for row in rows]
        for name, rows in tables.items()
    }


def test_a_corpus_goes_with_all_of_its_rows_and_others_stay(
    warehouse: Path, tmp_path: Path
) -> None:
    before = raw_tables(warehouse)
    other = MANIFEST.replace("corpus: small", "corpus: other")
    assert other != MANIFEST
    ingest(warehouse, write_corpus(tmp_path / "other", manifest_yml=other))
    with_other = raw_tables(warehouse)

    removed = maege(warehouse, "remove", "other", "--json")

    assert removed.exit_code == 0, removed.stderr
    assert raw_tables(warehouse) == before
    rows = json.loads(removed.stdout)["rows"]
    assert rows == {
        table: len(with_other[table]) - len(before[table])
        for table in before
        if len(with_other[table]) > len(before[table])
    }
    assert {"corpora", "files", "sentences", "outputs", "judgments"} <= rows.keys()


def test_the_rankings_of_a_corpus_go_with_it(warehouse: Path) -> None:
    add_rankings(warehouse)
    assert maege(warehouse, "remove", "small").exit_code == 0
    assert not any(raw_tables(warehouse).values())


def test_one_set_of_rankings_goes_alone_and_can_come_back(warehouse: Path) -> None:
    before = raw_tables(warehouse)
    folder = add_rankings(warehouse)
    with_more = raw_tables(warehouse)

    assert maege(warehouse, "remove", "small", "--judgments", "more").exit_code == 0

    assert raw_tables(warehouse) == before
    ingest(warehouse, folder)
    assert without_times(raw_tables(warehouse)) == without_times(with_more)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("smal",), "no corpus smal; there is small"),
        (("small", "--judgments", "gjg15"), "no judgment set of small gjg15; there is judges"),
    ],
)
def test_what_is_not_there_is_not_removed(
    arguments: tuple[str, ...], message: str, warehouse: Path
) -> None:
    before = raw_tables(warehouse)
    assert message in refusal(warehouse, "remove", *arguments)
    assert raw_tables(warehouse) == before


def test_without_a_warehouse_none_is_made(tmp_path: Path) -> None:
    assert maege(tmp_path / "warehouse", "remove", "small").exit_code == 1
    assert not (tmp_path / "warehouse").exists()
