"""The files of a corpus as rows for the raw tables, and the rankings of its outputs."""

import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from maege.ingest.findings import Findings, listing, quote
from maege.ingest.formats.annotation_file import MARKED_ABSENT
from maege.ingest.formats.rankings import (
    CELLS_HEADER,
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

PARSERS: dict[RankingFormat, Callable[[Sequence[str], Scope, str, Findings], Rankings]] = {
    "csv": parse_judgments,
    "appraise": parse_appraise_xml,
    "pairwise": parse_pairwise,
    "cells": parse_cells,
}
# Keys of a judgment set in the manifest that its reader needs.
SETTINGS = ("first_sentence_id", "names", "without_outputs", "without_judges", "documents")


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
        settings = entry.model_dump(include={*SETTINGS})
        scope = Scope(corpus.systems, corpus.sentences, rows=corpus.rows, **settings)
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
    if tuple(first.split("\t")) == CELLS_HEADER:
        return "cells"
    return "pairwise" if is_pairwise_header(first) else "csv"


def _check_manifest_fits(
    ranked: RankedSet, corpus: JudgedCorpus, shown: str, findings: Findings
) -> None:
    """Add a finding if the manifest names systems or judges that the file does not contain."""
    entry, rankings, systems = ranked.entry, ranked.rankings, ranked.systems
    judges = {judgment.judge for judgment in rankings.judgments}
    judges |= {conflict.judge for conflict in rankings.conflicts}
    documents = entry.documents if rankings.judgments else rankings.other_documents.keys()
    for key, names, known in (
        ("names", entry.names.values(), systems),
        ("without_outputs", entry.without_outputs, systems),
        *((f"system_sets.{key}", chosen, systems) for key, chosen in entry.system_sets.items()),
        ("without_judges", entry.without_judges, judges),
        ("documents", entry.documents, documents),
    ):
        for name in names:
            if name not in known:
                findings.add(
                    shown,
                    0,
                    f"no ranking of {quote(name)}, which the manifest has under "
                    f"judgments.{ranked.name}.{key}",
                    f"one of {listing(sorted(known)) or 'none, because nothing is ranked'}",
                    "Correct the name in the manifest, or remove it there.",
                )
    for system in entry.without_outputs:
        if system in corpus.systems:
            findings.add(
                shown,
                0,
                f"the system {quote(system)} under judgments.{ranked.name}.without_outputs",
                "a system without an output; the corpus has one of this system",
                "Remove it from without_outputs.",
            )


Row = tuple[Any, ...]


@dataclass(frozen=True)
class CorpusFile:
    """A file in one of its roles; `rows` lack the raw table's first columns, corpus and path.

    `name` is the reference, system, metric, judgment set or annotation set. For an annotation set
    with one file per annotator it is `set/annotator`, for edits of outputs `set/system`, for a
    k-best list `system/rank`. Labels of sentences have the manifest's key, `documents` or `groups`.
    `rows_sha256` changes if the parser returns something else.
    """

    path: str
    format: str
    role: str
    name: str
    sha256: str
    size: int
    lines: int
    rows: list[Row]
    rows_sha256: str

    @property
    def key(self) -> tuple[str, str, str]:
        """What identifies the file among the files of its manifest."""
        return self.path, self.role, self.name


def corpus_file(
    path: str,
    form: str,
    role: str,
    name: str,
    file: TextFile,
    rows: list[Row],
    rows_sha256: str = "",
) -> CorpusFile:
    """Return the file in this role, with its rows."""
    parsed = rows_sha256 or hashlib.sha256(repr(rows).encode()).hexdigest()
    size, n_lines = file.size, len(file.lines)
    return CorpusFile(path, form, role, name, file.sha256, size, n_lines, rows, parsed)


@dataclass
class Corpus:
    """The validated content of a manifest; `annotators` are pairs of annotation set and name.

    `references` holds the names of the references of each set. `left_out` has path, line, kind and
    detail of unused content; `warnings` has the same for used content that looks wrong.
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
