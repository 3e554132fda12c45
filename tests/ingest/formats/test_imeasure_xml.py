"""The I-measure's XML is read, rejected if it is broken or hostile, and written without loss."""

import json
from itertools import chain
from operator import itemgetter
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from small_corpus import MANIFEST, ingest, load, query, refused, write_corpus

from maege.analysis.edits import Edit
from maege.ingest.findings import Findings
from maege.ingest.formats.annotation_file import AnnotationFile, EditLine, UnwritableError
from maege.ingest.formats.imeasure_xml import (
    XmlError,
    XmlSentence,
    imeasure_xml,
    parse_imeasure_xml,
)

# Felice and Briscoe 2015, Listing 1.
LISTING_1 = """\
<scripts><script id="1">
<sentence id="1" numann="2">
  <text>
    This machines is designed for help
    people .
  </text>
  <error-list>
    <error id="1" req="yes" type="SVA">
      <alt ann="0">
        <c start="0" end="1">These</c>
        <c start="2" end="3">are</c>
      </alt>
      <alt ann="1">
        <c start="1" end="2">machine</c>
      </alt>
    </error>
    <error id="2" req="yes" type="Vform">
      <alt ann="0">
        <c start="5" end="6">helping</c>
      </alt>
      <alt ann="1">
        <c start="4" end="5">to</c>
      </alt>
    </error>
  </error-list>
</sentence>
</script></scripts>
"""

WITH_XML = MANIFEST.replace("shared: [edits.m2]", "shared: [edits.m2]\n  gold: [gold.xml]")

HEAD = '<scripts><script id="1">\n'
FIRST = '<sentence id="1" numann="2">\n<text>This are a cat .</text>\n'
REST = (
    '<sentence id="2" numann="1"><text>All well .</text><error-list /></sentence>\n'
    '<sentence id="3" numann="0"><text>He go home</text><error-list /></sentence>\n'
    "</script></scripts>\n"
)


def gold(error_list: str = "", first: str = FIRST) -> str:
    """Return a document with this error list on line 4, in the first sentence."""
    return f"{HEAD}{first}<error-list>\n{error_list}\n</error-list></sentence>\n{REST}".replace(
        "<error-list>\n", "<error-list>", 1
    )


def error(alternatives: str, attributes: str = 'id="1" req="no" type="SVA"') -> str:
    return f"<error {attributes}>{alternatives}</error>"


GOOD = error('<alt ann="0"><c start="1" end="2">is</c></alt>')


def parsed(xml: str) -> AnnotationFile:
    findings = Findings()
    file = parse_imeasure_xml(xml.split("\n"), findings.about("x.xml"))
    assert findings.as_text() == ""
    assert file is not None
    return file


def test_every_correction_of_listing_1_is_an_edit_of_its_error() -> None:
    file = parsed(LISTING_1)
    assert [s.text for s in file.sentences] == ["This machines is designed for help people ."]
    assert file.edits == [
        EditLine(10, 0, "0", Edit(0, 1, "SVA", ("These",), "1"), "yes", edit_index=0),
        EditLine(11, 0, "0", Edit(2, 3, "SVA", ("are",), "1"), "yes", edit_index=1),
        EditLine(14, 0, "1", Edit(1, 2, "SVA", ("machine",), "1"), "yes", edit_index=0),
        EditLine(19, 0, "0", Edit(5, 6, "Vform", ("helping",), "2"), "yes", edit_index=2),
        EditLine(22, 0, "1", Edit(4, 5, "Vform", ("to",), "2"), "yes", edit_index=1),
    ]


def test_an_annotator_who_is_counted_but_corrects_nothing_has_a_noop() -> None:
    file = parsed(gold(error('<alt ann="1"><c start="1" end="2">is</c></alt>')))
    noops = [(e.sentence_id, e.annotator, e.edit.start) for e in file.edits if e.kind == "none"]
    assert noops == [(0, "0", -1), (1, "0", -1)]
    assert file.annotators == ["0", "1"]


