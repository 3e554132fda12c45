"""Read the inputs of a comparison from files; all faults are reported before it starts."""

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from maege.analysis.compare.gold import Gold, GoldInput, Output
from maege.analysis.compare.results import Note
from maege.analysis.edits import Annotation, Edit
from maege.analysis.extraction.errant_edits import corrected_text
from maege.ingest.findings import Add, BadInputError, Findings, quote
from maege.ingest.formats.annotation_file import (
    AnnotationFile,
    EditLine,
    annotator_order,
    repeated_edits,
    unknown_corrects,
)
from maege.ingest.formats.m2 import parse_m2
from maege.ingest.reading import BYTE_ORDER_MARK, TextFile, read_text
from maege.ingest.text_checks import (
    Suspicion,
    Texts,
    check_texts,
    explain_missing_line,
    missing_line,
)

# The annotator of a file without any annotator's line.
NOBODY = "0"


def gold_of(read: AnnotationFile, annotators: Sequence[str] = ()) -> Gold:
    """Return the gold of the named annotators, or of those with a line in the file."""
    annotators = tuple(sorted(annotators or read.annotators, key=annotator_order)) or (NOBODY,)
    return Gold(
        sources=tuple(sentence.text for sentence in read.sentences),
        annotators=annotators,
        # Without any line, the first annotator leaves a sentence unchanged.
        annotations=tuple(each or {annotators[0]: ()} for each in annotations_of(read)),
        unknown_corrects=unknown_corrects(read.edits),
    )


def annotations_of(read: AnnotationFile) -> Sequence[Mapping[str, Annotation]]:
    by_sentence: list[dict[str, list[Edit]]] = [{} for _ in read.sentences]
    for line in read.edits:
        edits = by_sentence[line.sentence_id].setdefault(line.annotator, [])
        if line.kind != "none":
            # Edits are grouped by overlap, as in M2, even if the file groups them by error.
            edits.append(line.edit._replace(error_group=""))
    return [
        {annotator: tuple(edits) for annotator, edits in annotators.items()}
        for annotators in by_sentence
    ]


M2_START = "S "
SHOWN_LINES = 5


@dataclass(frozen=True)
class Read:
    """The inputs of a comparison.

    `references` are the texts of references by file. `language` is that of the corpus; None for
    files. `accepted` are the checks of texts whose findings were accepted at ingest.
    """

    gold: GoldInput
    outputs: tuple[Output, ...]
    notes: tuple[Note, ...]
    references: tuple[Texts, ...] = ()
    language: str | None = None
    accepted: tuple[str, ...] = ()


class _Reader:
    def __init__(self) -> None:
        self.findings = Findings()
        self.notes: list[Note] = []
        self.references: list[Texts] = []

    def read(self, path: Path | TextFile) -> TextFile | None:
        if isinstance(path, TextFile):
            return path
        read = read_text(path, self.findings)
        if read is not None:
            with path.open("rb") as stream:
                start = stream.read(1 << 16)
            if start.startswith(BYTE_ORDER_MARK):
                self.notes.append(Note("byte_order_mark", f"{path}: a byte order mark was removed"))
            if b"\r\n" in start:
                text = f"{path}: carriage returns at line ends were removed"
                self.notes.append(Note("carriage_returns", text))
        return read

    def stop_if_bad(self) -> None:
        if len(self.findings):
            raise BadInputError(self.findings)


def read_files(
    outputs: Sequence[Path | TextFile],
    gold: Path | TextFile | None = None,
    sources: Path | TextFile | None = None,
    references: Sequence[Path | TextFile] = (),
    names: Sequence[str] = (),
) -> Read:
    """Return gold and outputs of files; BadInputError has the findings of all of them."""
    reader = _Reader()
    if gold is not None:
        gold_input = _gold_edits(gold, reader)
    else:
        gold_input = _gold_texts(sources or Path(), references, reader)
    paths = [path for path in outputs if isinstance(path, Path)]
    refuse_repeated_files(paths, reader.findings)
    read = [
        output
        for path, name in zip(outputs, names or distinct_names(paths), strict=True)
        if (output := _output(path, name, gold_input, reader)) is not None
    ]
    reader.stop_if_bad()
    notes = (*reader.notes, *notes_on_empty_outputs(read))
    return Read(gold_input, tuple(read), notes, tuple(reader.references))


