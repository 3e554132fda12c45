"""The content of the raw tables after the first ingest and after later ones."""

import json
from collections.abc import Sequence
from pathlib import Path

import duckdb
import pytest
import yaml
from small_corpus import FILES, MANIFEST, ingest, load, maege, query, raw_tables, write_corpus

from maege.ingest.findings import Add
from maege.ingest.formats.annotation_file import AnnotationFile, BadEdits
from maege.ingest.formats.m2 import parse_m2
from maege.ingest.load import lattice_row
from maege.ingest.manifest_schema import Lattice, Manifest


def test_sentences_come_from_the_source_where_there_is_one(tmp_path: Path) -> None:
    corpus = write_corpus(tmp_path / "corpus", manifest_yml=f"source: INPUT.txt\n{MANIFEST}")
    ingest(tmp_path / "warehouse", corpus)
    rows = query(tmp_path / "warehouse", "select path, line from raw.sentences order by line")
    assert rows == [("INPUT.txt", 1), ("INPUT.txt", 2), ("INPUT.txt", 3)]


def test_an_extracted_set_has_an_annotator_for_each_text(tmp_path: Path) -> None:
    manifest = FILES["manifest.yml"].replace(
        "references:\n",
        "  own: {extracted_from: plain}\nreferences:\n  plain: {texts: [ref1.txt]}\n",
    )
    ingest(tmp_path / "warehouse", write_corpus(tmp_path / "corpus", manifest_yml=manifest))

    assert query(
        tmp_path / "warehouse",
        "select annotator, reference_set from raw.annotators "
        "inner join raw.extracted_sets using (corpus, annotation_set)",
    ) == [("ref1", "plain")]


def test_tables_hold_what_the_manifest_and_its_files_say(tmp_path: Path) -> None:
    _, warehouse, tables = load(tmp_path)
    annotators = [row[1:] for row in tables["annotators"]]
    assert annotators == [("shared", "0", 0), ("shared", "1", 1), ("single", "A1", 0)]
    assert tables["reference_sets"] == [
        ("small", "edits", 1, "single", False, None, None),
        ("small", "texts", 0, "shared", True, None, None),
    ]
    members = [row[1:] for row in tables["reference_set_members"]]
    assert members == [("texts", 0, "ref0"), ("texts", 1, "ref1")]
    assert tables["lattices"] == [("small", "shared", "texts", "annotators", "own", False)]
    assert tables["references"][1] == ("small", "ref0.txt", 2, "ref0", 1, "All well .")
    assert tables["outputs"][5] == ("small", "good.txt", 3, "good", 2, "He goes home")
    scores = "fluency.tsv", "naturalness", True, "texts"
    assert tables["sentence_scores"] == [
        ("small", scores[0], 2, *scores[1:], "INPUT", 0, 0.25),
        ("small", scores[0], 3, *scores[1:], "good", 0, 0.75),
        ("small", scores[0], 4, *scores[1:], "good", 2, -0.001),
    ]
    judgment = ("judges", "ann", "1", 0, "INPUT", 2, 1, 0)
    assert tables["judgments"][1] == ("small", "judgments.csv", 3, *judgment)
    origin = ("Three sentences", "CC0-1.0", "written for tests")
    judged = ("small", "judges", "small", "judgments.csv", "csv", 2)
    assert tables["judgment_sets"] == [(*judged, *origin)]
    assert [row[2:] for row in tables["judgment_systems"]] == [("INPUT", True), ("good", True)]
    assert [row[1:5] for row in tables["files"]] == [
        ("INPUT.txt", "text", "system", "INPUT"),
        ("edits.m2", "m2", "annotations", "shared"),
        ("edits.m2", "m2", "source", "source"),
        ("fluency.tsv", "scores_tsv", "scores", "naturalness"),
        ("good.txt", "text", "system", "good"),
        ("judgments.csv", "judgments_csv", "judgments", "judges"),
        ("manifest.yml", "manifest", "manifest", "small"),
        ("one.m2", "m2", "annotations", "single/A1"),
        ("ref0.txt", "text", "reference", "ref0"),
        ("ref1.txt", "text", "reference", "ref1"),
    ]

    rows = query(
        warehouse,
        "select path, line, annotation_set, sentence_id, annotator, edit_index, kind, "
        "start_token, end_token, error_type, correction from raw.m2_edits order by path, line",
    )
    assert rows == [
        ("edits.m2", 2, "shared", 0, "0", 0, "correction", 1, 2, "SVA", "is"),
        ("edits.m2", 3, "shared", 0, "1", 0, "correction", 2, 3, "ArtOrDet", ""),
        ("edits.m2", 4, "shared", 0, "1", 1, "correction", 3, 4, "Nn", "cats"),
        ("edits.m2", 7, "shared", 1, "0", None, "none", -1, -1, "noop", ""),
        ("edits.m2", 10, "shared", 2, "0", 0, "correction", 1, 2, "SVA", "goes||went"),
        ("edits.m2", 11, "shared", 2, "0", 1, "correction", 3, 3, "Mec", "."),
        ("one.m2", 2, "single", 0, "A1", 0, "correction", 1, 2, "SVA", "is"),
    ]

    assert query(warehouse, "from raw.sentences order by line") == [
        ("small", "edits.m2", 1, 0, "This are a cat .", ["This", "are", "a", "cat", "."]),
        ("small", "edits.m2", 6, 1, "All well .", ["All", "well", "."]),
        ("small", "edits.m2", 9, 2, "He go home", ["He", "go", "home"]),
    ]


