"""M2 is written without loss; unusual content is data, not a fault."""

from collections import defaultdict
from dataclasses import dataclass

from hypothesis import given
from hypothesis import strategies as st

from maege.analysis.edits import Edit
from maege.ingest.findings import Findings
from maege.ingest.formats.annotation_file import EditLine
from maege.ingest.formats.m2 import ERRANT_TYPE, parse_m2

# Any text of one line without M2's own separators; U+0085 and U+2028 are not line ends here.
WORD = st.text(
    st.characters(exclude_categories=["Cs"], exclude_characters="\n\r\0|"), min_size=1, max_size=8
).filter(lambda word: word.split() == [word])
CORRECTION = st.lists(st.lists(WORD, max_size=3).map(" ".join), min_size=1, max_size=3).map(
    "||".join
)


@dataclass(frozen=True)
class Block:
    tokens: list[str]
    gap: str
    edits: list[tuple[int, int, str, str, str]]
    blank_lines: int


@st.composite
def blocks(draw: st.DrawFn) -> Block:
    tokens = draw(st.lists(WORD, max_size=6))
    edits = []
    for _ in range(draw(st.integers(0, 5))):
        annotator = draw(st.sampled_from("012"))
        if draw(st.booleans()):
            start = draw(st.integers(0, len(tokens)))
            end = draw(st.integers(start, len(tokens)))
            error_type = draw(WORD.filter(lambda word: word not in {"noop", "REQUIRED", "-NONE-"}))
            correction = draw(CORRECTION.filter(lambda text: not ERRANT_TYPE.fullmatch(text)))
            edits.append((start, end, error_type, correction, annotator))
        else:
            edits.append((-1, -1, "noop", "-NONE-", annotator))
    return Block(tokens, draw(st.sampled_from([" ", "  "])), edits, draw(st.integers(0, 3)))


def rendered(written: list[Block]) -> list[str]:
    lines = []
    for block in written:
        lines.append("S " + block.gap.join(block.tokens))
        lines += [
            f"A {start} {end}|||{error_type}|||{correction}|||REQUIRED|||-NONE-|||{annotator}"
            for start, end, error_type, correction, annotator in block.edits
        ]
        lines += [""] * block.blank_lines
    return lines


def _without_none(correction: str) -> str:
    return "||".join("" if text == "-NONE-" else text for text in correction.split("||"))


@given(st.lists(blocks(), max_size=5))
def test_m2_is_read_back_as_it_was_written(written: list[Block]) -> None:
    findings = Findings()
    parsed = parse_m2(rendered(written), findings.about("x.m2"))
    assert findings.as_text() == ""
    assert [sentence.tokens for sentence in parsed.sentences] == [b.tokens for b in written]
    assert [(e.sentence_id, *e.edit[:3], e.correction, e.annotator) for e in parsed.edits] == [
        (number, start, end, error_type, _without_none(text), annotator)
        for number, block in enumerate(written)
        for start, end, error_type, text, annotator in block.edits
    ]
    # An annotator's edits of a sentence are numbered, except lines without an edit.
    indices: defaultdict[tuple[int, str], list[int | None]] = defaultdict(list)
    for edit in parsed.edits:
        assert (edit.edit_index is None) == (edit.kind == "none")
        if edit.edit_index is not None:
            indices[edit.sentence_id, edit.annotator].append(edit.edit_index)
    assert all(numbers == list(range(len(numbers))) for numbers in indices.values())


def test_fields_and_spaces_are_kept() -> None:
    lines = ["S", "", "S a  b ", "A 0 1|||Nn|||as|||OPTIONAL|||sure?|||7"]
    parsed = parse_m2(lines, Findings().about("x.m2"))
    assert parsed.sentences[0].tokens == []
    assert parsed.sentences[1].text == "a  b "
    assert parsed.edits == [
        EditLine(4, 1, "7", Edit(0, 1, "Nn", ("as",)), "OPTIONAL", "sure?", edit_index=0)
    ]
