"""Read and validate a corpus completely: the rows of all of its files for the raw tables."""

from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import cached_property
from pathlib import Path

from maege.ingest.corpus_files import Corpus, Row, corpus_file, read_judgment_sets
from maege.ingest.findings import BadInputError, Findings
from maege.ingest.formats.annotation_file import AnnotationFile, BadEdits, Sentence, repeated_edits
from maege.ingest.formats.crowd import (
    Answer,
    correction_rows,
    parse_corrections,
    parse_estimate,
    positions_of,
    validity_rows,
)
from maege.ingest.formats.fcgec import is_fcgec, parse_fcgec
from maege.ingest.formats.imeasure_xml import parse_imeasure_xml
from maege.ingest.formats.m2 import parse_m2
from maege.ingest.formats.rankings import NO_RANKINGS
from maege.ingest.formats.scores import parse_scores
from maege.ingest.languages import in_form
from maege.ingest.manifest import FILE_NAME, read_files, read_manifest
from maege.ingest.manifest_schema import FileFormat, JudgmentsManifest, Manifest, is_xml
from maege.ingest.raw_tables import JudgedCorpus, find_judged_corpus
from maege.ingest.reading import TextFile
from maege.ingest.text_checks import MANIFEST, Texts, add_suspicions, check_texts
from maege.ingest.texts import (
    Source,
    TextReader,
    check_edits_give_output,
    check_line_count,
    check_one_annotator,
    check_sentences,
)
from maege.ingest.warehouse import Warehouse

SOURCE_NAME = "source"