def test_second_ingest_of_unchanged_files_does_nothing(tmp_path: Path) -> None:
    corpus, warehouse, before = load(tmp_path)
    assert "unchanged since it was ingested" in ingest(warehouse, corpus).stdout
    assert raw_tables(warehouse) == before
    assert json.loads(ingest(warehouse, corpus, "--json").stdout)["status"] == "unchanged"


def test_a_changed_file_changes_only_its_rows(tmp_path: Path) -> None:
    corpus, warehouse, before = load(tmp_path)
    write_corpus(corpus, good_txt="a\nb\nc\n")
    answer = json.loads(ingest(warehouse, corpus, "--json").stdout)
    assert (answer["loaded"], answer["removed"]) == (["good.txt"], [])
    after = raw_tables(warehouse)
    assert [row[3:] for row in after["outputs"]] == [
        *[row[3:] for row in before["outputs"] if row[3] == "INPUT"],
        ("good", 0, "a"),
        ("good", 1, "b"),
        ("good", 2, "c"),
    ]
    unchanged = before.keys() - {"outputs", "files", "corpora"}
    assert {table: after[table] for table in unchanged} == {t: before[t] for t in unchanged}
    stamps = {row[1]: row[-3] for row in before["files"]}
    assert [row[1] for row in after["files"] if row[-3] != stamps[row[1]]] == ["good.txt"]


def test_a_file_the_manifest_no_longer_names_loses_its_rows(tmp_path: Path) -> None:
    corpus, warehouse, _ = load(tmp_path)
    manifest = MANIFEST.partition("scores:")[0].replace(", good: good.txt", "")
    answer = ingest(warehouse, write_corpus(corpus, manifest_yml=manifest), "--json").stdout
    assert json.loads(answer)["removed"] == ["fluency.tsv", "good.txt", "judgments.csv"]
    tables = raw_tables(warehouse)
    assert {row[3] for row in tables["outputs"]} == {"INPUT"}
    assert tables["sentence_scores"] == tables["judgments"] == []


