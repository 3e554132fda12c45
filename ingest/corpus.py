"""A corpus read and validated whole: every file of its manifest as rows for the raw tables."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from ingest.findings import BadInputError, Findings, quote
from ingest.formats.judgments import parse_judgments
from ingest.formats.m2 import M2File, parse_m2
from ingest.formats.scores import parse_scores
from ingest.manifest import FILE_NAME, Manifest, manifest_paths, read_manifest, reference_name
from ingest.reading import TextFile, read_text

Format = Literal["m2", "text", "scores_tsv", "judgments_csv", "manifest"]
Role = Literal["annotations", "source", "reference", "system", "scores", "judgments", "manifest"]
Row = tuple[Any, ...]
SOURCE_NAME = "source"


@dataclass(frozen=True)
class CorpusFile:
    """A file in one of its roles; `rows` lack the raw table's first columns, corpus and path.

    `name` is the reference, system, metric, judgment set or annotation set; of an annotation set
    with a file an annotator, it is `set/annotator`.
    """

    path: str
    format: Format
    role: Role
    name: str
    sha256: str
    size: int
    lines: int
    rows: list[Row]


@dataclass
class Corpus:
    """What the manifest describes, validated; `annotators` pairs annotation set and annotator."""

    manifest: Manifest
    sentences: int = 0
    annotators: list[tuple[str, str]] = field(default_factory=list)
    files: list[CorpusFile] = field(default_factory=list)


@dataclass(frozen=True)
class _Source:
    shown: str
    lines: Sequence[int]
    texts: Sequence[str]
    tokens: Sequence[list[str]]


def read_corpus(
    corpus_folder: Path,
    data_root: Path | None = None,
    on_file: Callable[[str], None] = lambda _: None,
) -> Corpus:
    """Return the corpus of a folder with a manifest, all of it read and validated.

    Paths are relative to `data_root`, by default the folder itself. `on_file` is told every file
    before it is read. Raises BadInputError with all findings of all files.
    """
    manifest, manifest_file = read_manifest(corpus_folder)
    reader = _Reader(manifest, data_root or corpus_folder, on_file)
    corpus = reader.read()
    if len(reader.findings):
        raise BadInputError(reader.findings)
    corpus.files.append(
        _corpus_file(FILE_NAME, "manifest", "manifest", manifest.corpus, manifest_file, [])
    )
    return corpus


class _Reader:
    """Reads every file once, however many roles it has."""

    def __init__(self, manifest: Manifest, root: Path, on_file: Callable[[str], None]) -> None:
        self.findings = Findings()
        self._manifest = manifest
        self._root = root
        self._on_file = on_file
        self._texts: dict[str, TextFile | None] = {}
        self._m2: dict[str, M2File] = {}
        self._corpus = Corpus(manifest)

    def read(self) -> Corpus:
        for _, path in manifest_paths(self._manifest):
            if path not in self._texts:
                self._on_file(path)
                self._texts[path] = read_text(self._root / path, self.findings)
        source = self._read_source()
        for name, files in self._manifest.annotations.items():
            if isinstance(files, dict):
                self._read_file_per_annotator(name, files, source)
            else:
                self._read_shared_files(name, files, source)
        references = {
            reference_name(path): path
            for reference_set in self._manifest.references.values()
            for path in reference_set.texts
        }
        for name, path in references.items():
            self._read_parallel(name, path, "reference", source)
        for name, path in self._manifest.systems.items():
            self._read_parallel(name, path, "system", source)
        if source is not None and source.texts:
            self._corpus.sentences = len(source.texts)
            self._read_scores()
            self._read_judgments()
        return self._corpus

    def _read_source(self) -> _Source | None:
        path = self._manifest.source
        in_m2 = path is None
        if path is None:
            first = next(iter(self._manifest.annotations.values()))
            path = next(iter(first.values() if isinstance(first, dict) else first))
        file = self._texts[path]
        if file is None:
            return None
        if in_m2:
            sentences = self._parsed(path, file).sentences
            source = _Source(
                file.shown,
                [sentence.line for sentence in sentences],
                [sentence.text for sentence in sentences],
                [sentence.tokens for sentence in sentences],
            )
        else:
            source = _Source(
                file.shown,
                range(1, len(file.lines) + 1),
                file.lines,
                [line.split() for line in file.lines],
            )
        if not source.texts:
            self.findings.add(
                file.shown,
                0,
                "no sentences",
                "at least one sentence",
                "Name another file as source, or as the first one of the annotations.",
            )
        rows: list[Row] = [
            (line, position, text, tokens)
            for position, (line, text, tokens) in enumerate(
                zip(source.lines, source.texts, source.tokens, strict=True)
            )
        ]
        self._add(path, "m2" if in_m2 else "text", "source", SOURCE_NAME, file, rows)
        return source

    def _parsed(self, path: str, file: TextFile) -> M2File:
        if path not in self._m2:
            self._m2[path] = parse_m2(file.lines, file.shown, self.findings)
        return self._m2[path]

    def _read_shared_files(self, name: str, paths: list[str], source: _Source | None) -> None:
        file_of: dict[str, str] = {}
        for path in paths:
            file = self._texts[path]
            if file is None:
                continue
            parsed = self._parsed(path, file)
            _check_sentences(parsed, file.shown, source, self.findings)
            for annotator in parsed.annotators:
                other = file_of.setdefault(annotator, file.shown)
                if other != file.shown or paths.count(path) > 1:
                    self.findings.add(
                        file.shown,
                        next(e.line for e in parsed.edits if e.annotator == annotator),
                        f"annotator {annotator}, who is also in {other}",
                        f"each annotator of {name} in one file",
                        "Name the annotators in the manifest: {A1: FILE, A2: FILE}.",
                    )
            self._add(path, "m2", "annotations", name, file, _edit_rows(parsed, name))
        self._corpus.annotators += [(name, annotator) for annotator in sorted(file_of)]

    def _read_file_per_annotator(
        self, name: str, paths: dict[str, str], source: _Source | None
    ) -> None:
        for annotator, path in paths.items():
            self._corpus.annotators.append((name, annotator))
            file = self._texts[path]
            if file is None:
                continue
            parsed = self._parsed(path, file)
            _check_sentences(parsed, file.shown, source, self.findings)
            others = [e for e in parsed.edits if e.annotator != parsed.edits[0].annotator]
            if others:
                self.findings.add(
                    file.shown,
                    others[0].line,
                    f"annotator {others[0].annotator} beside {parsed.edits[0].annotator}",
                    f"one annotator, whom the manifest calls {annotator}",
                    f"Give {name} as a list of files; annotators are then named as in the files.",
                )
            rows = _edit_rows(parsed, name, annotator)
            self._add(path, "m2", "annotations", f"{name}/{annotator}", file, rows)

    def _read_parallel(
        self, name: str, path: str, role: Literal["reference", "system"], source: _Source | None
    ) -> None:
        file = self._texts[path]
        if file is None:
            return
        if source is not None and len(file.lines) != len(source.texts):
            self.findings.add(
                file.shown,
                0,
                f"{len(file.lines)} lines",
                f"{len(source.texts)} lines, one for each sentence of {source.shown}",
                "Give every sentence its line; an empty output is an empty line.",
            )
        rows: list[Row] = [
            (number, name, number - 1, text) for number, text in enumerate(file.lines, start=1)
        ]
        self._add(path, "text", role, name, file, rows)

    def _read_scores(self) -> None:
        systems = self._manifest.systems
        for name, entry in self._manifest.scores.items():
            file = self._texts[entry.file]
            if file is None:
                continue
            scores = parse_scores(
                file.lines, systems, self._corpus.sentences, file.shown, self.findings
            )
            rows: list[Row] = [
                (score.line, name, entry.higher_is_better, entry.references, *score[1:])
                for score in scores
            ]
            self._add(entry.file, "scores_tsv", "scores", name, file, rows)

    def _read_judgments(self) -> None:
        systems = self._manifest.systems
        for name, path in self._manifest.judgments.items():
            file = self._texts[path]
            if file is None:
                continue
            judgments = parse_judgments(
                file.lines, systems, self._corpus.sentences, file.shown, self.findings
            )
            rows: list[Row] = [(judgment.line, name, *judgment[1:]) for judgment in judgments]
            self._add(path, "judgments_csv", "judgments", name, file, rows)

    def _add(
        self, path: str, form: Format, role: Role, name: str, file: TextFile, rows: list[Row]
    ) -> None:
        self._corpus.files.append(_corpus_file(path, form, role, name, file, rows))


def _corpus_file(
    path: str, form: Format, role: Role, name: str, file: TextFile, rows: list[Row]
) -> CorpusFile:
    return CorpusFile(path, form, role, name, file.sha256, file.size, len(file.lines), rows)


def _edit_rows(parsed: M2File, annotation_set: str, annotator: str | None = None) -> list[Row]:
    return [
        (edit.line, annotation_set, edit.sentence_id, annotator or edit.annotator, *edit[3:])
        for edit in parsed.edits
    ]


def _check_sentences(
    parsed: M2File, shown: str, source: _Source | None, findings: Findings
) -> None:
    if source is None or shown == source.shown:
        return
    if len(parsed.sentences) != len(source.texts):
        findings.add(
            shown,
            0,
            f"{len(parsed.sentences)} sentences",
            f"{len(source.texts)} sentences, as in {source.shown}",
            "Use the M2 file of the same sentences, in the same order.",
        )
    for number, (mine, theirs) in enumerate(zip(parsed.sentences, source.tokens, strict=False)):
        if mine.tokens == theirs:
            continue
        pairs = zip(mine.tokens, theirs, strict=False)
        common = min(len(mine.tokens), len(theirs))
        position = next((i for i, (a, b) in enumerate(pairs) if a != b), common)
        findings.add(
            shown,
            mine.line,
            f"sentence {number} differs from the source: token {position} is "
            f"{_token(mine.tokens, position)}",
            f"{_token(theirs, position)}, as in {source.shown}:{source.lines[number]}",
            "Use the M2 file of the same sentences, in the same order and tokenisation.",
        )
        return


def _token(tokens: list[str], position: int) -> str:
    return quote(tokens[position]) if position < len(tokens) else "missing"
