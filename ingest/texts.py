"""Read the texts of a corpus: sources, and references and outputs with the same number of lines."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from maege.analysis.edits import Edit
from maege.ingest.findings import Findings, listing, quote
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
    are_pairs,
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
    """The sentences of a corpus, and the file that they come from."""

    shown: str
    sentences: Sequence[Sentence]

    @property
    def texts(self) -> list[str]:
        """The texts of the sentences."""
        return [sentence.text for sentence in self.sentences]


def check_sentences(parsed: AnnotationFile, shown: str, source: Source, findings: Findings) -> None:
    """Add a finding if a file lacks sentences, and at the first that differs from the source."""
    if shown == source.shown:
        return
    if len(parsed.sentences) != len(source.sentences):
        findings.add(
            shown,
            0,
            f"{len(parsed.sentences)} sentences",
            f"{len(source.sentences)} sentences, as in {source.shown}",
            "Use the file of the same sentences, in the same order.",
        )
    pairs = zip(parsed.sentences, source.sentences, strict=False)
    for number, (sentence, expected_sentence) in enumerate(pairs):
        if sentence.tokens == expected_sentence.tokens:
            continue
        position = _first_difference(sentence.tokens, expected_sentence.tokens)
        expected = _token(expected_sentence.tokens, position, "no such token")
        findings.add(
            shown,
            sentence.line,
            f"sentence {number} differs from the source: token {position} is "
            f"{_token(sentence.tokens, position)}",
            f"{expected}, as in {source.shown}:{expected_sentence.line}",
            "Use the file of the same sentences, in the same order and tokenisation.",
        )
        return


def check_line_count(
    file: TextFile, lines: int, source: Source, findings: Findings, texts: Sequence[str] = ()
) -> None:
    """Add a finding if a line-parallel file does not have one line per sentence.

    The finding gives the missing line if the texts show it.
    """
    if lines != len(source.sentences):
        place = missing_line(source.texts, texts) if texts else None
        findings.add(
            file.shown,
            0,
            f"{lines} lines",
            f"{len(source.sentences)} lines, one for each sentence of {source.shown}",
            "Give every sentence its line; an empty output is an empty line. "
            + explain_missing_line(place, is_missing=lines < len(source.sentences)),
        )


def check_one_annotator(
    parsed: AnnotationFile, shown: str, expected: str, remedy: str, findings: Findings
) -> None:
    """Add a finding if the file of one annotator or one system contains a second annotator."""
    annotator = parsed.edits[0].annotator if parsed.edits else ""
    other = next((edit for edit in parsed.edits if edit.annotator != annotator), None)
    if other is not None:
        findings.add(
            shown,
            other.line,
            f"annotator {other.annotator} in a file of annotator {annotator}",
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
    """Add a finding at the first sentence whose edits do not produce the output's tokens."""
    edits_of: dict[int, list[EditLine]] = {}
    for edit in parsed.edits:
        if edit.kind == "correction":
            edits_of.setdefault(edit.sentence_id, []).append(edit)
    for number, (sentence, text) in enumerate(zip(parsed.sentences, texts, strict=False)):
        edits = edits_of.get(number, [])
        tokens = _applied(sentence.tokens, [line.edit for line in edits])
        expected = (text or "").split()
        if tokens == expected:
            continue
        position = _first_difference(tokens, expected)
        findings.add(
            shown,
            edits[0].line if edits else sentence.line,
            f"edits of sentence {number} that make its token {position} {_token(tokens, position)}",
            f"{_token(expected, position, 'no such token')}, as in {output}:{number + 1}",
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


def _first_difference(tokens: list[str], expected: list[str]) -> int:
    pairs = zip(tokens, expected, strict=False)
    common = min(len(tokens), len(expected))
    return next((i for i, (a, b) in enumerate(pairs) if a != b), common)


def _token(tokens: list[str], position: int, absent: str = "missing") -> str:
    return quote(tokens[position]) if position < len(tokens) else absent


# --- Sources, references and outputs ---

# The source as the output of a system, if a file with corrections is given as that system's output.
INPUT = "INPUT"
TABLES: tuple[FileFormat, ...] = ("columns", "json_lines")


@dataclass
class TextReader:
    """Reads the texts of files. Each file is parsed once, even if it has several roles."""

    manifest: Manifest
    files: Mapping[str, TextFile | None]
    findings: Findings
    left_out: dict[str, list[LeftOut]] = field(default_factory=dict)
    warnings: dict[str, list[LeftOut]] = field(default_factory=dict)
    # The sentences that all files must match.
    checked_source: Source | None = None
    _tables: dict[str, SentenceTable] = field(default_factory=dict)
    _rows: dict[str, dict[int, int]] = field(default_factory=dict)

    def format(self, path: str) -> FileFormat:
        """Return the format of a file's texts: as the manifest says, else as detected."""
        file = self.files[path]
        declared = self.manifest.formats.get(path)
        if declared is not None or file is None:
            return declared or "text"
        if is_json_object(next((line for line in file.lines if line.strip()), "")):
            return "json_lines"
        if are_columns(file.lines) or (are_pairs(file.lines) and self._are_meant(path, file)):
            return "columns"
        return "text"

    def source(self, path: str) -> Source | None:
        """Return the sentences of a file of texts."""
        column, file = self._column(path, "source"), self.files[path]
        if column is None or file is None:
            return None
        return Source(
            file.shown,
            [
                Sentence(column.line(place), text or "", (text or "").split())
                for place, text in enumerate(column.texts)
            ],
        )

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
        columns = [[_at(row.targets, i) for row in table.rows] for i in range(n_references)]
        return {
            reference: self._checked(path, self._texts(path, table, column))
            for reference, column in zip(names, columns, strict=True)
        }

    def output(self, system: str, path: str) -> Texts | None:
        """Return a system's outputs of the sentences."""
        texts = self._column(path, system)
        if texts is None:
            return None
        detail = f"no output of {system}, which counts as an empty one"
        gaps = [
            LeftOut(texts.line(place), "no_output", detail)
            for place, text in enumerate(texts.texts)
            if text is None
        ]
        if gaps:
            self.left_out.setdefault(path, []).extend(gaps)
        return texts

    def rows(self) -> dict[int, int] | None:
        """Return the sentences by their rows in the source's file, if `ids` selects them."""
        return self._rows.get(self.manifest.source or "")

    def check_ids(self) -> None:
        """Add a finding if `ids` is given but no file is a table."""
        path = self.manifest.ids
        if path is not None and not self._tables and not len(self.findings):
            self._refuse(path, "ids without a table that has ids", "a table with these ids")

    def _column(self, path: str, name: str) -> Texts | None:
        file = self.files[path]
        if file is None:
            return None
        if self.format(path) in TABLES:
            texts = self._table_texts(path, name)
        elif self._is_refused(path, file):
            return None
        else:
            lines: list[str | None] = [self._tokens(line) for line in file.lines]
            texts = Texts(file.shown, lines, range(1, len(lines) + 1))
        return texts if name == "source" else self._checked(path, texts)

    def _table_texts(self, path: str, name: str) -> Texts:
        table = self._table(path)
        if name == "source" or (name == INPUT and path == self.manifest.source):
            return self._texts(path, table, [row.source for row in table.rows])
        if name in table.names:
            return self._texts(path, table, [row.named.get(name) for row in table.rows])
        if any(path in entry.texts for entry in self.manifest.references.values()):
            # The corrections in this file are references, not outputs of a system.
            self._refuse(
                path,
                f"no column {quote(name)}, but {listing(table.names) or 'corrections alone'}",
                f"a column of the output of {name}",
            )
        if table.most_targets > 1:
            self._refuse(path, f"{table.most_targets} texts a sentence", f"one, of {name}")
        if not table.most_targets:
            return self._texts(path, table, [row.source for row in table.rows])
        return self._texts(path, table, [_at(row.targets, 0) for row in table.rows])

    def _texts(self, path: str, table: SentenceTable, column: Sequence[str | None]) -> Texts:
        file = self.files[path]
        return Texts(file.shown if file else path, column, [row.line for row in table.rows])

    def _checked(self, path: str, texts: Texts) -> Texts:
        file = self.files[path]
        if file is None or any(finding.file == file.shown for finding in self.findings):
            # Lines that cannot be read do not count as missing.
            return texts
        if self.checked_source is not None:
            lines = [text or "" for text in texts.texts]
            check_line_count(file, len(lines), self.checked_source, self.findings, lines)
        return texts

    def _table(self, path: str) -> SentenceTable:
        """Return the rows of the corpus: those with ids in `ids`, in their order, or all."""
        if path in self._tables:
            return self._tables[path]
        file = self.files[path]
        table = SentenceTable()
        if file is not None:
            parse = parse_json_lines if self.format(path) == "json_lines" else parse_columns
            table = parse(file.lines, file.shown, self.findings)
        repeated = table.repeated_ids()
        if repeated is not None:
            self.warnings[path] = [repeated]
        if self.manifest.ids is not None:
            table.rows = self._chosen(path, table.rows, self.manifest.ids)
        lines = {row.line for row in table.rows}
        self.left_out[path] = [entry for entry in table.left_out if entry.line in lines]
        table.rows = [row.converted(self._tokens) for row in table.rows]
        self._tables[path] = table
        return table

    def _chosen(self, path: str, rows: list[TableRow], ids_path: str) -> list[TableRow]:
        ids = self.files[ids_path]
        number_of = {row.row_id: number for number, row in enumerate(rows) if row.row_id}
        row_ids = [] if ids is None else [line.strip() for line in ids.lines if line.strip()]
        unknown = [row_id for row_id in row_ids if row_id not in number_of]
        if unknown and ids is not None:
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

    def _are_meant(self, path: str, file: TextFile) -> bool:
        """Return whether the manifest requires the file to have columns.

        This is the case if the file is both source and references, or repeats the source.
        """
        if path == self.manifest.source:
            return any(path in entry.texts for entry in self.manifest.references.values())
        sentences = self.checked_source.sentences if self.checked_source is not None else []
        return len(sentences) == len(file.lines) and all(
            self._tokens(line.split("\t")[0]).split() == sentence.tokens
            for line, sentence in zip(file.lines, sentences, strict=True)
        )

    def _is_refused(self, path: str, file: TextFile) -> bool:
        if self.manifest.formats.get(path) == "text":
            return False
        kind = other_kind(file.lines) or sign_between(file.lines)
        if kind is not None:
            remedy = OTHER_KINDS.get(kind, "Separate them by tabs, or write JSON lines.")
            self.findings.add(file.shown, 0, kind, "one sentence per line", remedy)
        return kind is not None

    def _refuse(self, path: str, found: str, expected: str) -> None:
        file = self.files[path]
        remedy = "Name another file, or correct it; docs/corpora.md shows what a table holds."
        self.findings.add(path if file is None else file.shown, 0, found, expected, remedy)


def _at(texts: Sequence[str | None], position: int) -> str | None:
    return texts[position] if position < len(texts) else None