@pytest.mark.parametrize(
    ("cell", "correction"),
    [
        ('<c start="1" end="2" />', ""),
        ('<c start="1" end="2"></c>', ""),
        ('<!-- x --><c start="1" end="2">A&amp;B &#233;</c>', "A&B é"),
    ],
)
@pytest.mark.parametrize("declared", ["", "<?xml version='1.0' encoding='ISO-8859-1'?>\n"])
def test_corrections_entities_and_encodings_are_read(
    cell: str, correction: str, declared: str
) -> None:
    file = parsed(declared + gold(error(f'<alt ann="0">{cell}</alt>')))
    assert file.edits[0].edit[:4] == (1, 2, "SVA", (correction,))


def test_edits_from_xml_and_m2_are_stored_together(tmp_path: Path) -> None:
    corpus = write_corpus(tmp_path / "corpus", manifest_yml=WITH_XML, gold_xml=gold(GOOD))
    ingest(tmp_path / "warehouse", corpus)
    rows = query(
        tmp_path / "warehouse",
        "select path, line, annotator, kind, start_token, correction, required, error_group "
        "from raw.m2_edits where sentence_id = 0 and annotation_set <> 'single' "
        "order by path, line, annotator",
    )
    assert rows == [
        ("edits.m2", 2, "0", "correction", 1, "is", "REQUIRED", None),
        ("edits.m2", 3, "1", "correction", 2, "", "REQUIRED", None),
        ("edits.m2", 4, "1", "correction", 3, "cats", "REQUIRED", None),
        ("gold.xml", 2, "1", "none", -1, "", "", None),
        ("gold.xml", 4, "0", "correction", 1, "is", "no", "1"),
    ]
    files = query(
        tmp_path / "warehouse", "select format, role from raw.files where path = 'gold.xml'"
    )
    assert files == [("imeasure_xml", "annotations")]


def test_sentences_may_come_from_xml(tmp_path: Path) -> None:
    manifest = MANIFEST.replace("edits.m2", "gold.xml")
    xml = gold(GOOD).replace("a cat .<", "a\n  cat .<")
    ingest(tmp_path / "wh", write_corpus(tmp_path / "c", manifest_yml=manifest, gold_xml=xml))
    rows = query(tmp_path / "wh", "select line, text from raw.sentences order by line")
    assert rows == [(2, "This are a cat ."), (7, "All well ."), (8, "He go home")]


LAUGHS = "\n".join(
    ["<!DOCTYPE scripts [", '<!ENTITY a0 "ha">']
    + [f'<!ENTITY a{i} "{f"&a{i - 1};" * 10}">' for i in range(1, 12)]
    + ["]>"]
)
HOSTILE = {
    "a billion laughs": (f"{LAUGHS}\n{gold(error('&a11;'))}", 1),
    "an external entity": (
        '<!DOCTYPE scripts [<!ENTITY a SYSTEM "file:///etc/passwd">]>\n'
        + gold(GOOD.replace("is", "&a;")),
        1,
    ),
    "an empty type definition": ("<!DOCTYPE scripts>\n" + gold(), 1),
}


@pytest.mark.parametrize(("xml", "line"), HOSTILE.values(), ids=HOSTILE.keys())
def test_document_type_definitions_are_refused_unread(tmp_path: Path, xml: str, line: int) -> None:
    findings = findings_of(tmp_path, xml)
    assert [(finding["line"], finding["found"]) for finding in findings] == [
        (line, "a document type definition (<!DOCTYPE ...>)")
    ]
    assert "root:" not in json.dumps(findings)


