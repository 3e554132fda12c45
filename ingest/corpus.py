"""Read and validate a corpus completely: the rows of all of its files for the raw tables."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path

from maege.ingest.corpus_files import Corpus, CorpusFile, Row, read_judgment_sets, rows_hash
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


@dataclass
class CorpusReader:
    """Converts the files of a corpus to rows; a file with several roles is parsed once."""

    manifest: Manifest
    files: dict[str, TextFile]
    findings: Findings
    bad_edits: BadEdits
    force: bool
    checked: list[Texts] = field(default_factory=list)
    annotations: dict[str, AnnotationFile | None] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.texts = TextReader(self.manifest, self.files, self.findings)
        self.corpus = Corpus(self.manifest)

    def read(self) -> Corpus:
        manifest, corpus = self.manifest, self.corpus
        self.texts.checked_source = source = self._read_source()
        corpus.sentences = len(source.sentences)
        for name, files in manifest.annotation_files.items():
            self._read_annotations(name, files)
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
                self._read_system_edits(name, system, path)
        for measure, estimates in manifest.estimates.items():
            for name, path in estimates.items():
                file = self.files[path]
                points = parse_estimate(file.lines, self.findings.about(file.shown))
                rows = ((line, measure, name, *point) for line, *point in points)
                self._add(path, "unseen_estimate", "estimates", f"{measure}/{name}", rows)
        for kind, path in manifest.labels.items():
            file = self.files[path]
            check_line_count(file.lines, source, self.findings.about(file.shown))
            labels = enumerate(map(str.strip, file.lines), start=1)
            rows = ((line, kind, line - 1, label) for line, label in labels if label)
            self._add(path, "text", "labels", kind, rows)
        self._read_scores()
        self._read_crowd(source)
        self.texts.check_ids()
        for content, entries in (
            (corpus.left_out, self.texts.left_out),
            (corpus.warnings, self.texts.warnings),
        ):
            content += [(path, *entry) for path in entries for entry in entries[path]]
        if not len(self.findings):
            self._check_texts(source)
        return corpus

    def _check_texts(self, source: Source) -> None:
        manifest = self.manifest
        language = manifest.language if "language" in manifest.model_fields_set else None
        lines = [sentence.line for sentence in source.sentences]
        sources = Texts(source.shown, source.texts, lines)
        suspicions = check_texts(sources, self.checked, language, allowed=manifest.accept)
        if suspicions and not self.force:
            add_suspicions(suspicions, MANIFEST, self.findings)
            return
        if manifest.accept:
            all_suspicions = check_texts(sources, self.checked, language)
            suspicions += [
                suspicion for suspicion in all_suspicions if suspicion.check in manifest.accept
            ]
        path_of = {file.shown: path for path, file in self.files.items()}
        for suspicion in dict.fromkeys(suspicions):
            self.corpus.warnings.append(
                (path_of[suspicion.shown], suspicion.line, suspicion.check, suspicion.found)
            )

    def _annotation_format(self, path: str) -> FileFormat:
        lines = self.files[path].lines
        if path in self.manifest.formats:
            return self.manifest.formats[path]
        first = next((line for line in lines if line.strip()), "")
        if is_xml(path) or first.lstrip("\ufeff \t").startswith("<"):
            return "imeasure_xml"
        return "fcgec" if is_fcgec(lines) else "m2"

    def _annotation_file(self, path: str) -> AnnotationFile | None:
        if path not in self.annotations:
            lines, add = self.files[path].lines, self.findings.about(self.files[path].shown)
            edit_sets = self.manifest.system_edits.values()
            is_output = any(path in files.values() for files in edit_sets)
            bad_edits: BadEdits = "refuse" if is_output else self.bad_edits
            match self._annotation_format(path):
                case "imeasure_xml":
                    parsed = parse_imeasure_xml(lines, add, bad_edits)
                case "fcgec":
                    parsed = parse_fcgec(lines, add)
                case _:
                    parsed = parse_m2(lines, add, bad_edits)
            self.annotations[path] = parsed
        return self.annotations[path]

    def _read_source(self) -> Source:
        """Return the sentences; raise BadInputError without any: other files depend on them."""
        manifest, crowd = self.manifest, self.manifest.corrections
        if manifest.source is not None:
            path, form = manifest.source, str(self.texts.format(manifest.source))
            source = self.texts.source(path)
        elif manifest.annotation_files or crowd is None:
            first = next(iter(manifest.annotation_files.values()))
            path = next(iter(first.values() if isinstance(first, dict) else first))
            form = str(self._annotation_format(path))
            parsed = self._annotation_file(path)
            sentences = [] if parsed is None else parsed.sentences
            source = Source(self.files[path].shown, sentences)
        else:
            path, form = crowd.file, "corrections_tsv"
            first_of = {a.key: a for a in reversed(self._answers) if a.left_out is None}
            distinct = sorted(first_of.values(), key=lambda answer: answer.line)
            source = Source(
                self.files[path].shown,
                [Sentence(a.line, a.sentence, a.sentence.split()) for a in distinct],
            )
        if not source.sentences:
            if not len(self.findings):
                self.findings.add(
                    source.shown,
                    0,
                    "no sentences",
                    "at least one sentence",
                    "Name another file as source, or as the first one of the annotations.",
                )
            raise BadInputError(self.findings)
        rows = (
            (line, position, text, tokens)
            for position, (line, text, tokens) in enumerate(source.sentences)
        )
        self._add(path, form, "source", "source", rows)
        return source

    def _read_annotations(self, name: str, files: list[str] | dict[str, str]) -> None:
        corpus = self.corpus
        file_of: dict[str, str] = {}
        if isinstance(files, dict):
            named: list[tuple[str | None, str]] = [*files.items()]
            corpus.annotators += [(name, annotator) for annotator in files]
        else:
            named = [(None, path) for path in files]
        for annotator, path in named:
            parsed, shown = self._annotation_file(path), self.files[path].shown
            if parsed is None:
                continue
            check_sentences(parsed, shown, self.texts.checked_source, self.findings)
            if annotator is not None:
                check_one_annotator(parsed, annotator, self.findings.about(shown))
            for other in parsed.annotators if annotator is None else ():
                first_file = file_of.setdefault(other, shown)
                if first_file != shown or [*files].count(path) > 1:
                    self.findings.add(
                        shown,
                        next(e.line for e in parsed.edits if e.annotator == other),
                        f"annotator {other}, who is also in {first_file}",
                        f"each annotator of {name} in one file",
                        "Name the annotators in the manifest: {A1: FILE, A2: FILE}.",
                    )
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

    def _read_references(self) -> None:
        texts_by_path: dict[str, dict[str, Texts]] = {}
        for name, entry in self.manifest.references.items():
            for path in entry.texts:
                if path not in texts_by_path:
                    texts_by_path[path] = self.texts.references(path)
                    for reference, texts in texts_by_path[path].items():
                        self._add_texts(reference, path, "reference", texts)
            self.corpus.references[name] = [
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
            for reference_set in self.manifest.references.values()
        )
        if is_explained:
            texts = texts._replace(texts=[text or None for text in texts.texts])
        self.checked.append(texts)

    def _read_system_edits(self, name: str, system: str, path: str) -> None:
        before = len(self.findings)
        parsed, shown = self._annotation_file(path), self.files[path].shown
        output = self.manifest.systems[system]
        texts = self.texts.output(system, output)
        if parsed is None:
            return
        add = self.findings.about(shown)
        check_one_annotator(parsed, system, add)
        check_sentences(parsed, shown, self.texts.checked_source, self.findings)
        # The remaining checks would report the same faults again.
        if texts is not None and len(self.findings) == before:
            check_edits_give_output(parsed, output, texts.texts, add)
        rows = (
            (e.line, name, system, e.sentence_id, *e.columns, e.kind)
            for e in parsed.edits
            if e.kind != "none"
        )
        self._add(path, self._annotation_format(path), "system_edits", f"{name}/{system}", rows)

    def _read_scores(self) -> None:
        systems, sentences = self.manifest.systems, self.corpus.sentences
        for name, entry in self.manifest.scores.items():
            file = self.files[entry.file]
            add = self.findings.about(file.shown)
            scores = parse_scores(file.lines, systems, sentences, add, entry.columns)
            about = (name, entry.higher_is_better, entry.references)
            rows = ((line, *about, *score) for line, *score in scores)
            self._add(entry.file, "scores_tsv", "scores", name, rows)

    @cached_property
    def _answers(self) -> list[Answer]:
        crowd = self.manifest.corrections
        if crowd is None:
            return []
        file = self.files[crowd.file]
        return parse_corrections(file.lines, crowd, self.findings.about(file.shown))

    def _read_crowd(self, source: Source) -> None:
        crowd, validity = self.manifest.corrections, self.manifest.validity
        if crowd is None:
            return
        positions = positions_of(source.texts, crowd.compare)
        add = self.findings.about(self.files[crowd.file].shown)
        rows = correction_rows(self._answers, positions, source.shown, add)
        self._add(crowd.file, "corrections_tsv", "corrections", "corrections", rows)
        if validity is not None:
            file = self.files[validity.file]
            add = self.findings.about(file.shown)
            about = (crowd.compare, positions, source.shown)
            rows = validity_rows(file.lines, validity, *about, add)
            self._add(validity.file, "validity_tsv", "validity", "validity", rows)

    def _add(self, path: str, form: str, role: str, name: str, rows: Iterable[Row]) -> None:
        stored = [*rows]
        about = (path, form, role, name, self.files[path])
        self.corpus.files.append(CorpusFile(*about, stored, rows_hash(stored)))


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

    With `force` suspicious texts are warnings. The warehouse is read only for a manifest of
    rankings of an existing corpus. Raises BadInputError with all findings of all files, and
    WarehouseError if the database cannot be read.
    """
    manifest, manifest_file = read_manifest(corpus_folder)
    if isinstance(manifest, JudgmentsManifest):
        raise TypeError(f"{manifest.name} has human judgments, and no corpus")
    findings = Findings()
    if isinstance(manifest, Manifest):
        path = FILE_NAME
        files = read_files(manifest, manifest_file, corpus_folder, data_root, on_file)
        files = {
            name: replace(file, lines=[in_form(line, manifest.unicode) for line in file.lines])
            for name, file in files.items()
        }
        reader = CorpusReader(manifest, files, findings, bad_edits, force)
        corpus = reader.read()
        judged = JudgedCorpus(manifest.systems.keys(), corpus.sentences, reader.texts.rows())
    else:
        path = f"{manifest.name}/{FILE_NAME}"
        judged = find_judged_corpus(warehouse, manifest.corpus, manifest_file)
        files = read_files(manifest, manifest_file, corpus_folder, data_root, on_file)
        corpus = Corpus(manifest, judged.sentences)
    read_judgment_sets(corpus, judged, files, findings)
    if len(findings):
        raise BadInputError(findings)
    about = _description(corpus)
    named = (path, "manifest", "manifest", manifest.name, manifest_file)
    corpus.files.append(CorpusFile(*named, about, rows_hash(about)))
    return corpus


def _description(corpus: Corpus) -> list[Row]:
    rankings = [
        (ranked.name, ranked.systems, ranked.rankings.items, ranked.rankings.conflicts)
        for ranked in corpus.judgment_sets
    ]
    manifest = corpus.manifest
    about = (manifest.model_dump_json(), corpus.references)
    return [about, *corpus.annotators, *corpus.left_out, *corpus.warnings, *rankings]