def read_gold(path: Path) -> tuple[GoldInput, list[Note]]:
    """Return the gold of an M2 file and notes on it. Raises BadInputError with every finding."""
    reader = _Reader()
    return _gold_edits(path, reader), reader.notes


def suspicions_of(read: Read, language: str | None) -> list[Suspicion]:
    sources = Texts(read.gold.path, read.gold.gold.sources)
    outputs = [
        Texts(output.path, output.texts) for output in read.outputs if output.annotations is None
    ]
    return check_texts(sources, [*read.references, *outputs], language, allowed=read.accepted)


def notes_on_empty_outputs(outputs: Sequence[Output]) -> list[Note]:
    return [
        note
        for output in outputs
        for note in notes_on_empty(output.path, output.texts, is_output=True)
    ]


def distinct_names(paths: Sequence[Path]) -> list[str]:
    """Return file names without folder and last suffix; with folders if two are equal."""
    parts = [(*path.absolute().parts[:-1], path.stem) for path in paths]
    n_parts = 1
    names = [path.stem for path in paths]
    while len(set(names)) < len(names) and n_parts < max(map(len, parts)):
        n_parts += 1
        names = [
            "/".join(path_parts[-n_parts:]) if names.count(name) > 1 else name
            for path_parts, name in zip(parts, names, strict=True)
        ]
    return names


def _gold_edits(path: Path | TextFile, reader: _Reader) -> GoldInput:
    read = reader.read(path)
    if read is None:
        raise BadInputError(reader.findings)
    add = reader.findings.about(read.shown)
    if not any(line.startswith(M2_START) or line == "S" for line in read.lines):
        remedy = "Name the M2 file; plain references are given by --source SOURCE --refs REFERENCE."
        add(0, "no S line", "M2: an S line and A lines for each sentence", remedy)
    reader.stop_if_bad()
    annotated = parse_m2(read.lines, add, "keep")
    reader.stop_if_bad()
    if all(edit.kind == "none" for edit in annotated.edits):
        remedy = "Is it an output? Give the annotators' M2 file to --gold."
        add(0, "no A line with an edit", "gold edits", remedy)
    for sentence in annotated.sentences:
        if not sentence.tokens:
            remedy = "Remove the block, and its line from every output."
            add(sentence.line, "an S line without a token", "a sentence", remedy)
    reader.stop_if_bad()
    reader.notes += notes_on_edits(annotated.edits, read.shown)
    return GoldInput(read.shown, read.sha256, gold_of(annotated))


def notes_on_edits(edits: Sequence[EditLine], shown: str) -> list[Note]:
    notes = []
    lines = [edit.line for edit in edits if edit.out_of_range == "kept"]
    if lines:
        text = (
            f"{shown}: {len(lines):,} edits end beyond their sentence, the first in line "
            f"{lines[0]:,}; they count as gold edits that no system can match"
        )
        notes.append(Note("out_of_range", text, is_warning=True))
    repeated = repeated_edits(edits)
    if repeated is not None:
        text = f"{shown}:{repeated.line}: {repeated.detail}"
        notes.append(Note(repeated.kind, text, is_warning=True))
    return notes


def _gold_texts(
    source: Path | TextFile, references: Sequence[Path | TextFile], reader: _Reader
) -> GoldInput:
    files = [file for path in (source, *references) if (file := reader.read(path)) is not None]
    if len(files) <= len(references):
        raise BadInputError(reader.findings)
    sources, *reference_files = files
    for number, line in enumerate(sources.lines, start=1):
        if not line.split():
            reader.findings.add(
                sources.shown, number, "an empty line", "a sentence", "Remove it from every file."
            )
    for file in reference_files:
        if check_length(file, sources.shown, sources.lines, reader.findings):
            reader.notes += notes_on_empty(file.shown, file.lines)
            reader.references.append(Texts(file.shown, file.lines))
    reader.stop_if_bad()
    texts = [*zip(*(file.lines for file in reference_files), strict=True)]
    gold = gold_of_texts(sources.lines, len(reference_files))
    return GoldInput(sources.shown, sources.sha256, gold, references=texts)