ALT = '<alt ann="0"><c start="1" end="2">is</c></alt>'
BROKEN = {
    "not closed": (gold(GOOD).replace("</script>", ""), 8, "broken XML: mismatched tag"),
    "an empty file": ("", 1, "broken XML: no element found"),
    "an unknown entity": (gold(GOOD.replace("is", "&eacute;")), 4, "broken XML: undefined entity"),
    "another format": ("<text>x</text>", 1, 'the element "text" in a document'),
    "an unknown element": (gold(f"<note>x</note>{GOOD}"), 4, 'the element "note" in error-list'),
    "no numann": (gold(GOOD, FIRST.replace(' numann="2"', "")), 2, "no attribute numann of <se"),
    "a start in words": (gold(GOOD.replace('"1" e', '"one" e')), 4, 'start "one"'),
    "a span outside": (gold(GOOD.replace('end="2"', 'end="6"')), 4, "the span 1 6 in a sentence"),
    "req of another word": (gold(GOOD.replace('"no"', '"maybe"')), 4, 'req "maybe"'),
    "an error twice": (gold(f"{GOOD}\n{GOOD}"), 5, '<error> of "1"'),
    "two annotators in one": (gold(GOOD.replace('"0"', '"0 1"')), 4, '<alt> of "0 1"'),
    "an error without answers": (gold(error("")), 4, '<error> of "1"'),
    "no text": (gold("", FIRST.partition("<text>")[0]), 2, "a sentence with 0 <text> elements"),
    "not counted": (gold(GOOD, FIRST.replace('"2"', '"0"')), 2, "numann 0 of a sentence that 1 "),
}


@pytest.mark.parametrize(("xml", "line", "found"), BROKEN.values(), ids=BROKEN.keys())
def test_a_fault_of_the_xml_is_named_with_its_line_and_loads_nothing(
    tmp_path: Path, xml: str, line: int, found: str
) -> None:
    findings = findings_of(tmp_path, xml)
    assert any(f["line"] == line and f["found"].startswith(found) for f in findings), findings
    assert all(f["expected"] and f["remedy"] for f in findings)


def findings_of(tmp_path: Path, xml: str) -> list[dict[str, Any]]:
    loaded = load(tmp_path, manifest_yml=WITH_XML, gold_xml=gold(GOOD))
    (loaded.corpus / "gold.xml").write_text(xml, encoding="utf-8")
    findings = refused(loaded)
    assert {Path(finding["file"]).name for finding in findings} == {"gold.xml"}
    return findings


# Characters that XML can represent; line ends and other white space in texts count as spaces.
TEXT = st.text(
    st.characters(exclude_categories=["Cs", "Cc"], exclude_characters="|\ufffe\uffff"), max_size=9
)
WORD = TEXT.filter(lambda text: text.split() == [text])


@st.composite
def sentences(draw: st.DrawFn) -> XmlSentence:
    tokens = draw(st.lists(WORD, max_size=5))
    errors = []
    for number in range(draw(st.integers(0, 3))):
        corrections, error_type = [], draw(WORD)
        for annotator in draw(st.lists(st.sampled_from("0123"), min_size=1, unique=True)):
            for _ in range(draw(st.integers(1, 2))):
                start = draw(st.integers(0, len(tokens)))
                end = draw(st.integers(start, len(tokens)))
                text = " ".join(draw(TEXT).split())
                corrections.append((annotator, Edit(start, end, error_type, (text,), str(number))))
        errors.append(XmlError(str(number), draw(st.booleans()), error_type, corrections))
    return XmlSentence(" ".join(tokens), draw(st.integers(4, 6)), errors)


@pytest.mark.slow
@given(st.lists(sentences(), max_size=4))
def test_what_is_written_is_read_back(written: list[XmlSentence]) -> None:
    file = parsed("".join(imeasure_xml(written)))
    assert [sentence.text for sentence in file.sentences] == [s.text for s in written]
    for number, sentence in enumerate(written):
        sentence_edits = [edit for edit in file.edits if edit.sentence_id == number]
        assert len({edit.annotator for edit in sentence_edits}) == sentence.annotators
        stored = [
            (e.required == "yes", e.annotator, e.edit) for e in sentence_edits if e.kind != "none"
        ]
        assert stored == list(
            chain.from_iterable(
                [(error.is_required, *edit) for edit in sorted(error.edits, key=itemgetter(0))]
                for error in sentence.errors
            )
        )


@pytest.mark.parametrize("character", ["\x0b", "\ufffe", "\x1c"])
def test_a_character_that_xml_cannot_hold_is_not_written(character: str) -> None:
    sentence = XmlSentence(f"a{character}", 0, [])
    with pytest.raises(UnwritableError, match=rf"U\+{ord(character):04X} in sentence 2"):
        list(imeasure_xml([XmlSentence("b", 0, []), sentence]))
