"""The files of a corpus as rows: format, role and rows for the raw tables."""

import hashlib
from dataclasses import dataclass, field
from typing import Any, Literal

from maege.ingest.corpora.annotations import JudgedCorpus, RankedSet
from maege.ingest.formats.annotation_file import MARKED_ABSENT, AnnotationFile
from maege.ingest.manifests.manifest_schema import (
    Absent,
    AnyManifest,
    RankingFormat,
    RankingsManifest,
)
from maege.ingest.reading import TextFile

Format = Literal[
    "m2",
    "imeasure_xml",
    "fcgec",
    "text",
    "columns",
    "json_lines",
    "scores_tsv",
    "corrections_tsv",
    "validity_tsv",
    "unseen_estimate",
    "judgments_csv",
    "judgments_appraise",
    "judgments_pairwise",
    "judgments_cells",
    "manifest",
]
Role = Literal[
    "annotations",
    "source",
    "reference",
    "system",
    "system_edits",
    "k_best",
    "scores",
    "corrections",
    "validity",
    "estimates",
    "labels",
    "judgments",
    "manifest",
]
Row = tuple[Any, ...]
JUDGMENTS_FORMAT: dict[RankingFormat, Format] = {
    "csv": "judgments_csv",
    "appraise": "judgments_appraise",
    "pairwise": "judgments_pairwise",
    "cells": "judgments_cells",
}


@dataclass(frozen=True)
class CorpusFile:
    """A file in one of its roles; `rows` lack the raw table's first columns, corpus and path.

    `name` is the reference, system, metric, judgment set or annotation set. For an annotation set
    with one file per annotator it is `set/annotator`, for edits of outputs `set/system`, for a
    k-best list `system/rank`. Labels of sentences have the manifest's key, `documents` or `groups`.
    """

    path: str
    format: Format
    role: Role
    name: str
    sha256: str
    size: int
    lines: int
    rows: list[Row]

    @property
    def rows_sha256(self) -> str:
        """A hash of the parsed content, which changes if the parser returns something else."""
        return hashlib.sha256(repr(self.rows).encode()).hexdigest()


def corpus_file(
    path: str, form: Format, role: Role, name: str, file: TextFile, rows: list[Row]
) -> CorpusFile:
    """Return the file in this role, with its rows."""
    return CorpusFile(path, form, role, name, file.sha256, file.size, len(file.lines), rows)


def edit_rows(
    parsed: AnnotationFile, annotation_set: str, annotator: str | None = None
) -> list[Row]:
    """Return the edits; `annotator` is set if the manifest assigns the file to one annotator."""
    return [
        (
            line.line,
            annotation_set,
            line.sentence_id,
            annotator or line.annotator,
            *line.columns,
            line.edit.error_group or None,
            line.out_of_range,
            line.kind,
        )
        for line in parsed.edits
    ]


@dataclass
class Corpus:
    """The validated content of a manifest; `annotators` are pairs of annotation set and name.

    `references` holds the names of the references of each set. `left_out` has path, line, kind and
    detail of unused content; `warnings` has the same for used content that looks wrong. If the
    manifest contains only rankings, `judged` is the corpus that they were checked against.
    """

    manifest: AnyManifest
    sentences: int = 0
    judged: JudgedCorpus | None = None
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
