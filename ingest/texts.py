"""Read the texts of a corpus: sources, and references and outputs with the same number of lines."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import zip_longest

from maege.analysis.edits import Edit
from maege.ingest.findings import Add, Findings, listing, quote
from maege.ingest.formats.annotation_file import (
    AnnotationFile,
    EditLine,
    LeftOut,
    Sentence,
    in_characters,
)
from maege.ingest.formats.common import OTHER_KINDS, is_json_object, other_kind
from maege.ingest.formats.sentence_table import (
    SentenceTable,
    TableRow,
    are_columns,
    parse_columns,
    parse_json_lines,
    sign_between,
)
from maege.ingest.manifest_schema import FileFormat, Manifest, reference_name
from maege.ingest.reading import TextFile
from maege.ingest.text_checks import Texts, explain_missing_line, missing_line

# --- Agreement of files with their source, sentence by sentence ---


@dataclass(frozen=True)
class Source:
    shown: str
    sentences: Sequence[Sentence]

    @property
    def texts(self) -> list[str]:
        return [sentence.text for sentence in self.sentences]


def check_sentences(parsed: AnnotationFile, shown: str, source: Source, findings: Findings) -> None:
    if shown == source.shown:
        return
    remedy = "Use the file of the same sentences, in the same order and tokenisation."
    n_sentences, n_expected = len(parsed.sentences), len(source.sentences)
    if n_sentences != n_expected:
        expected = f"{n_expected} sentences, as in {source.shown}"
        findings.add(shown, 0, f"{n_sentences} sentences", expected, remedy)
    pairs = zip(parsed.sentences, source.sentences, strict=False)
    for number, (sentence, expected_sentence) in enumerate(pairs):
        if sentence.tokens != expected_sentence.tokens:
            position, token, expected = _difference(sentence.tokens, expected_sentence.tokens)
            findings.add(
                shown,
                sentence.line,
                f"sentence {number} differs from the source: token {position} is {token}",
                f"{expected}, as in {source.shown}:{expected_sentence.line}",
                remedy,
            )
            return


def check_line_count(lines: Sequence[str], source: Source, add: Add) -> None:
    """Add a finding, with the missing line if the texts show it, unless each sentence has one."""
    if len(lines) != len(source.sentences):
        place = missing_line(source.texts, lines)
        add(
            0,
            f"{len(lines)} lines",
            f"{len(source.sentences)} lines, one for each sentence of {source.shown}",
            "Give every sentence its line; an empty output is an empty line. "
            + explain_missing_line(place, is_missing=len(lines) < len(source.sentences)),
        )


def check_one_annotator(parsed: AnnotationFile, owner: str, add: Add) -> None:
    annotator = parsed.edits[0].annotator if parsed.edits else ""
    other = next((edit for edit in parsed.edits if edit.annotator != annotator), None)
    if other is not None:
        add(
            other.line,
            f"annotator {other.annotator} in a file of annotator {annotator}",
            f"one annotator in the file of {owner}",
            "Remove the lines of the others; or give annotations as a list of files, whose "
            "annotators are named as in the files.",
        )


def check_edits_give_output(
    parsed: AnnotationFile, output: str, texts: Sequence[str | None], add: Add
) -> None:
    edits_of: dict[int, list[EditLine]] = {}
    for edit in parsed.edits:
        if edit.kind == "correction":
            edits_of.setdefault(edit.sentence_id, []).append(edit)
    for number, (sentence, text) in enumerate(zip(parsed.sentences, texts, strict=False)):
        edits = edits_of.get(number, [])
        tokens = _applied(sentence.tokens, [line.edit for line in edits])
        output_tokens = (text or "").split()
        if tokens != output_tokens:
            position, token, expected = _difference(tokens, output_tokens)
            add(
                edits[0].line if edits else sentence.line,
                f"edits of sentence {number} that make its token {position} {token}",
                f"{expected}, as in {output}:{number + 1}",
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


def _difference(tokens: list[str], expected: list[str]) -> tuple[int, str, str]:
    pairs = zip_longest(tokens, expected)
    position, (a, b) = next((i, pair) for i, pair in enumerate(pairs) if pair[0] != pair[1])
    return position, quote(a) if a else "missing", quote(b) if b else "no such token"


# --- Sources, references and outputs ---

# The source as the output of a system, if a file with corrections is given as that system's output.
INPUT = "INPUT"
TABLES: tuple[FileFormat, ...] = ("columns", "json_lines")


@dataclass
class TextReader:
    """Reads the texts of files. Each file is parsed once, even if it has several roles."""

    manifest: Manifest
    files: Mapping[str, TextFile]
    findings: Findings
    left_out: dict[str, list[LeftOut]] = field(default_factory=dict)
    warnings: dict[str, list[LeftOut]] = field(default_factory=dict)
    # The sentences that all files must match.
    checked_source: Source = Source("", ())
    _tables: dict[str, SentenceTable] = field(default_factory=dict)
    _rows: dict[str, dict[int, int]] = field(default_factory=dict)

    def format(self, path: str) -> FileFormat:
        lines = self.files[path].lines
        if path in self.manifest.formats:
            return self.manifest.formats[path]
        if is_json_object(next((line for line in lines if line.strip()), "")):
            return "json_lines"
        if are_columns(lines) or self._are_meant(path, lines):
            return "columns"
        return "text"

    def source(self, path: str) -> Source:
        column = self._column(path, "source") or Texts(self.files[path].shown, [])
        texts = enumerate(text or "" for text in column.texts)
        sentences = [Sentence(column.line(place), text, text.split()) for place, text in texts]
        return Source(column.shown, sentences)

    def references(self, path: str) -> dict[str, Texts]:
        """Return the references of a file by name; a table has one reference per correction."""
        name = reference_name(path)
        if self.format(path) not in TABLES:
            texts = self._column(path, "reference")
            return {} if texts is None else {name: texts}
        table = self._table(path)
        n_references = table.most_targets
        if not n_references and not len(self.findings):
            self._refuse(path, "no corrections", "at least one correction")
        names = [name] if n_references == 1 else [f"{name}.{i}" for i in range(1, n_references + 1)]
        return {
            reference: self._checked(
                path, self._texts(path, [_at(row.targets, position) for row in table.rows])
            )
            for position, reference in enumerate(names)
        }

    def output(self, system: str, path: str) -> Texts | None:
        texts = self._column(path, system)
        if texts is None:
            return None
        detail = f"no output of {system}, which counts as an empty one"
        self.left_out.setdefault(path, []).extend(
            LeftOut(texts.line(place), "no_output", detail)
            for place, text in enumerate(texts.texts)
            if text is None
        )
        return texts

    def rows(self) -> dict[int, int] | None:
        """Return the sentences by their rows in the source's file, if `ids` selects them."""
        return self._rows.get(self.manifest.source or "")

    def check_ids(self) -> None:
        path = self.manifest.ids
        if path is not None and not self._tables and not len(self.findings):
            self._refuse(path, "ids without a table that has ids", "a table with these ids")

    def _column(self, path: str, name: str) -> Texts | None:
        if self.format(path) in TABLES:
            texts = self._table_texts(path, name)
        elif self._is_refused(path):
            return None
        else:
            lines: list[str | None] = [self._tokens(line) for line in self.files[path].lines]
            texts = Texts(self.files[path].shown, lines)
        return texts if name == "source" else self._checked(path, texts)

    def _table_texts(self, path: str, name: str) -> Texts:
        table = self._table(path)
        is_source = name == "source" or (name == INPUT and path == self.manifest.source)
        if not is_source and name in table.names:
            return self._texts(path, [row.named.get(name) for row in table.rows])
        # Corrections that are references are not outputs of a system.
        has_references = any(path in of.texts for of in self.manifest.references.values())
        if not is_source and (has_references or table.most_targets > 1):
            self._refuse(
                path,
                f"no column {quote(name)}, but {listing(table.names) or 'corrections alone'}",
                f"a column of the output of {name}",
            )
        if is_source or not table.most_targets:
            return self._texts(path, [row.source for row in table.rows])
        return self._texts(path, [_at(row.targets, 0) for row in table.rows])

    def _texts(self, path: str, column: Sequence[str | None]) -> Texts:
        lines = [row.line for row in self._table(path).rows]
        return Texts(self.files[path].shown, column, lines)

    def _checked(self, path: str, texts: Texts) -> Texts:
        shown = self.files[path].shown
        # Lines that cannot be read do not count as missing.
        is_whole = all(finding.file != shown for finding in self.findings)
        if is_whole:
            lines = [text or "" for text in texts.texts]
            check_line_count(lines, self.checked_source, self.findings.about(shown))
        return texts

    def _table(self, path: str) -> SentenceTable:
        if path in self._tables:
            return self._tables[path]
        parse = parse_json_lines if self.format(path) == "json_lines" else parse_columns
        file = self.files[path]
        table = parse(file.lines, self.findings.about(file.shown))
        repeated = table.repeated_ids()
        if repeated is not None:
            self.warnings[path] = [repeated]
        if self.manifest.ids is not None:
            table.rows = self._chosen(path, table.rows, self.files[self.manifest.ids])
        lines = {row.line for row in table.rows}
        self.left_out[path] = [entry for entry in table.left_out if entry.line in lines]
        table.rows = [row.converted(self._tokens) for row in table.rows]
        self._tables[path] = table
        return table

    def _chosen(self, path: str, rows: list[TableRow], ids: TextFile) -> list[TableRow]:
        number_of = {row.row_id: number for number, row in enumerate(rows) if row.row_id}
        row_ids = [line.strip() for line in ids.lines if line.strip()]
        unknown = [row_id for row_id in row_ids if row_id not in number_of]
        if unknown:
            self.findings.add(
                ids.shown,
                0,
                f"{len(unknown)} ids that are not in {path}, such as {quote(unknown[0])}",
                f"ids of its first column, such as {quote(next(iter(number_of), 'none'))}",
                "Give the file of ids for this table.",
            )
        chosen = [number_of[row_id] for row_id in row_ids if row_id in number_of]
        self._rows[path] = {number: place for place, number in enumerate(chosen)}
        return [rows[number] for number in chosen]

    def _tokens(self, text: str) -> str:
        return in_characters(text) if self.manifest.tokens == "characters" else text

    def _are_meant(self, path: str, lines: Sequence[str]) -> bool:
        if not any(lines) or not all("\t" in line for line in lines if line.strip()):
            return False
        # The file is both source and references, or repeats the source.
        if path == self.manifest.source:
            return any(path in entry.texts for entry in self.manifest.references.values())
        sentences = self.checked_source.sentences
        return len(sentences) == len(lines) and all(
            self._tokens(line.split("\t")[0]).split() == sentence.tokens
            for line, sentence in zip(lines, sentences, strict=True)
        )

    def _is_refused(self, path: str) -> bool:
        lines = self.files[path].lines
        if self.manifest.formats.get(path) == "text":
            return False
        kind = other_kind(lines) or sign_between(lines)
        if kind is not None:
            remedy = OTHER_KINDS.get(kind, "Separate them by tabs, or write JSON lines.")
            self.findings.add(self.files[path].shown, 0, kind, "one sentence per line", remedy)
        return kind is not None

    def _refuse(self, path: str, found: str, expected: str) -> None:
        remedy = "Name another file, or correct it; docs/corpora.md shows what a table holds."
        self.findings.add(self.files[path].shown, 0, found, expected, remedy)


def _at(texts: Sequence[str | None], position: int) -> str | None:
    return texts[position] if position < len(texts) else None
