"""`maege export imeasure`: the written files, and no changes to files after an error."""

from pathlib import Path

import duckdb
import pytest
from small_corpus import FILES, ingest, load, maege, refusal, write_corpus
from xml_gold import XmlError, xml_sentences

TAIL = "|||REQUIRED|||-NONE-|||"
EXPORT = ("export", "imeasure")


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
    result = maege(tmp_path / "warehouse", *EXPORT, "small", "shared")
    first, second, third = xml_sentences(result.stdout)
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
    deletion = XmlError("1", "no", "Rloc-", [("1", [("0", "1", "")])])
    assert third[1:] == ("2", "He go home", [deletion])


def test_annotators_that_the_manifest_names_are_numbered(tmp_path: Path) -> None:
    load(tmp_path)
    result = maege(tmp_path / "warehouse", *EXPORT, "small", "single", "--out", "-")
    (error,) = xml_sentences(result.stdout)[0].errors
    assert [annotator for annotator, _ in error.alternatives] == ["0"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ("imeasure small nucle", "no annotation set nucle in small; there is shared, single"),
        ("imeasure conll nucle", "no corpus conll; there is small"),
        ("judgments --corpus smal --set judges", "no corpus smal; there is small"),
        ("judgments --corpus small --set judge", "no judgment set judge in small; there is judges"),
    ],
)
def test_an_unknown_name_is_a_usage_error(arguments: str, message: str, tmp_path: Path) -> None:
    load(tmp_path)
    assert message in refusal(tmp_path / "warehouse", "export", *arguments.split())


def test_message_without_warehouse_names_the_command(tmp_path: Path) -> None:
    assert "maege ingest" in refusal(tmp_path / "warehouse", *EXPORT, "small", "shared", code=1)
    (tmp_path / "warehouse").mkdir()
    duckdb.connect(tmp_path / "warehouse" / "build.duckdb").close()
    assert "Nothing is ingested yet." in refusal(
        tmp_path / "warehouse", *EXPORT, "small", "shared", code=1
    )


def test_failed_write_leaves_all_files_unchanged(tmp_path: Path) -> None:
    edits = FILES["edits.m2"].replace("|||is|||", "|||i\x01s|||")
    ingest(tmp_path / "warehouse", write_corpus(tmp_path / "corpus", edits_m2=edits))
    folder = tmp_path / "out"
    (folder / "folder.xml").mkdir(parents=True)
    (folder / "gold.xml").write_text("before")
    for annotation_set, path, message in (
        ("shared", "gold.xml", "XML cannot hold the character U+0001 in sentence 1."),
        ("single", "folder.xml", "Is a directory"),
        ("single", "none/gold.xml", "No such file or directory"),
    ):
        options = ("small", annotation_set, "--out", folder / path)
        assert message in refusal(tmp_path / "warehouse", *EXPORT, *options, code=1)
    assert sorted(path.name for path in folder.iterdir()) == ["folder.xml", "gold.xml"]
    assert (folder / "gold.xml").read_text() == "before"