class CorpusReader:
    """Converts the files of a corpus to rows.

    Each file is parsed once, even if it has several roles.
    """

    def __init__(
        self,
        manifest: Manifest,
        files: dict[str, TextFile | None],
        findings: Findings,
        bad_edits: BadEdits,
        *,
        force: bool = False,
    ) -> None:
        self.findings = findings
        self.texts = TextReader(manifest, files, findings)
        self._force = force
        self._bad_edits = bad_edits
        self._checked: list[Texts] = []
        self._manifest = manifest
        self._files = files
        self._annotations: dict[str, AnnotationFile | None] = {}
        self._corpus = Corpus(manifest)

    def read(self) -> Corpus:
        """Return the corpus; faults of its files are in the findings."""
        manifest, corpus = self._manifest, self._corpus
        source = self._read_source()
        for name, files in manifest.annotation_files.items():
            self._read_annotations(name, files, source)
        self._read_references()
        for name, references_name in manifest.extracted.items():
            references = corpus.references[references_name]
            corpus.annotators += [(name, reference) for reference in references]
        for name, path in manifest.systems.items():
            self._add_texts(name, path, "system", self.texts.output(name, path))
        for name, k_best in manifest.k_best.items():
            for rank, path in enumerate(k_best, start=1):
                self._add_texts(name, path, "k_best", self.texts.output(name, path), rank)
        for name, system_files in manifest.system_edits.items():
            for system, path in system_files.items():
                self._read_system_edits(name, system, path, source)
        for measure, estimates in manifest.estimates.items():
            for name, path in estimates.items():
                if (file := self._files[path]) is not None:
                    points = parse_estimate(file.lines, file.shown, self.findings)
                    rows = ((line, measure, name, *point) for line, *point in points)
                    self._add(path, "unseen_estimate", "estimates", f"{measure}/{name}", rows)
        if source is not None and source.sentences:
            corpus.sentences = len(source.sentences)
            self._read_labels(source)
            self._read_scores()
            self._read_crowd(source)
        self.texts.check_ids()
        for content, entries in (
            (corpus.left_out, self.texts.left_out),
            (corpus.warnings, self.texts.warnings),
        ):
            content += [(path, *entry) for path in entries for entry in entries[path]]
        if source is not None and not len(self.findings):
            self._check_texts(source)
        return corpus

    def _check_texts(self, source: Source) -> None:
        manifest = self._manifest
        language = manifest.language if "language" in manifest.model_fields_set else None
        lines = [sentence.line for sentence in source.sentences]
        sources = Texts(source.shown, source.texts, lines)
        suspicions = check_texts(sources, self._checked, language, allowed=manifest.accept)
        if suspicions and not self._force:
            add_suspicions(suspicions, MANIFEST, self.findings)
            return
        if manifest.accept:
            all_suspicions = check_texts(sources, self._checked, language)
            suspicions += [
                suspicion for suspicion in all_suspicions if suspicion.check in manifest.accept
            ]
        path_of = {file.shown: path for path, file in self._files.items() if file is not None}
        for suspicion in dict.fromkeys(suspicions):
            self._corpus.warnings.append(
                (path_of[suspicion.shown], suspicion.line, suspicion.check, suspicion.found)
            )

    def _annotation_format(self, path: str) -> FileFormat:
        """Return the format of a file: as the manifest says, else as detected from its content."""
        file = self._files[path]
        declared = self._manifest.formats.get(path)
        if declared is not None or file is None:
            return declared or "m2"
        first = next((line for line in file.lines if line.strip()), "")
        if is_xml(path) or first.lstrip("\ufeff \t").startswith("<"):
            return "imeasure_xml"
        return "fcgec" if is_fcgec(file.lines) else "m2"

    def _annotation_file(self, path: str) -> AnnotationFile | None:
        file = self._files[path]
        if file is None:
            return None
        if path not in self._annotations:
            edit_sets = self._manifest.system_edits.values()
            is_output = any(path in files.values() for files in edit_sets)
            bad_edits: BadEdits = "refuse" if is_output else self._bad_edits
            match self._annotation_format(path):
                case "imeasure_xml":
                    parsed = parse_imeasure_xml(file.lines, file.shown, self.findings, bad_edits)
                case "fcgec":
                    parsed = parse_fcgec(file.lines, file.shown, self.findings)
                case _:
                    parsed = parse_m2(file.lines, file.shown, self.findings, bad_edits)
            self._annotations[path] = parsed
        return self._annotations[path]

    def _read_source(self) -> Source | None:
        manifest, crowd = self._manifest, self._manifest.corrections
        source: Source | None = None
        if manifest.source is not None:
            path, form = manifest.source, str(self.texts.format(manifest.source))
            source = self.texts.source(path)
        elif manifest.annotation_files or crowd is None:
            first = next(iter(manifest.annotation_files.values()))
            path = next(iter(first.values() if isinstance(first, dict) else first))
            form = str(self._annotation_format(path))
            parsed = self._annotation_file(path)
            source = None if parsed is None else Source(self._display_name(path), parsed.sentences)
        else:
            path, form = crowd.file, "corrections_tsv"
            first_of = {a.key: a for a in reversed(self._answers) if a.left_out is None}
            distinct = sorted(first_of.values(), key=lambda answer: answer.line)
            source = Source(
                self._display_name(path),
                [Sentence(a.line, a.sentence, a.sentence.split()) for a in distinct],
            )
        # The findings explain why there are no sentences. Other files would get misleading
        # findings.
        if self._files[path] is None or source is None:
            return None
        if not source.sentences and len(self.findings):
            return None
        self.texts.checked_source = source
        if not source.sentences:
            self.findings.add(
                source.shown,
                0,
                "no sentences",
                "at least one sentence",
                "Name another file as source, or as the first one of the annotations.",
            )
        rows = (
            (line, position, text, tokens)
            for position, (line, text, tokens) in enumerate(source.sentences)
        )
        self._add(path, form, "source", SOURCE_NAME, rows)
        return source

    def _read_annotations(
        self, name: str, files: list[str] | dict[str, str], source: Source | None
    ) -> None:
        """Add the edits of a set: files that name their annotators, or a file per annotator."""
        corpus = self._corpus
        named = files.items() if isinstance(files, dict) else ((None, path) for path in files)
        file_of: dict[str, str] = {}
        if isinstance(files, dict):
            corpus.annotators += [(name, annotator) for annotator in files]
        for annotator, path in named:
            parsed, shown = self._annotation_file(path), self._display_name(path)
            if parsed is None:
                continue
            if source is not None:
                check_sentences(parsed, shown, source, self.findings)
            if annotator is not None:
                check_one_annotator(
                    parsed,
                    shown,
                    f"one annotator, named {annotator} in the manifest",
                    f"Give {name} as a list of files; annotators are then named as in the files.",
                    self.findings,
                )
            else:
                self._check_in_one_file(parsed, name, shown, file_of, [*files].count(path) > 1)
            rows = (
                (
                    *(e.line, name, e.sentence_id, annotator or e.annotator, *e.columns),
                    *(e.edit.error_group or None, e.out_of_range, e.kind),
                )
                for e in parsed.edits
            )
            key = name if annotator is None else f"{name}/{annotator}"
            self._add(path, self._annotation_format(path), "annotations", key, rows)
            corpus.left_out += [(path, *entry) for entry in parsed.left_out]
            repeated = repeated_edits(parsed.edits)
            if repeated is not None:
                corpus.warnings.append((path, *repeated))
        corpus.annotators += [(name, annotator) for annotator in sorted(file_of)]

    def _check_in_one_file(
        self,
        parsed: AnnotationFile,
        name: str,
        shown: str,
        file_of: dict[str, str],
        is_repeated: bool,
    ) -> None:
        """Add a finding for each annotator who is also in another file of the set."""
        for annotator in parsed.annotators:
            first_file = file_of.setdefault(annotator, shown)
            if first_file != shown or is_repeated:
                self.findings.add(
                    shown,
                    next(e.line for e in parsed.edits if e.annotator == annotator),
                    f"annotator {annotator}, who is also in {first_file}",
                    f"each annotator of {name} in one file",
                    "Name the annotators in the manifest: {A1: FILE, A2: FILE}.",
                )

    def _read_references(self) -> None:
        texts_by_path: dict[str, dict[str, Texts]] = {}
        for name, entry in self._manifest.references.items():
            for path in entry.texts:
                if path not in texts_by_path:
                    texts_by_path[path] = self.texts.references(path)
                    for reference, texts in texts_by_path[path].items():
                        self._add_texts(reference, path, "reference", texts)
            self._corpus.references[name] = [
                text for path in entry.texts for text in texts_by_path[path]
            ]

    def _add_texts(
        self,
        name: str,
        path: str,
        role: str,
        texts: Texts | None,
        *rank: int,
    ) -> None:
        if texts is None:
            return
        # A missing reference is allowed, but every system needs an output.
        rows = (
            (texts.line(position), name, *rank, position, text or "")
            for position, text in enumerate(texts.texts)
            if text is not None or role != "reference"
        )
        form = self.texts.format(path)
        self._add(path, form, role, "/".join(map(str, (name, *rank))), rows)
        # The manifest may define the meaning of blank reference lines.
        is_explained = role == "reference" and any(
            path in reference_set.texts and reference_set.empty_references is not None
            for reference_set in self._manifest.references.values()
        )
        if is_explained:
            texts = texts._replace(texts=[text or None for text in texts.texts])
        self._checked.append(texts)

    def _read_system_edits(self, name: str, system: str, path: str, source: Source | None) -> None:
        before = len(self.findings)
        parsed, shown = self._annotation_file(path), self._display_name(path)
        output = self._manifest.systems[system]
        texts = self.texts.output(system, output)
        if parsed is None:
            return
        check_one_annotator(
            parsed,
            shown,
            f"one annotator, for the edits of {system}",
            "Remove the lines of the others: an output has one list of edits.",
            self.findings,
        )
        if source is not None:
            check_sentences(parsed, shown, source, self.findings)
        # The remaining checks would report the same faults again.
        if texts is not None and len(self.findings) == before:
            check_edits_give_output(parsed, shown, output, texts.texts, self.findings)
        rows = (
            (e.line, name, system, e.sentence_id, *e.columns, e.kind)
            for e in parsed.edits
            if e.kind != "none"
        )
        self._add(path, self._annotation_format(path), "system_edits", f"{name}/{system}", rows)

    def _read_labels(self, source: Source) -> None:
        for kind, path in self._manifest.labels.items():
            if (file := self._files[path]) is not None:
                check_line_count(file, len(file.lines), source, self.findings)
                labels = enumerate(map(str.strip, file.lines), start=1)
                rows = ((line, kind, line - 1, label) for line, label in labels if label)
                self._add(path, "text", "labels", kind, rows)

    def _read_scores(self) -> None:
        systems, sentences = self._manifest.systems, self._corpus.sentences
        for name, entry in self._manifest.scores.items():
            if (file := self._files[entry.file]) is not None:
                scores = parse_scores(
                    file.lines, systems, sentences, file.shown, self.findings, entry.columns
                )
                about = (name, entry.higher_is_better, entry.references)
                rows = ((line, *about, *score) for line, *score in scores)
                self._add(entry.file, "scores_tsv", "scores", name, rows)

    @cached_property
    def _answers(self) -> list[Answer]:
        crowd = self._manifest.corrections
        file = None if crowd is None else self._files[crowd.file]
        if crowd is None or file is None:
            return []
        return parse_corrections(file.lines, crowd, file.shown, self.findings)

    def _read_crowd(self, source: Source) -> None:
        crowd, validity = self._manifest.corrections, self._manifest.validity
        if crowd is None:
            return
        positions = positions_of(source.texts, crowd.compare)
        if self._files[crowd.file] is not None:
            add = self.findings.about(self._display_name(crowd.file))
            rows = correction_rows(self._answers, positions, source.shown, add)
            self._add(crowd.file, "corrections_tsv", "corrections", "corrections", rows)
        file = None if validity is None else self._files[validity.file]
        if validity is not None and file is not None:
            about = (crowd.compare, positions, source.shown, file.shown)
            rows = validity_rows(file.lines, validity, *about, self.findings)
            self._add(validity.file, "validity_tsv", "validity", "validity", rows)

    def _display_name(self, path: str) -> str:
        file = self._files[path]
        return path if file is None else file.shown

    def _add(self, path: str, form: str, role: str, name: str, rows: Iterable[Row]) -> None:
        if (file := self._files[path]) is not None:
            self._corpus.files.append(corpus_file(path, form, role, name, file, [*rows]))


