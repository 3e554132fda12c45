"""Read the annotations, crowd answers and rankings of a corpus, in any format."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass

from maege.ingest.corpora.texts import Source
from maege.ingest.findings import Findings, listing, quote
from maege.ingest.formats.annotation_file import AnnotationFile, BadEdits
from maege.ingest.formats.common import ROOT
from maege.ingest.formats.crowd import (
    Answer,
    Columns,
    Normalisation,
    ValidityColumns,
    normalised,
    parse_corrections,
    parse_validity,
)
from maege.ingest.formats.fcgec import is_fcgec, parse_fcgec
from maege.ingest.formats.imeasure_xml import parse_imeasure_xml
from maege.ingest.formats.m2 import parse_m2
from maege.ingest.formats.ranking_files import (
    is_cells_header,
    is_pairwise_header,
    parse_appraise_xml,
    parse_cells,
    parse_judgments,
    parse_pairwise,
)
from maege.ingest.formats.rankings import Rankings, Scope
from maege.ingest.manifests.manifest_schema import (
    Corrections,
    FileFormat,
    JudgmentSet,
    Manifest,
    RankingFormat,
    Validity,
    is_xml,
)
from maege.ingest.reading import TextFile

# --- Annotations, in every format ---

IMEASURE_ROOT = "scripts"


class AnnotationReader:
    """Reads files of annotations. Each file is parsed once, even if it has several roles."""

    def __init__(
        self,
        manifest: Manifest,
        files: Mapping[str, TextFile | None],
        findings: Findings,
        bad_edits: BadEdits,
    ) -> None:
        self._manifest = manifest
        self._files = files
        self._findings = findings
        self._bad_edits = bad_edits
        self._parsed: dict[str, AnnotationFile | None] = {}

    def format(self, path: str) -> FileFormat:
        """Return the format of a file: as the manifest says, else as detected from its content."""
        file = self._files[path]
        declared = self._manifest.formats.get(path)
        if declared is not None or file is None:
            return declared or "m2"
        if is_xml(path) or _root(file) == IMEASURE_ROOT:
            return "imeasure_xml"
        return "fcgec" if is_fcgec(file.lines) else "m2"

    def parsed(self, path: str) -> AnnotationFile | None:
        """Return the content of the file; None if it cannot be read."""
        file = self._files[path]
        if file is None:
            return None
        if path not in self._parsed:
            self._parsed[path] = self._parse(path, file)
        return self._parsed[path]

    def _parse(self, path: str, file: TextFile) -> AnnotationFile | None:
        edit_sets = self._manifest.system_edits.values()
        is_output = any(path in files.values() for files in edit_sets)
        bad_edits = "refuse" if is_output else self._bad_edits
        match self.format(path):
            case "imeasure_xml":
                return parse_imeasure_xml(file.lines, file.shown, self._findings, bad_edits)
            case "fcgec":
                return parse_fcgec(file.lines, file.shown, self._findings)
            case _:
                return parse_m2(file.lines, file.shown, self._findings, bad_edits)


def _root(file: TextFile) -> str:
    start = "\n".join(file.lines[:20]).lstrip("\ufeff \t\n")
    found = ROOT.search(start) if start.startswith("<") else None
    return "" if found is None else found[1]


# --- Corrections of a crowd as rows ---

Row = tuple[object, ...]


def read_answers(entry: Corrections, file: TextFile, findings: Findings) -> list[Answer]:
    """Return the answers of the file, including answers that are not accepted."""
    names = entry.columns
    columns = Columns(names.sentence, names.correction, names.worker, names.status, names.batch)
    return parse_corrections(
        file.lines, file.shown, columns, entry.compare, entry.rejected, entry.batches, findings
    )


def sentences_of(answers: list[Answer], shown: str) -> Source:
    """Return the sentences of the accepted answers, as first written in the file."""
    first: dict[str, Answer] = {}
    for answer in answers:
        if answer.left_out is None:
            first.setdefault(answer.key, answer)
    distinct = list(first.values())
    return Source(
        shown,
        [answer.line for answer in distinct],
        [answer.sentence for answer in distinct],
        [answer.sentence.split() for answer in distinct],
    )


def answer_rows(
    answers: list[Answer], entry: Corrections, shown: str, source: Source, findings: Findings
) -> list[Row]:
    """Return the answers with their sentence ids; None for an answer that is not accepted.

    An accepted answer for a sentence outside the corpus is a finding. If sentences of the corpus
    are equal, the first one gets the answers.
    """
    places = _places(source, entry.compare)
    rows: list[Row] = []
    for answer in answers:
        sentence_id = places.get(answer.key) if answer.left_out is None else None
        if sentence_id is None and answer.left_out is None:
            findings.add(
                shown,
                answer.line,
                f"an answer to the sentence {quote(answer.sentence)}",
                f"a sentence of {source.shown}",
                "Correct the sentence, remove the row, or give the crowd a corpus of its own.",
            )
        _, _, *stored = answer
        rows.append((answer.line, sentence_id, *stored))
    return rows


def judgment_rows(
    entry: Validity, compare: Normalisation, file: TextFile, source: Source, findings: Findings
) -> list[Row]:
    """Return the judgments of corrections, with sentence ids.

    Sentences outside the corpus are findings.
    """
    names = entry.columns
    columns = ValidityColumns(names.sentence, names.correction, names.worker, names.valid)
    places = _places(source, compare)
    rows: list[Row] = []
    for judgment in parse_validity(file.lines, file.shown, columns, compare, findings):
        if judgment.key not in places:
            findings.add(
                file.shown,
                judgment.line,
                f"a judgment of the sentence {quote(judgment.sentence)}",
                f"a sentence of {source.shown}",
                "Correct the sentence, or remove the row.",
            )
            continue
        line, key, *stored = judgment
        rows.append((line, places[key], *stored))
    return rows


def _places(source: Source, compare: Normalisation) -> dict[str, int]:
    places: dict[str, int] = {}
    for position, text in enumerate(source.texts):
        places.setdefault(normalised(text, compare), position)
    return places


# --- Judgment sets of a manifest as rows ---

PARSERS: dict[RankingFormat, Callable[[Sequence[str], Scope, str, Findings], Rankings]] = {
    "csv": parse_judgments,
    "appraise": parse_appraise_xml,
    "pairwise": parse_pairwise,
    "cells": parse_cells,
}


@dataclass(frozen=True)
class JudgedCorpus:
    """The corpus whose outputs were ranked: its systems, and the number of its sentences.

    `rows` maps the rows of the file from which the corpus selects its sentences to these sentences.
    """

    systems: Collection[str]
    sentences: int
    rows: Mapping[int, int] | None = None


@dataclass(frozen=True)
class RankedSet:
    """A judgment set after reading; `systems` are the ranked systems."""

    name: str
    entry: JudgmentSet
    format: RankingFormat
    rankings: Rankings
    systems: list[str]


def read_judgment_sets(
    entries: Mapping[str, JudgmentSet],
    texts: Mapping[str, TextFile | None],
    corpus: JudgedCorpus,
    findings: Findings,
) -> list[tuple[RankedSet, TextFile]]:
    """Return every set with its file, and add findings. Sets that cannot be read are skipped."""
    sets: list[tuple[RankedSet, TextFile]] = []
    for name, entry in entries.items():
        file = texts[entry.file]
        if file is None:
            continue
        before = len(findings)
        scope = Scope(
            corpus.systems,
            corpus.sentences,
            entry.first_sentence_id,
            entry.names,
            entry.without_outputs,
            entry.without_judges,
            entry.documents,
            corpus.rows,
        )
        form = entry.format or _format(file.lines)
        rankings = PARSERS[form](file.lines, scope, file.shown, findings)
        systems = sorted({judgment.system for judgment in rankings.judgments})
        ranked = RankedSet(name, entry, form, rankings, systems)
        # Systems that were excluded because of a fault would cause a second finding.
        if len(findings) == before:
            _check_manifest_fits(ranked, corpus, file.shown, findings)
        sets.append((ranked, file))
    return sets


def _format(lines: Sequence[str]) -> RankingFormat:
    """Return the format detected from the content; plain CSV by default."""
    first = next((line for line in lines if line.strip()), "").lstrip("\ufeff \t")
    if first.startswith("<"):
        return "appraise"
    if is_cells_header(first):
        return "cells"
    return "pairwise" if is_pairwise_header(first) else "csv"


def _check_manifest_fits(
    ranked: RankedSet, corpus: JudgedCorpus, shown: str, findings: Findings
) -> None:
    """Add a finding if the manifest names systems or judges that the file does not contain."""
    entry, systems = ranked.entry, ranked.systems
    named = [
        *(("names", system) for system in entry.names.values()),
        *(("without_outputs", system) for system in entry.without_outputs),
        *((f"system_sets.{key}", s) for key, chosen in entry.system_sets.items() for s in chosen),
    ]
    for where, system in named:
        if system not in systems:
            findings.add(
                shown,
                0,
                f"no rank of {quote(system)}, which the manifest has under "
                f"judgments.{ranked.name}.{where}",
                f"one of the ranked systems: {listing(systems) or 'there is none'}",
                "Correct the name in the manifest, or remove it there.",
            )
    for system in entry.without_outputs:
        if system in corpus.systems:
            findings.add(
                shown,
                0,
                f"ranks of {quote(system)}, which the manifest has under "
                f"judgments.{ranked.name}.without_outputs",
                "a system without an output; the corpus has one of this system",
                "Remove it from without_outputs.",
            )
    read = {*ranked.rankings.other_documents}
    for document in entry.documents:
        if not ranked.rankings.judgments and read:
            findings.add(
                shown,
                0,
                f"no ranking of the document {quote(document)}",
                f"one of the documents {listing(sorted(read))}",
                f"Correct judgments.{ranked.name}.documents in the manifest.",
            )
    judges = {conflict.judge for conflict in ranked.rankings.conflicts}
    for judge in entry.without_judges:
        if judge not in judges:
            findings.add(
                shown,
                0,
                f"no item of judge {quote(judge)}, which the manifest excludes from {ranked.name}",
                "a judge of the file",
                "Correct the name under without_judges, or remove it there.",
            )
