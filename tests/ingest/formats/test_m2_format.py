"""M2 is written without loss; unusual content is data, not a fault."""

from dataclasses import dataclass

from hypothesis import given
from hypothesis import strategies as st

from maege.analysis.edits import Edit
from maege.ingest.findings import Findings
from maege.ingest.formats.annotation_file import AnnotationFile, EditLine
from maege.ingest.formats.m2 import parse_m2

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
            error_type = draw(WORD.filter(lambda word: word != "noop"))
            edits.append((start, end, error_type, draw(CORRECTION), annotator))
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


@given(st.lists(blocks(), max_size=5))
def test_m2_is_read_back_as_it_was_written(written: list[Block]) -> None:
    findings = Findings()
    parsed = parse_m2(rendered(written), "x.m2", findings)
    assert findings.as_text() == ""
    assert [sentence.tokens for sentence in parsed.sentences] == [b.tokens for b in written]
    assert [(e.sentence_id, *e.edit[:3], e.correction, e.annotator) for e in parsed.edits] == [
        (number, start, end, error_type, "" if text == "-NONE-" else text, annotator)
        for number, block in enumerate(written)
        for start, end, error_type, text, annotator in block.edits
    ]


@given(st.lists(blocks(), max_size=5))
def test_edit_indices_count_each_annotators_edits_of_a_sentence(written: list[Block]) -> None:
    parsed = parse_m2(rendered(written), "x.m2", Findings())
    for number in range(len(written)):
        for annotator in parsed.annotators:
            annotator_edits = [
                e for e in parsed.edits if (e.sentence_id, e.annotator) == (number, annotator)
            ]
            real = [e.edit_index for e in annotator_edits if e.kind != "none"]
            assert real == list(range(len(real)))
            assert all(e.edit_index is None for e in annotator_edits if e.kind == "none")


@st.composite
def damaged_lines(draw: st.DrawFn) -> list[str]:
    """M2 of at least one sentence, of which a piece of one line is replaced by other characters."""
    lines = rendered(draw(st.lists(blocks(), min_size=1, max_size=4)))
    number = draw(st.integers(0, len(lines) - 1))
    line = lines[number]
    start = draw(st.integers(0, len(line)))
    end = draw(st.integers(start, len(line)))
    lines[number] = line[:start] + draw(st.text("SA 0123-|noop", max_size=4)) + line[end:]
    return lines


@given(damaged_lines())
def test_damaged_lines_give_rows_or_findings(lines: list[str]) -> None:
    findings = Findings()
    parsed = parse_m2(lines, "x.m2", findings)
    assert parsed.sentences or findings.as_text()
    for edit in parsed.edits:
        tokens = parsed.sentences[edit.sentence_id].tokens
        assert edit.kind == "none" or 0 <= edit.edit.start <= edit.edit.end <= len(tokens)


def parsed_without_findings(text: str) -> AnnotationFile:
    findings = Findings()
    parsed = parse_m2(text.split("\n"), "x.m2", findings)
    assert findings.as_text() == ""
    return parsed


def edit(span: str, correction: str = "x", error_type: str = "Mec", annotator: str = "0") -> str:
    return f"A {span}|||{error_type}|||{correction}|||REQUIRED|||-NONE-|||{annotator}"


def test_lines_and_spaces_are_read_as_they_are() -> None:
    parsed = parsed_without_findings(f"S a b\n{edit('0 1')}\nS c\n{edit('0 1')}\n")
    assert [e.sentence_id for e in parsed.edits] == [0, 1]

    parsed = parsed_without_findings(f"S a  b \n{edit('1 2')}")
    assert parsed.sentences[0].text == "a  b "
    assert parsed.sentences[0].tokens == ["a", "b"]


def test_corrections_are_deletions_or_alternatives() -> None:
    parsed = parsed_without_findings(f"S a b\n{edit('0 1', '-NONE-')}\n{edit('1 2', '')}")
    assert [e.correction for e in parsed.edits] == ["", ""]
    parsed = parsed_without_findings(f"S a b\n{edit('0 1', '-NONE-||the')}")
    assert parsed.edits[0].edit.corrections == ("", "the")


def test_overlapping_and_duplicated_edits_are_data() -> None:
    parsed = parsed_without_findings(
        f"S a b c\n{edit('0 2')}\n{edit('1 3')}\n{edit('1 3')}\n{edit('1 1')}\n{edit('1 1')}"
    )
    assert [e.edit_index for e in parsed.edits] == [0, 1, 2, 3, 4]


def test_an_empty_sentence_is_a_sentence() -> None:
    assert [s.tokens for s in parsed_without_findings("S\n\nS \n\nS a\n").sentences] == [
        [],
        [],
        ["a"],
    ]


def test_every_field_of_an_edit_is_kept() -> None:
    parsed = parsed_without_findings("S a\nA 0 1|||Nn|||as|||OPTIONAL|||sure?|||7")
    assert parsed.edits == [
        EditLine(2, 0, "7", Edit(0, 1, "Nn", ("as",)), "OPTIONAL", "sure?", edit_index=0)
    ]
