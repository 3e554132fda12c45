"""The language of a corpus is a BCP 47 tag, by default English."""

import json
from pathlib import Path

import pytest
from small_corpus import ingest, maege, query

from maege.ingest.languages import canonical_tag

TOYS = Path(__file__).resolve().parents[2] / "corpora"
MANIFEST = """\
corpus: mine
title: Mine
licence: MIT
origin: us
annotations: {main: [mine.m2]}
"""


def manifest_with(folder: Path, line: str) -> Path:
    """Return the folder of a corpus of one sentence, with the line added to its manifest."""
    folder.joinpath("manifest.yml").write_text(MANIFEST + line, encoding="utf-8")
    folder.joinpath("mine.m2").write_text(
        "S A b\nA -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0\n", encoding="utf-8"
    )
    return folder


@pytest.mark.parametrize(
    ("written", "tag"),
    [
        ("uk", "uk"),
        ("UK", "uk"),
        ("pt-br", "pt-BR"),
        ("zh-hant-tw", "zh-Hant-TW"),
        ("es-419", "es-419"),
        ("ca-es-VALENCIA", "ca-ES-valencia"),
        ("de-1996", "de-1996"),
    ],
)
def test_tags_get_the_case_that_bcp_47_recommends(written: str, tag: str) -> None:
    assert canonical_tag(written) == tag


@pytest.mark.parametrize("written", ["", "english", "en_US", "e", "uk-", "українська"])
def test_what_is_no_tag_is_refused(written: str) -> None:
    with pytest.raises(ValueError, match="BCP 47"):
        canonical_tag(written)


def test_longer_code_of_a_language_is_a_finding_with_the_shorter(tmp_path: Path) -> None:
    result = maege(tmp_path / "wh", "ingest", manifest_with(tmp_path, "language: ukr\n"), "--json")
    (finding,) = json.loads(result.stdout)["findings"]
    assert (finding["line"], finding["found"]) == (6, '"ukr" at language')
    assert finding["expected"] == "uk: BCP 47 has the shorter code of a language"


def test_language_is_stored_and_english_by_default(tmp_path: Path) -> None:
    warehouse = tmp_path / "wh"
    for folder in (manifest_with(tmp_path, ""), TOYS / "toy_ja", TOYS / "toy_zh", TOYS / "toy_uk"):
        ingest(warehouse, folder)
    languages = "select corpus, language from raw.corpora order by all"
    toys = [("toy_ja", "ja"), ("toy_uk", "uk"), ("toy_zh", "zh")]
    assert query(warehouse, languages) == [("mine", "en"), *toys]
    # Norwegian is not a truth value.
    ingest(warehouse, manifest_with(tmp_path, "language: no\n"))
    assert query(warehouse, languages) == [("mine", "no"), *toys]
