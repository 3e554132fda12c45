"""Whether files agree with the source that they belong to, sentence by sentence."""

from collections.abc import Sequence
from dataclasses import dataclass

from maege.analysis.edits import Edit
from maege.ingest.findings import Findings, quote
from maege.ingest.formats.annotations.annotation_file import AnnotationFile, EditLine
from maege.ingest.reading import TextFile
from maege.ingest.text_checks import explain_missing_line, missing_line


@dataclass(frozen=True)
class Source:
    """The sentences of a corpus, and the file and lines that they come from."""

    shown: str
    lines: Sequence[int]
    texts: Sequence[str]
    tokens: Sequence[list[str]]


def source_of(parsed: AnnotationFile, shown: str) -> Source:
    """Return the sentences that a file of annotations has."""
    sentences = parsed.sentences
    return Source(
        shown,
        [sentence.line for sentence in sentences],
        [sentence.text for sentence in sentences],
        [sentence.tokens for sentence in sentences],
    )


def check_sentences(parsed: AnnotationFile, shown: str, source: Source, findings: Findings) -> None:
    """Add a finding where a file lacks sentences, and at the first that differs from the source."""
    if shown == source.shown:
        return
    if len(parsed.sentences) != len(source.texts):
        findings.add(
            shown,
            0,
            f"{len(parsed.sentences)} sentences",
            f"{len(source.texts)} sentences, as in {source.shown}",
            "Use the file of the same sentences, in the same order.",
        )
    for number, (mine, theirs) in enumerate(zip(parsed.sentences, source.tokens, strict=False)):
        if mine.tokens == theirs:
            continue
        position = _first_difference(mine.tokens, theirs)
        expected = _token(theirs, position, "no such token")
        findings.add(
            shown,
            mine.line,
            f"sentence {number} differs from the source: token {position} is "
            f"{_token(mine.tokens, position)}",
            f"{expected}, as in {source.shown}:{source.lines[number]}",
            "Use the file of the same sentences, in the same order and tokenisation.",
        )
        return


def check_line_count(
    file: TextFile, lines: int, source: Source, findings: Findings, texts: Sequence[str] = ()
) -> None:
    """Add a finding where a line-parallel file does not have a line for every sentence.

    The finding says where a line is missing if the texts show it.
    """
    if lines != len(source.texts):
        place = missing_line(source.texts, texts) if texts else None
        findings.add(
            file.shown,
            0,
            f"{lines} lines",
            f"{len(source.texts)} lines, one for each sentence of {source.shown}",
            "Give every sentence its line; an empty output is an empty line. "
            + explain_missing_line(place, is_missing=lines < len(source.texts)),
        )


def check_one_annotator(
    parsed: AnnotationFile, shown: str, expected: str, remedy: str, findings: Findings
) -> None:
    """Add a finding where a file that is one annotator's or one system's has a second annotator."""
    others = [edit for edit in parsed.edits if edit.annotator != parsed.edits[0].annotator]
    if others:
        findings.add(
            shown,
            others[0].line,
            f"annotator {others[0].annotator} beside {parsed.edits[0].annotator}",
            expected,
            remedy,
        )


def check_edits_give_output(
    parsed: AnnotationFile,
    shown: str,
    output: str,
    texts: Sequence[str | None],
    findings: Findings,
) -> None:
    """Add a finding at the first sentence whose edits, applied, do not give the output's tokens."""
    edits_of: dict[int, list[EditLine]] = {}
    for edit in parsed.edits:
        if edit.kind == "correction":
            edits_of.setdefault(edit.sentence_id, []).append(edit)
    for number, (sentence, text) in enumerate(zip(parsed.sentences, texts, strict=False)):
        edits = edits_of.get(number, [])
        made = _applied(sentence.tokens, [line.edit for line in edits])
        mine, theirs = made, (text or "").split()
        if mine == theirs:
            continue
        position = _first_difference(mine, theirs)
        findings.add(
            shown,
            edits[0].line if edits else sentence.line,
            f"edits of sentence {number} that make its token {position} {_token(mine, position)}",
            f"{_token(theirs, position, 'no such token')}, as in {output}:{number + 1}",
            "Extract the edits from this output again, or name the output that they belong to.",
        )
        return


def _applied(tokens: list[str], edits: Sequence[Edit]) -> list[str]:
    applied: list[str] = []
    reached = 0
    for edit in sorted(edits, key=lambda edit: (edit.start, edit.end)):
        applied += tokens[reached : edit.start]
        applied += edit.corrections[0].split()
        reached = edit.end
    return applied + tokens[reached:]


def _first_difference(mine: list[str], theirs: list[str]) -> int:
    pairs = zip(mine, theirs, strict=False)
    common = min(len(mine), len(theirs))
    return next((i for i, (a, b) in enumerate(pairs) if a != b), common)


def _token(tokens: list[str], position: int, absent: str = "missing") -> str:
    return quote(tokens[position]) if position < len(tokens) else absent