OTHER_DOCUMENT = "other_document"


def read_corpus(
    warehouse: Warehouse,
    corpus_folder: Path,
    data_root: Path | None = None,
    on_file: Callable[[str], None] = lambda _: None,
    bad_edits: BadEdits = "refuse",
    *,
    force: bool = False,
) -> Corpus:
    """Return the corpus of a folder with a manifest, completely read and validated.

    Paths are relative to `data_root`, by default the folder itself. `on_file` is called with every
    file before it is read. `bad_edits` decides what happens to annotators' edits whose span is
    outside their sentence. With `force` suspicious texts are warnings; without it they are
    findings, unless the manifest accepts them. The warehouse is only read, and only if the manifest
    contains nothing but rankings of an existing corpus. Raises BadInputError with all findings of
    all files, and WarehouseError if the database cannot be read.
    """
    manifest, manifest_file = read_manifest(corpus_folder)
    findings = Findings()
    judged: JudgedCorpus | None = None
    if isinstance(manifest, JudgmentsManifest):
        raise TypeError(f"{manifest.name} has human judgments, and no corpus")
    if not isinstance(manifest, Manifest):
        judged = find_judged_corpus(warehouse, manifest.corpus, manifest_file, findings)
        if judged is None:
            raise BadInputError(findings)
    texts = read_files(manifest, manifest_file, corpus_folder, data_root, on_file, findings)
    corpus = Corpus(manifest)
    path = FILE_NAME if isinstance(manifest, Manifest) else f"{manifest.name}/{FILE_NAME}"
    if isinstance(manifest, Manifest):
        for text_path, file in texts.items():
            if file is not None:
                lines = [in_form(line, manifest.unicode) for line in file.lines]
                texts[text_path] = replace(file, lines=lines)
        reader = CorpusReader(manifest, texts, findings, bad_edits, force=force)
        corpus = reader.read()
        # Without sentences, every ranking would cause a finding about a missing sentence.
        if corpus.sentences:
            judged = JudgedCorpus(manifest.systems.keys(), corpus.sentences, reader.texts.rows())
    if judged is not None:
        corpus.sentences = judged.sentences
        _read_judgments(corpus, judged, texts, findings)
    if len(findings):
        raise BadInputError(findings)
    about = _description(corpus)
    corpus.files.append(
        corpus_file(path, "manifest", "manifest", manifest.name, manifest_file, about)
    )
    return corpus