def test_ingest_replaces_tables_of_an_older_version(tmp_path: Path) -> None:
    corpus, warehouse, before = load(tmp_path)
    with duckdb.connect(warehouse / "build.duckdb") as connection:
        connection.execute("alter table raw.corpora rename n_sentences to sentences")
        connection.execute("alter table raw.annotators drop column position")
    result = ingest(warehouse, corpus)
    assert "ingest their folders again: small" in result.stderr
    after = raw_tables(warehouse)
    for table in ("m2_edits", "annotators", "reference_sets", "judgments", "judgment_sets"):
        assert len(before[table]) > 0
        assert after[table] == before[table]


WMT = "higher_is_better: true, columns: [metric, languages, set, system, sentence_id, score]"


def test_scores_without_a_header_have_the_columns_of_the_manifest(tmp_path: Path) -> None:
    manifest = MANIFEST.replace("higher_is_better: true, references: texts", WMT)
    rows = "f\tsrc-trg\ttest\tINPUT\t0\t0.25\nf\tsrc-trg\ttest\tgood\t2\t1e2\n"
    warehouse = tmp_path / "warehouse"
    ingest(warehouse, write_corpus(tmp_path / "c", manifest_yml=manifest, fluency_tsv=rows))
    scores = raw_tables(warehouse)["sentence_scores"]
    assert [(row[2], *row[6:]) for row in scores] == [(1, "INPUT", 0, 0.25), (2, "good", 2, 100)]


def test_a_data_root_from_which_no_path_leads_to_a_file_is_one_finding(tmp_path: Path) -> None:
    manifest = write_corpus(tmp_path / "corpus") / "manifest.yml"
    line = ("ingest", tmp_path / "corpus", "--data-root", tmp_path / "absent")
    refused = maege(tmp_path / "warehouse", *line, "--json")
    assert refused.exit_code == 2
    (finding,) = json.loads(refused.stdout)["findings"]
    assert finding["file"] == str(manifest)
    assert "none of its 8 files in" in finding["found"]
    assert finding["remedy"].startswith("Correct the path in the manifest, or say with")


def test_a_file_that_did_not_change_is_loaded_again_when_its_parser_reads_it_otherwise(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    corpus, warehouse, _ = load(tmp_path)

    def parse(lines: Sequence[str], add: Add, bad_edits: BadEdits) -> AnnotationFile:
        parsed = parse_m2(lines, add, bad_edits)
        parsed.edits = [
            line._replace(edit=line.edit._replace(error_type=line.edit.error_type.lower()))
            for line in parsed.edits
        ]
        return parsed

    monkeypatch.setattr("maege.ingest.corpus.parse_m2", parse)
    result = json.loads(ingest(warehouse, corpus, "--json").stdout)
    assert result["loaded"] == ["edits.m2", "one.m2"]
    types = query(warehouse, "select distinct error_type from raw.m2_edits order by all")
    assert types == [("artordet",), ("mec",), ("nn",), ("noop",), ("sva",)]
    assert json.loads(ingest(warehouse, corpus, "--json").stdout)["status"] == "unchanged"


EXTRACTED = Manifest.model_validate(
    yaml.safe_load("""
        {corpus: c, title: t, licence: l, origin: o, source: s.txt,
        annotations: {main: [a.m2], made: {extracted_from: texts}},
        references: {edits: {annotations: main}, texts: {texts: [r.txt]}}}
    """)
)


@pytest.mark.parametrize(
    ("annotations", "references", "expected"),
    [
        ("main", "edits", ("annotators", "own", False)),
        ("main", "texts", ("annotators", "disjoint_set", False)),
        ("made", "texts", ("references", "own", False)),
        ("made", "edits", ("references", "disjoint_set", False)),
    ],
)
def test_a_lattice_says_whose_edits_and_references_it_has(
    annotations: str, references: str, expected: tuple[str, str, bool]
) -> None:
    lattice = Lattice(annotations=annotations, references=references)
    row = lattice_row("c", EXTRACTED, lattice)
    assert row == ("c", annotations, references, *expected)
