"""`maege export imeasure`: the written files, and no changes to files after an error."""

from pathlib import Path

import duckdb
from small_corpus import FILES, MANIFEST, ingest, maege, write_corpus
from xml_gold import XmlError, xml_sentences

TAIL = "|||REQUIRED|||-NONE-|||"


def exported(warehouse: Path, annotation_set: str = "shared") -> str:
    result = maege(warehouse, "export", "imeasure", "small", annotation_set)
    assert result.exit_code == 0, result.stderr
    return result.stdout


def test_corrections_of_m2_are_joined_to_errors(tmp_path: Path) -> None:
    m2 = (
        "S This machines is & old\n"
        f"A 0 2|||Nn|||This machine{TAIL}0\n"
        f"A 1 2|||Nn|||machine{TAIL}1\n"
        f"A 2 3|||SVA|||are||be{TAIL}1\n"
        f"A 5 5|||Mec|||.{TAIL}0\n"
        f"A 5 5|||Mec|||!{TAIL}1\n"
        "\nS All well .\n\n"
        f"S He go home\nA -1 -1|||noop|||-NONE-{TAIL}0\nA 0 1|||Rloc-|||-NONE-||She{TAIL}1\n"
    )
    manifest = "corpus: small\ntitle: x\nlicence: x\norigin: x\nannotations: {shared: [edits.m2]}\n"
    corpus = write_corpus(tmp_path / "corpus", manifest_yml=manifest, edits_m2=m2)
    ingest(tmp_path / "warehouse", corpus)
    first, second, third = xml_sentences(exported(tmp_path / "warehouse"))
    assert first[:3] == ("1", "2", "This machines is & old")
    assert first.errors == [
        XmlError(
            "1",
            "yes",
            "Nn",
            [("0", [("0", "2", "This machine")]), ("1", [("1", "2", "machine")])],
        ),
        XmlError("2", "no", "SVA", [("1", [("2", "3", "are")])]),
        XmlError("3", "yes", "Mec", [("0", [("5", "5", ".")]), ("1", [("5", "5", "!")])]),
    ]
    assert second == ("2", "0", "All well .", [])
    assert third[1:] == (
        "2",
        "He go home",
        [XmlError("1", "no", "Rloc-", [("1", [("0", "1", "")])])],
    )


def test_annotators_that_the_manifest_names_are_numbered(tmp_path: Path) -> None:
    ingest(tmp_path / "warehouse", write_corpus(tmp_path / "corpus"))
    (error,) = xml_sentences(exported(tmp_path / "warehouse", "single"))[0].errors
    assert [annotator for annotator, _ in error.alternatives] == ["0"]


def test_annotations_from_xml_are_written_back(tmp_path: Path, repository: Path) -> None:
    ingest(tmp_path / "warehouse", repository / "corpora" / "sample")
    result = maege(tmp_path / "warehouse", "export", "imeasure", "sample", "imeasure")
    original = repository / "corpora" / "sample" / "sample.ieval.xml"
    assert xml_sentences(result.stdout) == xml_sentences(original.read_text(encoding="utf-8"))


def test_an_exported_file_can_be_ingested_and_exported_again(tmp_path: Path) -> None:
    ingest(tmp_path / "warehouse", write_corpus(tmp_path / "corpus"))
    written = tmp_path / "corpus" / "gold.xml"
    options = ("small", "shared", "--out", written)
    assert maege(tmp_path / "warehouse", "export", "imeasure", *options).exit_code == 0
    manifest = MANIFEST.replace("shared: [edits.m2]", "shared: [edits.m2]\n  gold: [gold.xml]")
    ingest(tmp_path / "warehouse", write_corpus(tmp_path / "corpus", manifest_yml=manifest))
    assert exported(tmp_path / "warehouse", "gold") == written.read_text(encoding="utf-8")


def test_a_dash_is_standard_output(tmp_path: Path) -> None:
    ingest(tmp_path / "warehouse", write_corpus(tmp_path / "corpus"))
    options = ("small", "shared", "--out", "-")
    result = maege(tmp_path / "warehouse", "export", "imeasure", *options)
    assert result.stdout == exported(tmp_path / "warehouse")


def test_an_unknown_corpus_or_annotation_set_is_a_usage_error(tmp_path: Path) -> None:
    ingest(tmp_path / "warehouse", write_corpus(tmp_path / "corpus"))
    result = maege(tmp_path / "warehouse", "export", "imeasure", "small", "nucle")
    assert "no annotation set nucle in small; there is shared, single" in result.stderr
    assert result.exit_code == 2
    result = maege(tmp_path / "warehouse", "export", "imeasure", "conll", "nucle")
    assert "no corpus conll; there is small" in result.stderr
    assert result.exit_code == 2


def test_message_without_warehouse_names_the_command(tmp_path: Path) -> None:
    result = maege(tmp_path / "warehouse", "export", "imeasure", "small", "shared")
    assert "maege ingest" in result.stderr
    assert result.exit_code == 1
    (tmp_path / "warehouse").mkdir()
    duckdb.connect(tmp_path / "warehouse" / "build.duckdb").close()
    result = maege(tmp_path / "warehouse", "export", "imeasure", "small", "shared")
    assert "Nothing is ingested yet." in result.stderr
    assert result.exit_code == 1


def test_failed_write_leaves_the_file_unchanged(tmp_path: Path) -> None:
    edits = FILES["edits.m2"].replace("|||is|||", "|||i\x01s|||")
    ingest(tmp_path / "warehouse", write_corpus(tmp_path / "corpus", edits_m2=edits))
    written = tmp_path / "gold.xml"
    written.write_text("before")
    options = ("small", "shared", "--out", written)
    result = maege(tmp_path / "warehouse", "export", "imeasure", *options)
    assert "XML cannot hold the character U+0001 in sentence 1." in result.stderr
    assert result.exit_code == 1
    assert written.read_text() == "before"


def test_a_folder_that_is_not_there_is_a_failure(tmp_path: Path) -> None:
    ingest(tmp_path / "warehouse", write_corpus(tmp_path / "corpus"))
    options = ("small", "shared", "--out", tmp_path / "none" / "gold.xml")
    result = maege(tmp_path / "warehouse", "export", "imeasure", *options)
    assert "No such file or directory" in result.stderr
    assert result.exit_code == 1


def test_nothing_but_the_file_is_left_behind(tmp_path: Path) -> None:
    ingest(tmp_path / "warehouse", write_corpus(tmp_path / "corpus"))
    folder = tmp_path / "out"
    (folder / "gold.xml").mkdir(parents=True)
    options = ("small", "shared", "--out", folder / "gold.xml")
    assert maege(tmp_path / "warehouse", "export", "imeasure", *options).exit_code == 1
    assert [path.name for path in folder.iterdir()] == ["gold.xml"]
