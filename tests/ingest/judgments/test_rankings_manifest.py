"""A manifest that contains only rankings of another corpus's outputs."""

import json
from pathlib import Path

import pytest
from small_corpus import MANIFEST, Tables, ingest, load, maege, query, raw_tables, write_corpus

RANKINGS = """\
rankings_of: small
name: other
title: Rankings by others
licence: CC0-1.0
origin: elsewhere
judgments:
  others: {file: others.csv}
"""
ORIGIN = "title: x\nlicence: x\norigin: x\n"
HEADER = "judge,item,sentence_id,system,rank\n"


def rankings(tmp_path: Path, text: str = RANKINGS, rows: str = "eve,1,2,good,1\n") -> Path:
    folder = tmp_path / "rankings"
    folder.mkdir(exist_ok=True)
    (folder / "manifest.yml").write_text(text)
    (folder / "others.csv").write_text(HEADER + rows)
    return folder


def other_tables(tables: Tables) -> Tables:
    names = ("judgments", "judgment_sets", "judgment_systems")
    return {name: [row for row in tables[name] if "others" in row] for name in names}


def test_rankings_of_another_corpus_become_part_of_it(tmp_path: Path) -> None:
    _, warehouse, before = load(tmp_path)
    answer = json.loads(ingest(warehouse, rankings(tmp_path), "--json").stdout)
    assert (answer["corpus"], answer["manifest"], answer["removed"]) == ("small", "other", [])
    after = raw_tables(warehouse)
    assert other_tables(after) == {
        "judgments": [("small", "others.csv", 2, "others", "eve", "1", 2, "good", 1, 0, 0)],
        "judgment_sets": [
            (
                *("small", "others", "other", "others.csv", "csv", 1),
                *("Rankings by others", "CC0-1.0", "elsewhere"),
            )
        ],
        "judgment_systems": [("small", "others", "good", True)],
    }
    assert {row for row in after["files"] if row not in before["files"]} == {
        row for row in after["files"] if row[-2] == "other"
    }
    assert [row[1] for row in after["files"] if row[-2] == "other"] == [
        "other/manifest.yml",
        "others.csv",
    ]
    for table in before.keys() - other_tables(after).keys() - {"files"}:
        assert after[table] == before[table]
    assert "unchanged since it was ingested" in ingest(warehouse, rankings(tmp_path)).stdout


@pytest.mark.parametrize("exists", [True, False])
def test_rankings_need_their_corpus_in_the_warehouse(tmp_path: Path, exists: bool) -> None:
    warehouse = tmp_path / "warehouse"
    if exists:
        other = MANIFEST.replace("corpus: small", "corpus: another")
        ingest(warehouse, write_corpus(tmp_path / "corpus", manifest_yml=other))
    folder = rankings(tmp_path)
    result = maege(warehouse, "ingest", folder)
    assert f"{folder / 'manifest.yml'}:1" in result.stderr.splitlines()
    output = " ".join(result.stderr.split())
    assert "Ingest small first" in output
    assert ("another" if exists else "there is none") in output
    assert result.exit_code == 2
    assert warehouse.exists() == exists


def test_another_ingest_of_the_corpus_keeps_rankings_of_other_manifests(tmp_path: Path) -> None:
    corpus, warehouse, _ = load(tmp_path)
    ingest(warehouse, rankings(tmp_path))
    before = other_tables(raw_tables(warehouse))
    changed = MANIFEST.replace("Three sentences", "Three").partition("judgments:")[0]
    ingest(warehouse, write_corpus(corpus, manifest_yml=changed, good_txt="a\nb\nc\n"))
    after = raw_tables(warehouse)
    assert other_tables(after) == before
    assert {row[1] for row in after["judgment_sets"]} == {"others"}
    assert [row[1] for row in after["files"] if row[-2] == "other"] == [
        "other/manifest.yml",
        "others.csv",
    ]


@pytest.mark.parametrize(
    ("manifest", "found", "expected"),
    [
        (
            MANIFEST.partition("scores:")[0].replace(", good: good.txt", ""),
            "3 sentences, and outputs of all ranked systems but good",
            "at least 3 sentences, and all systems that the set others ranks",
        ),
        (
            f"corpus: small\n{ORIGIN}source: s.txt\nsystems: {{good: s.txt}}\n",
            "2 sentences, and outputs of all ranked systems but none",
            "at least 3 sentences, and all systems that the set others ranks",
        ),
    ],
)
def test_a_corpus_that_its_rankings_would_not_fit_is_refused(
    tmp_path: Path, manifest: str, found: str, expected: str
) -> None:
    corpus, warehouse, _ = load(tmp_path)
    ingest(warehouse, rankings(tmp_path))
    before = raw_tables(warehouse)
    write_corpus(corpus, manifest_yml=manifest, s_txt="a\nb\n")
    result = maege(warehouse, "ingest", corpus, "--json")
    (finding,) = json.loads(result.stdout)["findings"]
    assert (finding["found"], finding["expected"]) == (found, expected)
    assert "ingest the manifest other with judgments: {}" in finding["remedy"]
    assert result.exit_code == 2
    assert raw_tables(warehouse) == before
    # Rankings that a manifest no longer has are removed.
    ingest(warehouse, rankings(tmp_path, RANKINGS.partition("judgments:")[0] + "judgments: {}\n"))
    assert {row[1] for row in raw_tables(warehouse)["judgment_sets"]} == {"judges"}
    ingest(warehouse, corpus)


def test_two_manifests_cannot_bring_one_judgment_set(tmp_path: Path) -> None:
    _, warehouse, before = load(tmp_path)
    result = maege(warehouse, "ingest", rankings(tmp_path, RANKINGS.replace("others:", "judges:")))
    assert "the judgment set judges, which small added to small" in " ".join(result.stderr.split())
    assert result.exit_code == 2
    assert raw_tables(warehouse) == before


def test_a_system_that_gains_an_output_is_flagged_so(tmp_path: Path) -> None:
    corpus, warehouse, _ = load(tmp_path)
    entry = RANKINGS.replace("others.csv}", "others.csv, without_outputs: [new]}")
    ingest(warehouse, rankings(tmp_path, entry, "eve,1,0,new,1\n"))
    flagged = "select has_output from raw.judgment_systems where system = 'new'"
    assert query(warehouse, flagged) == [(False,)]
    manifest = MANIFEST.replace("good: good.txt", "good: good.txt, new: good.txt")
    ingest(warehouse, write_corpus(corpus, manifest_yml=manifest))
    assert query(warehouse, flagged) == [(True,)]
