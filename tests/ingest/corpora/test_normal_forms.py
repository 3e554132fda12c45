"""Texts in different Unicode normal forms are counted, and normalised if requested."""

from pathlib import Path
from unicodedata import normalize

import duckdb
import pytest
from small_corpus import ingest, maege, query, write_corpus

from maege.ingest.languages import NormalForm, is_in_another_form
from maege.ingest.readings import forms_that_differ

SOURCE = "Un cafe .\nAll well .\nHe go home\n"
RIGHT = "Un café .\nAll well .\nHe goes à home\n"
TEXTS = """\
corpus: small
title: Three sentences
licence: CC0-1.0
origin: written for tests
source: INPUT.txt
references: {texts: {texts: [ref0.txt]}}
systems: {good: good.txt, idle: INPUT.txt}
"""


@pytest.mark.parametrize(
    ("text", "other_texts", "differs"),
    [
        ("é", ["e\u0301"], True),
        ("e\u0301", ["é"], True),
        ("e", ["é", "e\u0301"], False),
        ("é", ["e"], False),
        ("é", ["é", "à"], False),
        ("é", ["é", "a\u0300"], True),
        # In no normal form, but equal.
        ("ée\u0301", ["ée\u0301"], False),
        ("ée\u0301", ["éé"], True),
        ("한", ["\u1112\u1161\u11ab"], True),
        ("中", ["文"], False),
    ],
)
def test_texts_differ_where_they_share_no_form(
    text: str, other_texts: list[str], differs: bool
) -> None:
    assert is_in_another_form(text, other_texts) == differs


def corpus_in_two_forms(folder: Path, *keys: str) -> Path:
    return write_corpus(
        folder / "corpus",
        manifest_yml=TEXTS + "".join(keys),
        INPUT_txt=SOURCE,
        ref0_txt=RIGHT,
        good_txt=normalize("NFD", RIGHT),
    )


@pytest.mark.parametrize("form", ["NFC", "NFD"])
def test_a_manifest_brings_all_texts_to_one_form(form: NormalForm, tmp_path: Path) -> None:
    warehouse = tmp_path / "warehouse"
    ingest(warehouse, corpus_in_two_forms(tmp_path, f"unicode: {form}\n"))
    with duckdb.connect(warehouse / "build.duckdb") as connection:
        assert list(forms_that_differ(connection, "small")) == []
    texts = query(warehouse, "select text from raw.outputs where system = 'good'")
    assert texts == [(normalize(form, line),) for line in RIGHT.splitlines()]


def test_corrections_of_annotators_are_references(tmp_path: Path) -> None:
    edits = "S He go .\nA 1 2|||SVA|||goés|||REQUIRED|||-NONE-|||0\n"
    manifest = TEXTS.replace("texts: [ref0.txt]", "annotations: m2") + "annotations: {m2: [e.m2]}\n"
    right = normalize("NFD", "He goés .\n")
    corpus = write_corpus(
        tmp_path / "corpus",
        manifest_yml=manifest,
        e_m2=edits,
        INPUT_txt="He go .\n",
        good_txt=right,
    )
    ingest(tmp_path / "warehouse", corpus)
    with duckdb.connect(tmp_path / "warehouse" / "build.duckdb") as connection:
        (line,) = forms_that_differ(connection)
    assert line.startswith("small: 1 of 1 texts of good ")


def test_ingest_and_doctor_say_how_many_texts_are_in_another_form(tmp_path: Path) -> None:
    corpus = corpus_in_two_forms(tmp_path)
    for arguments in (("ingest", corpus), ("doctor",)):
        output = " ".join(maege(tmp_path / "warehouse", *arguments).stdout.split())
        assert "small: 2 of 3 texts of good are in another Unicode normal form" in output
        assert "unicode: NFC in the manifest" in output
