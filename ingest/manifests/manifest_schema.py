"""The schema of a manifest: a corpus, or rankings of another corpus's outputs."""

from collections.abc import Iterator
from pathlib import PurePosixPath
from typing import Annotated, Literal, Self

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Discriminator,
    Field,
    StringConstraints,
    Tag,
    model_validator,
)

from maege.ingest.corpora.normal_forms import NormalForm
from maege.ingest.formats.crowd import Normalisation
from maege.ingest.formats.scores import HEADER as SCORE_COLUMNS
from maege.ingest.manifests.language_tags import canonical_tag
from maege.ingest.manifests.plain_yaml import Location
from maege.ingest.text_checks import Check

ALL_SYSTEMS = "all"

CorpusName = Annotated[str, StringConstraints(pattern=r"^[a-z][a-z0-9_]*$")]
Name = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9][A-Za-z0-9_.+-]*$")]
Words = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1)]
FilePath = Annotated[str, StringConstraints(min_length=1)]
Language = Annotated[str, AfterValidator(canonical_tag)]
Measure = Literal["exact", "index"]
Tokens = Literal["blanks", "characters"]
# The format of a file, if it cannot be detected from its content.
FileFormat = Literal["text", "columns", "json_lines", "m2", "imeasure_xml", "fcgec"]
# The meaning of an annotator without a line for a sentence.
Absent = Literal["no_error", "not_asked"]
# The meaning of a blank line in a reference file: no reference, or deletion of the sentence.
EmptyReferences = Literal["none", "deletion"]


