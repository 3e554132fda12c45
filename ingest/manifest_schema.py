"""The schemas of manifests: a corpus, rankings of its outputs, or human judgments."""

from collections.abc import Iterator
from pathlib import PurePosixPath
from typing import Annotated, Literal, Self, get_args

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

from maege.ingest.languages import NormalForm, canonical_tag
from maege.ingest.plain_yaml import Location
from maege.ingest.text_checks import Check

ALL_SYSTEMS = "all"
# The columns of a file of sentence scores.
SCORE_COLUMNS = ("system", "sentence_id", "score")


class PathOfFile(str):
    __slots__ = ()


CorpusName = Annotated[str, StringConstraints(pattern=r"^[a-z][a-z0-9_]*$")]
Name = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9][A-Za-z0-9_.+-]*$")]
Words = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1)]
FilePath = Annotated[str, StringConstraints(min_length=1), AfterValidator(PathOfFile)]
Language = Annotated[str, AfterValidator(canonical_tag)]
Measure = Literal["exact", "index"]
Tokens = Literal["blanks", "characters"]
# How a crowd's texts are compared: formats/crowd.py.
Normalisation = Literal["none", "words", "words_lower"]
# The format of a file, if it cannot be detected from its content.
FileFormat = Literal["text", "columns", "json_lines", "m2", "imeasure_xml", "fcgec"]
# The meaning of an annotator without a line for a sentence.
Absent = Literal["no_error", "not_asked"]
# The meaning of a blank line in a reference file: no reference, or deletion of the sentence.
EmptyReferences = Literal["none", "deletion"]


