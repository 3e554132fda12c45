"""The files of a corpus as rows for the raw tables, and the rankings of its outputs."""

import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from maege.ingest.findings import Add, Findings, listing, quote
from maege.ingest.formats.annotation_file import MARKED_ABSENT
from maege.ingest.formats.rankings import (
    CELLS_HEADER,
    NO_RANKINGS,
    Rankings,
    Scope,
    is_pairwise_header,
    parse_appraise_xml,
    parse_cells,
    parse_judgments,
    parse_pairwise,
)
from maege.ingest.manifest_schema import (
    Absent,
    AnyManifest,
    JudgmentSet,
    RankingFormat,
    RankingsManifest,
)
from maege.ingest.raw_tables import JudgedCorpus
from maege.ingest.reading import TextFile

PARSERS: dict[RankingFormat, Callable[[Sequence[str], Scope, Add], Rankings]] = {
    "csv": parse_judgments,
    "appraise": parse_appraise_xml,
    "pairwise": parse_pairwise,
    "cells": parse_cells,
}
OTHER_DOCUMENT = "other_document"
# Keys of a judgment set in the manifest that its reader needs.
SETTINGS = {"first_sentence_id", "names", "without_outputs", "without_judges", "documents"}


@dataclass(frozen=True)
class RankedSet:
    name: str
    entry: JudgmentSet
    format: RankingFormat
    rankings: Rankings
    systems: list[str]


def _format(lines: Sequence[str]) -> RankingFormat:
    first = next((line for line in lines if line.strip()), "").lstrip("\ufeff \t")
    if first.startswith("<"):
        return "appraise"
    if tuple(first.split("\t")) == CELLS_HEADER:
        return "cells"
    return "pairwise" if is_pairwise_header(first) else "csv"


def _check_manifest_fits(
    ranked: RankedSet, corpus: JudgedCorpus, shown: str, findings: Findings
) -> None:
    entry, rankings, systems = ranked.entry, ranked.rankings, ranked.systems
    judges = {judgment.judge for judgment in rankings.judgments}
    judges |= {conflict.judge for conflict in rankings.conflicts}
    documents = entry.documents if rankings.judgments else rankings.other_documents.keys()
    for key, names, known in (
        ("names", entry.names.values(), systems),
        ("without_outputs", entry.without_outputs, {*systems} - {*corpus.systems}),
        *((f"system_sets.{key}", chosen, systems) for key, chosen in entry.system_sets.items()),
        ("without_judges", entry.without_judges, judges),
        ("documents", entry.documents, documents),
    ):
        for name in names:
            if name not in known:
                findings.add(
                    shown,
                    0,
                    f"no {quote(name)}, which the manifest has under judgments.{ranked.name}.{key}",
                    "a name from the rankings, and under without_outputs one without an output in "
                    f"the corpus: {listing(sorted(known)) or 'there is none'}",
                    "Correct the name in the manifest, or remove it there.",
                )


Row = tuple[Any, ...]


def rows_hash(rows: Sequence[Row]) -> str:
    """Return a hash that changes if a parser returns something else."""
    return hashlib.sha256(repr(rows).encode()).hexdigest()


@dataclass(frozen=True)
class CorpusFile:
    """A file in one of its roles; `rows` lack the raw table's first columns, corpus and path.

    `name` is the reference, system, metric, judgment set or annotation set; `set/annotator` for a
    file of one annotator, `set/system` for edits of outputs, `system/rank` for a k-best list, and
    the manifest's key for labels.
    """

    path: str
    format: str
    role: str
    name: str
    file: TextFile
    rows: Sequence[Row]
    rows_sha256: str

    @property
    def key(self) -> tuple[str, str, str]:
        return self.path, self.role, self.name


@dataclass
class Corpus:
    """The validated content of a manifest; `annotators` are pairs of annotation set and name.

    `references` has the names of the references of each set. `left_out` has path, line, kind and
    detail of unused content; `warnings` those of used content that looks wrong.
    """

    manifest: AnyManifest
    sentences: int = 0
    annotators: list[tuple[str, str]] = field(default_factory=list)
    references: dict[str, list[str]] = field(default_factory=dict)
    left_out: list[Row] = field(default_factory=list)
    warnings: list[Row] = field(default_factory=list)
    files: list[CorpusFile] = field(default_factory=list)
    judgment_sets: list[RankedSet] = field(default_factory=list)

    @property
    def absent(self) -> Absent | None:
        """The meaning of a missing line: from the manifest, or from marks in a file."""
        if isinstance(self.manifest, RankingsManifest):
            return None
        paths = {file.path for file in self.files if file.role == "annotations"}
        marked = any(path in paths and kind == MARKED_ABSENT for path, _, kind, _ in self.left_out)
        return self.manifest.absent or ("not_asked" if marked else None)


def read_judgment_sets(
    corpus: Corpus, judged: JudgedCorpus, files: Mapping[str, TextFile], findings: Findings
) -> None:
    for name, entry in corpus.manifest.judgments.items():
        path, file = entry.file, files[entry.file]
        before = len(findings)
        settings = entry.model_dump(include=SETTINGS)
        scope = Scope(judged.systems, judged.sentences, rows=judged.rows, **settings)
        form = entry.format or _format(file.lines)
        rankings = PARSERS[form](file.lines, scope, findings.about(file.shown))
        systems = sorted({judgment.system for judgment in rankings.judgments})
        ranked = RankedSet(name, entry, form, rankings, systems)
        # Systems that were excluded because of a fault would cause a second finding.
        if len(findings) == before:
            _check_manifest_fits(ranked, judged, file.shown, findings)
        rows: list[Row] = [(j.line, name, *j[1:]) for j in rankings.judgments]
        corpus.judgment_sets.append(ranked)
        about = (path, f"judgments_{form}", "judgments", name, file)
        corpus.files.append(CorpusFile(*about, rows, rows_hash(rows)))
        if not rankings.items:
            detail = f"the judgment set {name} has no ranking"
            corpus.warnings.append((path, 0, NO_RANKINGS, detail))
        for document, items in sorted(rankings.other_documents.items()):
            detail = f"{items} items of the document {document or 'without a name'}"
            corpus.left_out.append((path, 0, OTHER_DOCUMENT, detail))