def gold_of_texts(sources: Sequence[str], n_references: int) -> Gold:
    """Return the gold whose edits are extracted from reference texts later."""
    annotators = tuple(map(str, range(n_references)))
    return Gold(tuple(sources), annotators, tuple({} for _ in sources))


def notes_on_empty(shown: str, texts: Sequence[str], *, is_output: bool = False) -> list[Note]:
    lines = [number for number, text in enumerate(texts, start=1) if not text.split()]
    if not lines:
        return []
    listed = ", ".join(f"{line:,}" for line in lines[:SHOWN_LINES])
    more = f" and {len(lines) - SHOWN_LINES:,} more" if len(lines) > SHOWN_LINES else ""
    kind, meaning = "empty_references", "a reference that deletes the sentence"
    if is_output:
        kind, meaning = "empty_lines", "counted as sentences deleted"
    text = f"{shown}: line{'s' if len(lines) > 1 else ''} {listed}{more}: empty, {meaning}"
    return [Note(kind, text, is_warning=True)]


def refuse_repeated_files(paths: Sequence[Path], findings: Findings) -> None:
    seen: dict[str, Path] = {}
    for path in paths:
        place = os.path.realpath(path)
        if place in seen:
            findings.add(
                str(path),
                0,
                f"the same file as {seen[place]}",
                "outputs of different systems",
                "Name each file once.",
            )
        seen.setdefault(place, path)


def _output(path: Path | TextFile, name: str, gold: GoldInput, reader: _Reader) -> Output | None:
    read = reader.read(path)
    if read is None:
        return None
    sources, n_before = gold.gold.sources, len(reader.findings)
    texts, annotations = tuple(read.lines), None
    if read.lines and read.lines[0].startswith(M2_START):
        add = reader.findings.about(read.shown)
        annotated = parse_m2(read.lines, add, "keep")
        if len(reader.findings) == n_before:
            _check_output_edits(annotated, gold, add)
        if len(reader.findings) == n_before:
            by_sentence = annotations_of(annotated)
            annotations = tuple(next(iter(each.values()), ()) for each in by_sentence)
            texts = tuple(map(corrected_text, sources, annotations))
    else:
        check_length(read, gold.path, sources, reader.findings)
    if len(reader.findings) > n_before:
        return None
    return Output(name, read.shown, read.sha256, texts, annotations)


def _check_output_edits(annotated: AnnotationFile, gold: GoldInput, add: Add) -> None:
    sources, sentences = gold.gold.sources, annotated.sentences
    for n, (sentence, source) in enumerate(zip(sentences, sources, strict=False), start=1):
        if sentence.tokens != source.split():
            found = f"M2 of other sentences: S of block {n:,} is {quote(sentence.text)}"
            expected = f"the sentences of {gold.path}: {quote(source)}"
            add(sentence.line, found, expected, "Give the M2 file of these sources.")
            return
    if len(sentences) != len(sources):
        expected = f"{len(sources):,}, as many as sentences of {gold.path}"
        add(0, f"{len(sentences):,} blocks", expected, "Make the M2 file of all sentences.")
    elif len(annotated.annotators) > 1:
        add(
            0,
            f"the edits of annotators {', '.join(annotated.annotators[:10])}",
            "one system: errant_compare would take the best of them for each sentence",
            "Split it: a file for each annotator, each with all S lines.",
        )


def check_length(read: TextFile, gold: str, sources: Sequence[str], findings: Findings) -> bool:
    lines = read.lines
    if len(lines) == len(sources):
        return True
    place = missing_line(sources, lines)
    remedy = explain_missing_line(place, is_missing=len(lines) < len(sources))
    findings.add(
        read.shown,
        place or 0,
        f"{len(lines):,} lines",
        f"{len(sources):,}, as many as sentences of {gold}",
        remedy or "Make the output again, one line for each sentence.",
    )
    return False
