"""`maege compare --corpus`: a corpus of a warehouse compares as its files do."""

import json
from pathlib import Path
from typing import Any

import pytest
from small_corpus import ingest, maege, write_corpus

import maege as package
from maege.comparison.api import ComparisonError

MANIFEST = """\
corpus: small
title: Three sentences
licence: CC0-1.0
origin: written for tests
language: cs
absent: {absent}
source: INPUT.txt
annotations:
  shared: [edits.m2]
  single: {{A10: one.m2, A9: nobody.m2}}
  made: {{extracted_from: texts}}
references:
  texts: {{texts: [ref0.txt, ref1.txt]}}
  shared: {{annotations: shared}}
  single: {{annotations: single}}
  made: {{annotations: made}}
  both: {{texts: [ref0.txt, ref1.txt], annotations: shared, system_edits: own}}
systems: {{INPUT: INPUT.txt, good: good.txt}}
system_edits:
  own: {{good: good.m2}}
"""
# No annotator has a line for the second sentence.
SHARED = """\
S This are a cat .
A 1 2|||SVA|||is|||REQUIRED|||-NONE-|||1
A 2 3|||ArtOrDet|||-NONE-|||REQUIRED|||-NONE-|||0
A 3 4|||Nn|||cats||cat|||REQUIRED|||-NONE-|||0

S All well .

S He go home
A 1 2|||SVA|||goes||went|||REQUIRED|||-NONE-|||0
A 3 3|||Mec|||.|||REQUIRED|||-NONE-|||0
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||1
"""
OUTPUT_EDITS = """\
S This are a cat .
A 1 2|||SVA|||is|||REQUIRED|||-NONE-|||0

S All well .

S He go home
A 1 2|||SVA|||goes|||REQUIRED|||-NONE-|||0
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("MAEGE_WAREHOUSE", str(tmp_path / "warehouse"))
    load(tmp_path)
    return tmp_path


def load(folder: Path, absent: str = "no_error") -> None:
    nobody = SHARED.split("A ", maxsplit=1)[0] + "\nS All well .\n\nS He go home\n"
    write_corpus(
        folder,
        manifest_yml=MANIFEST.format(absent=absent),
        edits_m2=SHARED,
        good_m2=OUTPUT_EDITS,
        nobody_m2=nobody,
    )
    ingest(folder / "warehouse", folder)


def answer(*arguments: str) -> Any:
    command = ("compare", *arguments, "--resamples", "200", "--no-cache", "--format", "json")
    result = maege(Path("warehouse"), *command)
    assert result.exit_code == 0, result.output
    record = json.loads(result.stdout)
    del record["seconds"]
    return record


def corpus_answer(*arguments: str) -> Any:
    record = answer("--corpus", "small", "--systems", "INPUT,good", *arguments)
    record["notes"] = [note for note in record["notes"] if note["kind"] != "reference_set"]
    return record


@pytest.mark.usefixtures("folder")
def test_a_corpus_compares_as_its_files_do() -> None:
    files = ("INPUT.txt", "good.txt", "--language", "cs")
    assert corpus_answer() == corpus_answer("--references", "shared")
    assert corpus_answer() == answer("--gold", "edits.m2", *files)
    texts = ("--source", "INPUT.txt", "--refs", "ref0.txt", "--refs", "ref1.txt")
    assert corpus_answer("--references", "texts") == answer(*texts, *files)
    assert corpus_answer("--references", "texts") == corpus_answer("--references", "made")


@pytest.mark.usefixtures("folder")
def test_edits_and_texts_of_a_reference_set_are_those_of_its_files() -> None:
    files = ("INPUT.txt", "good.m2", "--language", "cs", "--names", "INPUT,good")
    both, m2 = corpus_answer("--references", "both"), answer("--gold", "edits.m2", *files)
    texts = corpus_answer("--references", "texts")
    for ours, by_edits, by_texts in zip(
        *(record["systems"] for record in (both, m2, texts)), strict=True
    ):
        assert ours["metrics"]["errant"] == by_edits["metrics"]["errant"]
        assert ours["metrics"]["gleu"] == by_texts["metrics"]["gleu"]


@pytest.mark.usefixtures("folder")
def test_annotators_with_separate_files_keep_their_order() -> None:
    annotators = corpus_answer("--references", "single")["gold"]["annotators"]
    # No annotator has a line for two sentences: the first one made no change there.
    rows = [(each["id"], each["sentences"], each["edits"]) for each in annotators]
    assert rows == [("A9", 2, 0), ("A10", 1, 1)]


def test_sentences_that_no_annotator_saw_are_excluded(folder: Path) -> None:
    assert corpus_answer()["gold"]["sentences"] == 3
    load(folder, "not_asked")
    record = corpus_answer()
    sources = [sentence["source"] for sentence in record["sentences"]]
    assert sources == ["This are a cat .", "He go home"]
    assert "1 of 3 sentences are excluded" in str(record["notes"])


REFUSED = [
    (("--corpus", "smal", "--systems", "good"), "no corpus smal; there is small. Did you mean"),
    (("--corpus", "small", "--systems", "god"), "no system god in small; there is INPUT, good."),
    (("--corpus", "small", "--systems", "good", "--references", "txt"), "Did you mean texts?"),
    (("--corpus", "small"), "give --systems"),
    (("--corpus", "small", "--systems", "good,good"), "two systems have the same name"),
    (("--corpus", "small", "--systems", "good", "good.txt"), "choose one of --corpus"),
    (("--systems", "good", "--gold", "edits.m2", "good.txt"), "need --corpus"),
    (("--gold", "edits.m2"), "no outputs are given"),
]


@pytest.mark.usefixtures("folder")
def test_unknown_names_are_rejected_with_suggestions() -> None:
    for arguments, message in REFUSED:
        result = maege(Path("warehouse"), "compare", *arguments)
        assert (result.exit_code, result.stdout) == (2, "")
        assert message in " ".join(result.stderr.replace("│", " ").split())
    nowhere = maege(Path("nowhere"), "compare", "--corpus", "small", "--systems", "good")
    assert (nowhere.exit_code, "There is no nowhere" in nowhere.stderr) == (2, True)
    assert not Path("nowhere").exists()


@pytest.mark.usefixtures("folder")
def test_python_reads_the_corpus_as_well() -> None:
    settings: dict[str, Any] = {"systems": ["INPUT", "good"], "resamples": 200, "cache": False}
    record = package.compare(corpus="small", **settings).record
    assert record["comparisons"] == corpus_answer()["comparisons"]
    with pytest.raises(ComparisonError, match="no corpus large; there is small"):
        package.compare(corpus="large", **settings)
    with pytest.raises(ComparisonError, match="expected one of the two"):
        package.compare("edits.m2", corpus="small", **settings)
