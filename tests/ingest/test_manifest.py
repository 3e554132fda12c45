"""Valid manifests, and messages about faulty manifests with their line."""

import json
import re
from pathlib import Path

import pytest
from small_corpus import MANIFEST, maege, write_corpus

from maege.ingest.manifest import read_manifest
from maege.ingest.manifest_schema import Lattice, Manifest, paths_in, reference_name


def replaced(old: str, new: str) -> str:
    assert MANIFEST.count(old) == 1
    return MANIFEST.replace(old, new)


def judges(entry: str) -> str:
    return replaced("judges: judgments.csv", f"judges: {entry}")


def extracted(entry: str) -> str:
    return replaced("{A1: one.m2}", f"{{extracted_from: {entry}}}")


def also(entry: str) -> str:
    return f"{MANIFEST}{entry}\n"


HEAD = "title: x\nlicence: x\norigin: x\n"
RANKINGS = f"rankings_of: small\n{HEAD}"
ENTRY = "Correct the entry"
CASES = {
    "unknown key": (replaced("systems:", "sytems:"), 11, "Did you mean systems?"),
    "unknown key of scores": (replaced("{file: flu", "{path: a, file: flu"), 15, "Remove the key."),
    "no column of systems": (
        replaced("references: texts}\njud", "columns: [score]}\njud"),
        15,
        ENTRY,
    ),
    "missing key": (replaced("licence: CC0-1.0\n", ""), 1, "Add licence: ..."),
    "system twice": (replaced("{INPUT: INPUT.txt,", "{good: INPUT.txt,"), 11, "each key once"),
    "name with a slash": (replaced("good: good.txt", "a/b: good.txt"), 11, ENTRY),
    "system set called all": (judges("{file: x, system_sets: {all: [a]}}"), 17, ENTRY),
    "repeated in a set": (judges("{file: x, system_sets: {a: [b, b]}}"), 17, ENTRY),
    "rankings without a name": (RANKINGS, 1, "Add name: ..."),
    "neither source nor annotations": (f"corpus: x\n{HEAD}", 1, ENTRY),
    "reference set of nothing": (replaced("{annotations: single}", "{}"), 10, ENTRY),
    "unknown annotation set": (replaced("ns: single}", "ns: no}"), 10, ENTRY),
    "edits of no system": (also("system_edits: {tool: {none: x.m2}}"), 18, ENTRY),
    "unknown edit set": (
        replaced("single}", "single, system_edits: a}"),
        10,
        ENTRY,
    ),
    "XML and other files": (
        replaced("[edits.m2]", "[a.m2, b.xml]"),
        6,
        ENTRY,
    ),
    "annotations of annotated references": (extracted("texts"), 7, ENTRY),
    "format of no file": (also("formats: {ref2.txt: text}"), 18, ENTRY),
    "text twice in a set": (replaced("[ref0.txt, ref1", "[ref1.txt, ref1"), 9, ENTRY),
    "one name for two references": (replaced("[ref0.txt,", "[a/ref1.txt,"), 9, ENTRY),
    "path out of the data root": (replaced("good.txt", "../good.txt"), 11, ENTRY),
    "broken YAML": (replaced("title: Three", "title: [Three"), 3, "Correct the indentation"),
    "tag": (replaced("Three sentences", "!!python/name:os.system"), 2, "no tags and aliases"),
    "alias": ("corpus: &a x\ntitle: *a\n", 2, "no tags and aliases"),
    "recursive alias": ("corpus: &a [*a]\n", 1, "no tags and aliases"),
    "nested without end": ("a: " + "[" * 5000, 1, "Correct the indentation"),
    "zero byte in a title": (replaced("Three sentences", '"a\\0"'), 2, "no tags"),
    "list": ("- corpus\n", 1, "Correct the indentation"),
    "nothing": ("", 1, "Correct the indentation"),
}