def _description(corpus: Corpus) -> list[Row]:
    rankings = [
        (ranked.name, ranked.systems, ranked.rankings.items, ranked.rankings.conflicts)
        for ranked in corpus.judgment_sets
    ]
    manifest = corpus.manifest
    about = (manifest.model_dump_json(), corpus.references)
    return [about, *corpus.annotators, *corpus.left_out, *corpus.warnings, *rankings]


def _read_judgments(
    corpus: Corpus,
    judged: JudgedCorpus,
    texts: dict[str, TextFile | None],
    findings: Findings,
) -> None:
    for ranked, file in read_judgment_sets(corpus.manifest.judgments, texts, judged, findings):
        form = f"judgments_{ranked.format}"
        rows: list[Row] = [(j.line, ranked.name, *j[1:]) for j in ranked.rankings.judgments]
        corpus.judgment_sets.append(ranked)
        corpus.files.append(
            corpus_file(ranked.entry.file, form, "judgments", ranked.name, file, rows)
        )
        if not ranked.rankings.items:
            detail = f"the judgment set {ranked.name} has no ranking"
            corpus.warnings.append((ranked.entry.file, 0, NO_RANKINGS, detail))
        for document, items in sorted(ranked.rankings.other_documents.items()):
            detail = f"{items} items of the document {document or 'without a name'}"
            corpus.left_out.append((ranked.entry.file, 0, OTHER_DOCUMENT, detail))