class _Part(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class ReferenceSet(_Part):
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
    """The sources of lattices; `published_run` repeats the run of the MAEGE paper, with defects."""

    annotations: Name
    references: Name
    published_run: bool = False

    @model_validator(mode="before")
    @classmethod
    def _without_mode(cls, value: object) -> object:
        # The form of manifests before version 2 of the marts: `{paper: {...}}`.
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
    sentence: Words = "sentence"
    correction: Words = "correction"
    worker: Words = "worker"
    status: Words = "status"
    batch: Words | None = None


class Corrections(_Part):
    """A file of crowd corrections; answers with a status in `rejected` are not accepted."""

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
    sentence: Words = "sentence"
    correction: Words = "correction"
    worker: Words = "worker"
    valid: Words = "valid"


class Validity(_Part):
    file: FilePath
    columns: ValidityColumnNames = Field(default_factory=ValidityColumnNames)


RankingFormat = Literal["csv", "appraise", "pairwise", "cells"]


class JudgmentSet(_Part):
    """A file of human rankings; `names` maps names of systems to names in the corpus."""

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
    """The edits from the source to each text of a reference set, as annotations."""

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
        return self.rankings_of


class Manifest(_Described):
    """One corpus; docs/corpora.md describes every key."""

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
        return self.corpus

    @property
    def labels(self) -> dict[str, str]:
        files = {"documents": self.documents, "groups": self.groups}
        return {key: path for key, path in files.items() if path is not None}

    @property
    def annotation_files(self) -> dict[str, list[FilePath] | dict[Name, FilePath]]:
        sets = self.annotations.items()
        return {name: files for name, files in sets if not isinstance(files, Extracted)}

    @property
    def extracted(self) -> dict[str, str]:
        sets = self.annotations.items()
        return {name: of.extracted_from for name, of in sets if isinstance(of, Extracted)}


AnyManifest = Manifest | RankingsManifest


def reference_name(path: str) -> str:
    return PurePosixPath(path).name.removesuffix(".gz").removesuffix(".txt")


def is_xml(path: str) -> bool:
    return path.removesuffix(".gz").endswith(".xml")


def paths_in(part: object, location: Location = ()) -> Iterator[tuple[Location, str]]:
    if isinstance(part, PathOfFile):
        yield location, str(part)
    elif isinstance(part, BaseModel):
        for name in type(part).model_fields:
            yield from paths_in(getattr(part, name), (*location, name))
    elif isinstance(part, dict | list):
        entries = part.items() if isinstance(part, dict) else enumerate(part)
        for key, value in entries:
            yield from paths_in(value, (*location, key))


def keys_at(schema: type[BaseModel], location: Location) -> list[str]:
    """Return the keys of the mapping that contains the key at the end of a location."""
    part = schema
    for key in location[:-1]:
        field = part.model_fields.get(str(key))
        part = next(_parts(field.annotation), part) if field is not None else part
    return list(part.model_fields)


def _parts(annotation: object) -> Iterator[type[BaseModel]]:
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        yield annotation
    for argument in get_args(annotation):
        yield from _parts(argument)


Kind = Literal["ratings", "pairs", "edit_verdicts", "post_edits"]
# How names, or positions in a row, identify judges: docs/corpora.md.
Judges = Literal["identified", "positional", "bag", "single", "averaged"]
Values = Literal["number", "wide", "packed", "codes"]
Link = Literal["text", "number", "none"]
Provenance = Literal["judged", "by_text"]
JudgedTokens = Literal["blanks", "characters", "contractions", "words", "13a"]

# The required columns of a kind of judgments, apart from those that name the output.
REQUIRED: dict[Kind, tuple[str, ...]] = {
    "ratings": (),
    "pairs": ("output_a", "output_b", "winner"),
    "edit_verdicts": ("source", "hypothesis", "verdict"),
    "post_edits": ("text",),
}


# --- Human judgments ---


class Aspect(_Part):
    low: float | None = None
    high: float | None = None
    step: float | None = None
    higher_is_better: bool = True
    neutral: float | None = None
    column: Words | None = None
    z_column: Words | None = None
    raters: dict[Name, Words] = Field(default_factory=dict)
    code: Annotated[str, StringConstraints(min_length=1, max_length=1)] | None = None


class Columns(_Part):
    """Names of the file's columns; `item` may be several columns, joined by a slash."""

    item: Words | list[Words] | None = None
    source: Words | None = None
    output: Words | None = None
    system: Words | None = None
    judge: Words | None = None
    aspect: Words | None = None
    value: Words | None = None
    output_a: Words | None = None
    output_b: Words | None = None
    system_a: Words | None = None
    system_b: Words | None = None
    winner: Words | None = None
    hypothesis: Words | None = None
    original: Words | None = None
    correction: Words | None = None
    verdict: Words | None = None
    text: Words | None = None


class TextFiles(_Part):
    """Files with judged texts: a table of outputs or of systems, or one file per system."""

    file: FilePath | None = None
    columns: Columns = Field(default_factory=Columns)
    source_lines: FilePath | None = None
    lines: dict[Name, FilePath] = Field(default_factory=dict)
    systems: dict[Name, Words] = Field(default_factory=dict)

    @model_validator(mode="after")
    def _is_one_way(self) -> Self:
        if (self.file is None) == (self.source_lines is None):
            raise ValueError("either file, a table of texts, or source_lines, a line an item")
        if self.file is not None and self.columns.item is None:
            raise ValueError("columns with the item of each row of texts")
        return self


class Task(_Part):
    """Judgments of one kind, collected in one way; docs/corpora.md describes every key."""

    kind: Kind
    file: FilePath
    columns: Columns = Field(default_factory=Columns)
    systems: dict[Name, Words] = Field(default_factory=dict)
    aspects: dict[Name, Aspect] = Field(default_factory=dict)
    judges: Judges
    values: Values = "number"
    verdicts: dict[Words, float] = Field(default_factory=dict)
    winners: dict[Literal["a", "b", "tie"], list[Words]] = Field(default_factory=dict)
    system_a: Name | None = None
    references: list[Name] = Field(default_factory=list)
    sources: list[Name] = Field(default_factory=list)
    where: dict[Words, list[Words]] = Field(default_factory=dict)
    texts: TextFiles | None = None
    item_prefix: Name | None = None
    first_item: Annotated[int, Field(ge=-1, le=1)] = 0
    link: Link = "text"
    corpus: CorpusName | None = None
    provenance: Provenance = "judged"
    unit: Literal["sentence", "document"] = "sentence"
    language: Language | None = None
    tokens: JudgedTokens | None = None
    protocol: Words | None = None

    @model_validator(mode="after")
    def _is_whole(self) -> Self:
        for name in REQUIRED[self.kind]:
            if getattr(self.columns, name) is None:
                raise ValueError(f"the column {name} under columns, as {self.kind} have it")
        if (self.kind in ("ratings", "pairs")) != bool(self.aspects):
            raise ValueError("aspects, with at least one, for ratings and pairs alone")
        if self.kind == "edit_verdicts" and not self.verdicts:
            raise ValueError(
                "verdicts: the worth of each word of the file, such as {TP: 1, FP: -1}"
            )
        if self.kind == "ratings" and (self.columns.aspect is None) != (self.columns.value is None):
            raise ValueError("columns.aspect and columns.value together, or neither")
        if any((self.values == "wide") != bool(aspect.raters) for aspect in self.aspects.values()):
            raise ValueError("the columns of its raters for each aspect, with values: wide alone")
        if self.values == "wide" and self.judges not in ("identified", "positional"):
            raise ValueError("judges: identified or positional, with values: wide")
        if self.values != "wide" and self.judges == "identified" and self.columns.judge is None:
            raise ValueError("columns.judge, which names who judged, where judges are identified")
        if self.values == "codes" and any(aspect.code is None for aspect in self.aspects.values()):
            raise ValueError("the letter code of each aspect, where values are codes")
        if (self.link == "number") != (self.corpus is not None):
            raise ValueError("corpus, whose sentences items number, with link: number alone")
        return self


class JudgmentsManifest(_Part):
    judgment_set: CorpusName
    title: Words
    licence: Words
    may_be_shared: bool
    origin: Words
    language: Language = "en"
    tokens: JudgedTokens = "blanks"
    task: Literal["correction", "simplification"] = "correction"
    judgments: Annotated[dict[Name, Task], Field(min_length=1)]

    @property
    def name(self) -> str:
        return self.judgment_set