class _Part(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class ReferenceSet(_Part):
    """References for metrics: texts, edits, or both.

    `system_edits` is an edit set for the outputs that replaces extracted edits. `empty_references`
    is the meaning of blank lines in the texts, by default deletion.
    """

    texts: list[FilePath] = Field(default_factory=list)
    annotations: Name | None = None
    system_edits: Name | None = None
    empty_references: EmptyReferences | None = None

    @model_validator(mode="after")
    def _has_content(self) -> Self:
        if not self.texts and self.annotations is None:
            raise ValueError("a reference set needs texts or annotations")
        return self


class Lattice(_Part):
    """The annotation set that lattices are built from, and the references for their metrics.

    `published_run`: the lattices repeat the published run of the MAEGE paper, with its defects.
    """

    annotations: Name
    references: Name
    published_run: bool = False

    @model_validator(mode="before")
    @classmethod
    def _without_mode(cls, value: object) -> object:
        """Read `{paper: {...}}` as well, the form of manifests before version 2 of the marts."""
        match value:
            case {"paper": sources, **others} if others.keys() <= {"as_published"}:
                return sources
        return value


class Scores(_Part):
    """A file of sentence scores; `columns` names the columns of a file without a header."""

    file: FilePath
    higher_is_better: bool
    references: Name | None = None
    columns: list[Words] = Field(default_factory=list)

    @model_validator(mode="after")
    def _has_columns(self) -> Self:
        if self.columns and any(self.columns.count(name) != 1 for name in SCORE_COLUMNS):
            raise ValueError(f"columns with {', '.join(SCORE_COLUMNS)} among them, once each")
        return self


class CorrectionColumns(_Part):
    """Names of the columns in a file of crowd corrections."""

    sentence: Words = "sentence"
    correction: Words = "correction"
    worker: Words = "worker"
    status: Words = "status"
    batch: Words | None = None


class Corrections(_Part):
    """A file of crowd corrections.

    `compare` says how answers are normalised for comparison. `rejected` lists the statuses of
    answers that are not accepted. `batches` lists the accepted batches.
    """

    file: FilePath
    columns: CorrectionColumns = Field(default_factory=CorrectionColumns)
    compare: Normalisation = "words"
    rejected: list[str] = Field(default_factory=lambda: ["Rejected"])
    batches: list[Words] = Field(default_factory=list)

    @model_validator(mode="after")
    def _has_batches(self) -> Self:
        if self.batches and self.columns.batch is None:
            raise ValueError("with batches the name of their column, under columns")
        return self


class ValidityColumnNames(_Part):
    """Names of the columns in a file of judgments of corrections."""

    sentence: Words = "sentence"
    correction: Words = "correction"
    worker: Words = "worker"
    valid: Words = "valid"


class Validity(_Part):
    """A file of judgments of the crowd's corrections: whether each is valid."""

    file: FilePath
    columns: ValidityColumnNames = Field(default_factory=ValidityColumnNames)


RankingFormat = Literal["csv", "appraise", "pairwise", "cells"]


class JudgmentSet(_Part):
    """A file of human rankings.

    `names` maps names of systems in the file to names in the corpus. `without_outputs` lists ranked
    systems without outputs in the corpus. `without_judges` lists judges whose rankings are ignored.
    `documents` lists the documents to read if the file has several. `system_sets` are subsets of
    systems for which correlations are computed in addition to all systems. Without `format`, the
    format is detected from the content of the file.
    """

    file: FilePath
    format: RankingFormat | None = None
    first_sentence_id: Annotated[int, Field(ge=-1, le=1)] = 0
    names: dict[Words, Name] = Field(default_factory=dict)
    without_outputs: list[Name] = Field(default_factory=list)
    without_judges: list[Words] = Field(default_factory=list)
    documents: list[Words] = Field(default_factory=list)
    system_sets: dict[Name, Annotated[list[Name], Field(min_length=1)]] = Field(
        default_factory=dict
    )

    @model_validator(mode="after")
    def _has_real_choices(self) -> Self:
        if ALL_SYSTEMS in self.system_sets:
            raise ValueError(f"no system set {ALL_SYSTEMS}: this name means all ranked systems")
        for name, systems in self.system_sets.items():
            if len(set(systems)) < len(systems):
                raise ValueError(f"each system once in the system set {name}")
        return self


def _as_entry(value: object) -> object:
    return {"file": value} if isinstance(value, str) else value


JudgmentSets = dict[Name, Annotated[JudgmentSet, BeforeValidator(_as_entry)]]


class Extracted(_Part):
    """Extracted annotations: the edits from the source to each text of a reference set."""

    extracted_from: Name


def _form(value: object) -> str:
    if isinstance(value, Extracted) or (isinstance(value, dict) and "extracted_from" in value):
        return "extracted"
    return "mapping" if isinstance(value, dict) else "list"


AnnotationFiles = Annotated[
    Annotated[list[FilePath], Field(min_length=1), Tag("list")]
    | Annotated[dict[Name, FilePath], Field(min_length=1), Tag("mapping")]
    | Annotated[Extracted, Tag("extracted")],
    Discriminator(_form),
]
SystemFiles = Annotated[dict[Name, FilePath], Field(min_length=1)]
KBestFiles = Annotated[list[FilePath], Field(min_length=2)]


class _Described(_Part):
    title: Words
    licence: Words
    origin: Words
    judgments: JudgmentSets = Field(default_factory=dict)


class RankingsManifest(_Described):
    """Rankings of the outputs of a corpus that has a manifest of its own."""

    rankings_of: CorpusName
    name: Name

    @property
    def corpus(self) -> str:
        """The corpus that the rankings belong to."""
        return self.rankings_of


class Manifest(_Described):
    """One corpus.

    An annotation set is one of three things: a list of files that name the annotators, a mapping
    from each annotator to a file with only this annotator, or edits extracted from references. An
    edit set of `system_edits` maps systems to M2 files. `k_best` lists the files with the first,
    second and further outputs of a system. `estimates` are released estimates of the distribution
    of corrections: for each measure, files by name. `language` is a BCP 47 tag. `absent` says what
    it means if an annotator has no line for a sentence. By default the annotator did not annotate
    the sentence if another annotator has a line, and found no error if no annotator has one.

    `accept` names text checks whose faults are recorded but do not stop `maege ingest`. `unicode`
    is the normal form that all texts are converted to. `tokens` defines the tokens of texts. `ids`
    is a file with one id per line; it selects the sentences of the corpus from tables with ids.
    `documents` and `groups` are files with a line for each sentence: its document, and the group
    that it belongs to, such as the writer's level. An empty line means that the document or group
    is unknown. `formats` maps files to their formats.
    """

    corpus: CorpusName
    language: Language = "en"
    accept: list[Check] = Field(default_factory=list)
    unicode: NormalForm | None = None
    tokens: Tokens = "blanks"
    absent: Absent | None = None
    source: FilePath | None = None
    ids: FilePath | None = None
    documents: FilePath | None = None
    groups: FilePath | None = None
    formats: dict[FilePath, FileFormat] = Field(default_factory=dict)
    annotations: dict[Name, AnnotationFiles] = Field(default_factory=dict)
    references: dict[Name, ReferenceSet] = Field(default_factory=dict)
    systems: dict[Name, FilePath] = Field(default_factory=dict)
    system_edits: dict[Name, SystemFiles] = Field(default_factory=dict)
    k_best: dict[Name, KBestFiles] = Field(default_factory=dict)
    lattice: Lattice | None = None
    scores: dict[Name, Scores] = Field(default_factory=dict)
    corrections: Annotated[Corrections | None, BeforeValidator(_as_entry)] = None
    validity: Annotated[Validity | None, BeforeValidator(_as_entry)] = None
    estimates: dict[Measure, SystemFiles] = Field(default_factory=dict)

    @property
    def name(self) -> str:
        """The name of the manifest, which is the name of its corpus."""
        return self.corpus

    @property
    def labels(self) -> dict[str, str]:
        """The manifest's files of sentence labels."""
        files = {"documents": self.documents, "groups": self.groups}
        return {key: path for key, path in files.items() if path is not None}

    @property
    def annotation_files(self) -> dict[str, list[FilePath] | dict[Name, FilePath]]:
        """The annotation sets that come from files, with their files."""
        sets = self.annotations.items()
        return {name: files for name, files in sets if not isinstance(files, Extracted)}

    @property
    def extracted(self) -> dict[str, str]:
        """The annotation sets that are extracted, with the reference sets that they come from."""
        sets = self.annotations.items()
        return {name: of.extracted_from for name, of in sets if isinstance(of, Extracted)}


AnyManifest = Manifest | RankingsManifest


def reference_name(path: str) -> str:
    """Return the name of a reference: its file's name without `.gz` and `.txt`."""
    return PurePosixPath(path).name.removesuffix(".gz").removesuffix(".txt")


def is_xml(path: str) -> bool:
    """Return whether a file of annotations is the I-measure's XML; all others are M2."""
    return path.removesuffix(".gz").endswith(".xml")


def manifest_paths(manifest: AnyManifest) -> Iterator[tuple[Location, str]]:
    """Yield every path of the manifest with its location."""
    if isinstance(manifest, Manifest):
        yield from _corpus_paths(manifest)
    for name, judgment_set in manifest.judgments.items():
        yield ("judgments", name, "file"), judgment_set.file


def _corpus_paths(manifest: Manifest) -> Iterator[tuple[Location, str]]:
    if manifest.source is not None:
        yield ("source",), manifest.source
    if manifest.ids is not None:
        yield ("ids",), manifest.ids
    for kind, path in manifest.labels.items():
        yield (kind,), path
    for name, files in manifest.annotation_files.items():
        entries: list[tuple[str | int, str]] = (
            list(files.items()) if isinstance(files, dict) else list(enumerate(files))
        )
        for key, path in entries:
            yield ("annotations", name, key), path
    for name, references in manifest.references.items():
        for position, path in enumerate(references.texts):
            yield ("references", name, "texts", position), path
    for name, path in manifest.systems.items():
        yield ("systems", name), path
    for name, system_files in manifest.system_edits.items():
        for system, path in system_files.items():
            yield ("system_edits", name, system), path
    for name, k_best in manifest.k_best.items():
        for place, path in enumerate(k_best):
            yield ("k_best", name, place), path
    for name, scores in manifest.scores.items():
        yield ("scores", name, "file"), scores.file
    if manifest.corrections is not None:
        yield ("corrections", "file"), manifest.corrections.file
    if manifest.validity is not None:
        yield ("validity", "file"), manifest.validity.file
    for measure, estimates in manifest.estimates.items():
        for name, path in estimates.items():
            yield ("estimates", measure, name), path
