"""Convert the files of one corpus to rows for the raw tables, validated against each other."""

from typing import Literal

from maege.ingest.corpora.annotations import (
    AnnotationReader,
    answer_rows,
    judgment_rows,
    read_answers,
    sentences_of,
)
from maege.ingest.corpora.corpus_files import Corpus, Format, Role, Row, corpus_file, edit_rows
from maege.ingest.corpora.texts import (
    Source,
    TextReader,
    Texts,
    check_edits_give_output,
    check_line_count,
    check_one_annotator,
    check_sentences,
    source_of,
)
from maege.ingest.findings import Findings
from maege.ingest.formats.annotation_file import BadEdits, repeated_edits
from maege.ingest.formats.crowd import Answer, parse_estimate
from maege.ingest.formats.scores import parse_scores
from maege.ingest.manifests.manifest_schema import Manifest
from maege.ingest.reading import TextFile
from maege.ingest.text_checks import MANIFEST, add_suspicions, check_texts
from maege.ingest.text_checks import Texts as CheckedTexts

SOURCE_NAME = "source"


class CorpusReader:
    """Converts the files of a corpus to rows.

    Each file is parsed once, even if it has several roles.
    """

    def __init__(
        self,
        manifest: Manifest,
        texts: dict[str, TextFile | None],
        findings: Findings,
        bad_edits: BadEdits,
        *,
        force: bool = False,
    ) -> None:
        self.findings = findings
        self._force = force
        self._checked: list[CheckedTexts] = []
        self._manifest = manifest
        self._texts = texts
        self.texts = TextReader(manifest, texts, findings)
        self._annotations = AnnotationReader(manifest, texts, findings, bad_edits)
        self._crowd: list[Answer] | None = None
        self._corpus = Corpus(manifest)

    def read(self) -> Corpus:
        """Return the corpus; faults of its files are in the findings."""
        source = self._read_source()
        for name, files in self._manifest.annotation_files.items():
            if isinstance(files, dict):
                self._read_file_per_annotator(name, files, source)
            else:
                self._read_shared_files(name, files, source)
        self._read_references()
        for name, references_name in self._manifest.extracted.items():
            references = self._corpus.references[references_name]
            self._corpus.annotators += [(name, reference) for reference in references]
        for name, path in self._manifest.systems.items():
            self._add_texts(name, path, "system", self.texts.output(name, path))
        for name, k_best in self._manifest.k_best.items():
            for rank, path in enumerate(k_best, start=1):
                self._add_texts(name, path, "k_best", self.texts.output(name, path), rank)
        for name, system_files in self._manifest.system_edits.items():
            for system, path in system_files.items():
                self._read_system_edits(name, system, path, source)
        self._read_estimates()
        if source is not None and source.texts:
            self._corpus.sentences = len(source.texts)
            self._read_labels(source)
            self._read_scores()
            self._read_corrections(source)
            self._read_validity(source)
        self.texts.check_ids()
        for path, left_out in self.texts.left_out.items():
            self._corpus.left_out += [(path, *entry) for entry in left_out]
        for path, warnings in self.texts.warnings.items():
            self._corpus.warnings += [(path, *entry) for entry in warnings]
        if source is not None and not len(self.findings):
            self._check_texts(source)
        return self._corpus

    def _check_texts(self, source: Source) -> None:
        manifest = self._manifest
        language = manifest.language if "language" in manifest.model_fields_set else None
        sources = CheckedTexts(source.shown, source.texts, source.lines)
        suspicions = check_texts(sources, self._checked, language, allowed=manifest.accept)
        if suspicions and not self._force:
            add_suspicions(suspicions, MANIFEST, self.findings)
            return
        if manifest.accept:
            found = check_texts(sources, self._checked, language)
            suspicions += [suspicion for suspicion in found if suspicion.check in manifest.accept]
        path_of = {file.shown: path for path, file in self._texts.items() if file is not None}
        for suspicion in dict.fromkeys(suspicions):
            self._corpus.warnings.append(
                (path_of[suspicion.shown], suspicion.line, suspicion.check, suspicion.found)
            )

    def _read_source(self) -> Source | None:
        path = self._manifest.source
        form: Format
        crowd = self._manifest.corrections
        if path is None and not self._manifest.annotation_files and crowd is not None:
            path, form = crowd.file, "corrections_tsv"
        elif path is None:
            first = next(iter(self._manifest.annotation_files.values()))
            path = next(iter(first.values() if isinstance(first, dict) else first))
            form = self._annotations.format(path)
        else:
            form = self.texts.format(path)
        file = self._texts[path]
        if file is None:
            return None
        if form == "corrections_tsv":
            source = sentences_of(self._answers(), file.shown)
        elif self._manifest.source is not None:
            read = self.texts.source(path)
            if read is None:
                return None
            source = read
        else:
            parsed = self._annotations.parsed(path)
            if parsed is None:
                return None
            source = source_of(parsed, file.shown)
        # The findings explain why there are no sentences. Other files would get misleading
        # findings.
        if not source.texts and len(self.findings):
            self.texts.follow(None)
            return None
        self.texts.follow(source)
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
        self._add(path, form, "source", SOURCE_NAME, file, rows)
        return source

    def _add_annotations(
        self, name: str, set_name: str, path: str, annotator: str | None = None
    ) -> None:
        """Add the edits of a file, and its unused content."""
        file, parsed = self._texts[path], self._annotations.parsed(path)
        if file is not None and parsed is not None:
            rows = edit_rows(parsed, set_name, annotator)
            self._add(path, self._annotations.format(path), "annotations", name, file, rows)
            self._corpus.left_out += [(path, *entry) for entry in parsed.left_out]
            repeated = repeated_edits(parsed.edits)
            if repeated is not None:
                self._corpus.warnings.append((path, *repeated))

    def _read_shared_files(self, name: str, paths: list[str], source: Source | None) -> None:
        file_of: dict[str, str] = {}
        for path in paths:
            file, parsed = self._texts[path], self._annotations.parsed(path)
            if file is None or parsed is None:
                continue
            if source is not None:
                check_sentences(parsed, file.shown, source, self.findings)
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
            self._add_annotations(name, name, path)
        self._corpus.annotators += [(name, annotator) for annotator in sorted(file_of)]

    def _read_file_per_annotator(
        self, name: str, paths: dict[str, str], source: Source | None
    ) -> None:
        for annotator, path in paths.items():
            self._corpus.annotators.append((name, annotator))
            file, parsed = self._texts[path], self._annotations.parsed(path)
            if file is None or parsed is None:
                continue
            if source is not None:
                check_sentences(parsed, file.shown, source, self.findings)
            check_one_annotator(
                parsed,
                file.shown,
                f"one annotator, named {annotator} in the manifest",
                f"Give {name} as a list of files; annotators are then named as in the files.",
                self.findings,
            )
            self._add_annotations(f"{name}/{annotator}", name, path, annotator)

    def _read_references(self) -> None:
        read: dict[str, dict[str, Texts]] = {}
        for name, entry in self._manifest.references.items():
            for path in entry.texts:
                if path not in read:
                    read[path] = self.texts.references(path)
                    for reference, texts in read[path].items():
                        self._add_texts(reference, path, "reference", texts)
            self._corpus.references[name] = [text for path in entry.texts for text in read[path]]

    def _add_texts(
        self,
        name: str,
        path: str,
        role: Literal["reference", "system", "k_best"],
        texts: Texts | None,
        *rank: int,
    ) -> None:
        file = self._texts[path]
        if file is None or texts is None:
            return
        # A missing reference is allowed, but every system needs an output.
        rows: list[Row] = [
            (line, name, *rank, position, text or "")
            for position, (line, text) in enumerate(zip(texts.lines, texts.texts, strict=True))
            if text is not None or role != "reference"
        ]
        form = self.texts.format(path)
        self._add(path, form, role, "/".join(map(str, (name, *rank))), file, rows)
        # The manifest may define the meaning of blank reference lines.
        explained = role == "reference" and self._explains_blank_references(path)
        checked = [text or None for text in texts.texts] if explained else texts.texts
        self._checked.append(CheckedTexts(file.shown, checked, texts.lines))

    def _explains_blank_references(self, path: str) -> bool:
        sets = self._manifest.references.values()
        return any(
            path in reference_set.texts and reference_set.empty_references is not None
            for reference_set in sets
        )

    def _read_system_edits(self, name: str, system: str, path: str, source: Source | None) -> None:
        before = len(self.findings)
        file, parsed = self._texts[path], self._annotations.parsed(path)
        output = self._manifest.systems[system]
        texts = self.texts.output(system, output)
        if file is None or parsed is None:
            return
        check_one_annotator(
            parsed,
            file.shown,
            f"one annotator, for the edits of {system}",
            "Remove the lines of the others: an output has one list of edits.",
            self.findings,
        )
        if source is not None:
            check_sentences(parsed, file.shown, source, self.findings)
        # The remaining checks would report the same faults again.
        if texts is not None and len(self.findings) == before:
            check_edits_give_output(parsed, file.shown, output, texts.texts, self.findings)
        rows: list[Row] = [
            (e.line, name, system, e.sentence_id, *e.columns, e.kind)
            for e in parsed.edits
            if e.kind != "none"
        ]
        self._add(path, "m2", "system_edits", f"{name}/{system}", file, rows)

    def _read_labels(self, source: Source) -> None:
        for kind, path in self._manifest.labels.items():
            file = self._texts[path]
            if file is None:
                continue
            check_line_count(file, len(file.lines), source, self.findings)
            rows: list[Row] = [
                (line, kind, line - 1, label)
                for line, label in enumerate(map(str.strip, file.lines), start=1)
                if label
            ]
            self._add(path, "text", "labels", kind, file, rows)

    def _read_scores(self) -> None:
        systems = self._manifest.systems
        for name, entry in self._manifest.scores.items():
            file = self._texts[entry.file]
            if file is None:
                continue
            scores = parse_scores(
                file.lines,
                systems,
                self._corpus.sentences,
                file.shown,
                self.findings,
                entry.columns,
            )
            rows: list[Row] = [
                (score.line, name, entry.higher_is_better, entry.references, *score[1:])
                for score in scores
            ]
            self._add(entry.file, "scores_tsv", "scores", name, file, rows)

    def _answers(self) -> list[Answer]:
        """Return the crowd's answers, parsed only once."""
        crowd = self._manifest.corrections
        file = None if crowd is None else self._texts[crowd.file]
        if self._crowd is None:
            self._crowd = (
                [] if crowd is None or file is None else read_answers(crowd, file, self.findings)
            )
        return self._crowd

    def _read_corrections(self, source: Source) -> None:
        crowd = self._manifest.corrections
        file = None if crowd is None else self._texts[crowd.file]
        if crowd is None or file is None:
            return
        rows = answer_rows(self._answers(), crowd, file.shown, source, self.findings)
        self._add(crowd.file, "corrections_tsv", "corrections", "corrections", file, rows)

    def _read_validity(self, source: Source) -> None:
        entry, crowd = self._manifest.validity, self._manifest.corrections
        file = None if entry is None else self._texts[entry.file]
        if entry is None or crowd is None or file is None:
            return
        rows = judgment_rows(entry, crowd.compare, file, source, self.findings)
        self._add(entry.file, "validity_tsv", "validity", "validity", file, rows)

    def _read_estimates(self) -> None:
        for measure, files in self._manifest.estimates.items():
            for name, path in files.items():
                file = self._texts[path]
                if file is None:
                    continue
                points = parse_estimate(file.lines, file.shown, self.findings)
                rows: list[Row] = [(line, measure, name, *point) for line, *point in points]
                self._add(path, "unseen_estimate", "estimates", f"{measure}/{name}", file, rows)

    def _add(
        self, path: str, form: Format, role: Role, name: str, file: TextFile, rows: list[Row]
    ) -> None:
        self._corpus.files.append(corpus_file(path, form, role, name, file, rows))