@pytest.mark.parametrize(("manifest", "line", "remedy"), CASES.values(), ids=CASES.keys())
def test_a_fault_of_the_manifest_is_named_with_its_line(
    tmp_path: Path, manifest: str, line: int, remedy: str
) -> None:
    corpus = write_corpus(tmp_path / "corpus", manifest_yml=manifest)
    result = maege(tmp_path / "warehouse", "ingest", corpus)
    place = f"{corpus / 'manifest.yml'}:{line}" if line else str(corpus / "manifest.yml")
    assert place in result.stderr.splitlines(), result.stderr
    assert remedy in " ".join(result.stderr.split())
    assert result.exit_code == 2


def test_a_folder_without_manifest_is_a_finding(tmp_path: Path) -> None:
    result = maege(tmp_path / "warehouse", "ingest", tmp_path)
    assert f"{tmp_path / 'manifest.yml'}\n  found    no such file" in result.stderr
    assert "Give a folder with a manifest.yml, such as corpora/sample" in result.stderr
    assert result.exit_code == 2


def test_a_manifest_named_itself_is_a_finding_with_its_folder(tmp_path: Path) -> None:
    corpus = write_corpus(tmp_path / "corpus")
    result = maege(tmp_path / "warehouse", "ingest", corpus / "manifest.yml", "--json")
    assert result.exit_code == 2
    (finding,) = json.loads(result.stdout)["findings"]
    assert (finding["found"], finding["remedy"]) == (
        "a file",
        f"Give the folder: maege ingest {corpus}",
    )


def test_names_that_yaml_takes_for_numbers_or_truth_values_are_names(tmp_path: Path) -> None:
    text = MANIFEST.replace("good: good.txt", "NO: good.txt").replace("A1: one.m2", "0: one.m2")
    manifest, _ = read_manifest(write_corpus(tmp_path, manifest_yml=text))
    assert isinstance(manifest, Manifest)
    assert list(manifest.systems) == ["INPUT", "NO"]
    assert manifest.annotations["single"] == {"0": "one.m2"}


@pytest.mark.parametrize(
    "lattice",
    [
        "{annotations: single, references: edits}",
        "{paper: {annotations: single, references: edits}}",
        "{paper: {annotations: single, references: edits}, as_published: {annotations: no}}",
    ],
)
def test_lattices_of_older_manifests_are_those_of_the_paper(lattice: str, tmp_path: Path) -> None:
    text = re.sub("lattice:.*\n( .*\n)*", f"lattice: {lattice}\n", MANIFEST)
    manifest, _ = read_manifest(write_corpus(tmp_path, manifest_yml=text))
    assert isinstance(manifest, Manifest)
    assert manifest.lattice == Lattice(annotations="single", references="edits")


@pytest.mark.parametrize(
    ("path", "name"),
    [("a/NUCLEA.txt", "NUCLEA"), ("BN1", "BN1"), ("dev.ref0", "dev.ref0"), ("r.txt.gz", "r")],
)
def test_a_reference_is_named_by_its_file(path: str, name: str) -> None:
    assert reference_name(path) == name


# Corpora that users have to download.
NOT_HELD = {"ua_gec", *(f"lcb_perfect_{n}" for n in (3, 4, 6, 7, 8, 9))}


def test_manifests_of_the_repository_name_files_that_are_there(
    repository: Path, shared: Path
) -> None:
    folders = sorted(path.parent for path in (repository / "corpora").glob("*/manifest.yml"))
    names = {path.name for path in folders}
    assert {"turkcorpus", "lcb_reranked", "lcb_perfect_10"} | NOT_HELD <= names
    for folder in folders:
        if folder.name in NOT_HELD:
            continue
        manifest, _ = read_manifest(folder)
        root = folder if manifest.name == "sample" else shared / "data"
        assert manifest.name == folder.name
        assert [p for _, p in paths_in(manifest) if not (root / p).is_file()] == []
