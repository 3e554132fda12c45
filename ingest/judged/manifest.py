"""The schema of a manifest of human judgments: one set, and its tasks by name.

Metrics are compared with tasks, not with sets: one set may have ratings and pairs, by different
judges on different scales.
"""

from collections.abc import Iterator
from typing import Annotated, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, model_validator

from maege.ingest.manifests.manifest_schema import CorpusName, FilePath, Language, Name, Words
from maege.ingest.manifests.plain_yaml import Location

Kind = Literal["ratings", "pairs", "edit_verdicts", "post_edits"]
# How names, or positions in a row, identify judges: docs/corpora.md.
Judges = Literal["identified", "positional", "bag", "single", "averaged"]
Values = Literal["number", "wide", "packed", "codes"]
Link = Literal["text", "number", "none"]
Provenance = Literal["judged", "by_text"]
Tokens = Literal["blanks", "characters", "contractions", "words", "13a"]

# The required columns of a kind of judgments, apart from those that name the output.
REQUIRED: dict[Kind, tuple[str, ...]] = {
    "ratings": (),
    "pairs": ("output_a", "output_b", "winner"),
    "edit_verdicts": ("source", "hypothesis", "verdict"),
    "post_edits": ("text",),
}


class _Part(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Aspect(_Part):
    """An aspect that judges were asked about, and its scale.

    `column` is its column if each aspect has a column, by default with its name. `z_column` is the
    column of published z-scores. `code` is the letter that says yes if values are codes. `raters`
    are the columns of a file with one column per rater. `neutral` is the rating of an output that
    changes nothing.
    """

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
    """Files with the texts of judged outputs, if the judgments do not contain them.

    A table with one row per output (`columns`), a table with one column per system (`systems`), or
    one file per system with one line per item (`lines`, where `source` is a file as well).
    """

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
    """Judgments of one kind, collected in one way.

    `systems` are the columns of a file with one column per system. `verdicts` maps each word of the
    file to its value. `winners` maps words to output a, output b or a tie, in addition to the names
    of their systems. `references` and `sources` are systems that represent references and the
    source. `where` selects rows by values of columns. `item_prefix` distinguishes items with equal
    numbers in different files. `first_item` is the number of the first line if items are lines.
    """

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
    tokens: Tokens | None = None
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
        if self.values == "wide":
            self._check_wide()
        elif self.judges == "identified" and self.columns.judge is None:
            raise ValueError("columns.judge, which names who judged, where judges are identified")
        if self.values == "codes" and any(aspect.code is None for aspect in self.aspects.values()):
            raise ValueError("the letter code of each aspect, where values are codes")
        if (self.link == "number") != (self.corpus is not None):
            raise ValueError("corpus, whose sentences items number, with link: number alone")
        return self

    def _check_wide(self) -> None:
        """Raise ValueError for keys that contradict one column per rater."""
        if self.judges not in ("identified", "positional"):
            raise ValueError("judges: identified or positional, with values: wide")
        if self.systems or any((self.columns.judge, self.columns.aspect, self.columns.value)):
            raise ValueError(
                "no systems and no columns of judge, aspect or value with values: wide"
            )
        if any(one.column or one.z_column for one in self.aspects.values()):
            raise ValueError("no column and no z_column under aspects with values: wide")


class JudgmentsManifest(_Part):
    """One set of human judgments; `may_be_shared` says whether its texts may be redistributed."""

    judgment_set: CorpusName
    title: Words
    licence: Words
    may_be_shared: bool
    origin: Words
    language: Language = "en"
    tokens: Tokens = "blanks"
    task: Literal["correction", "simplification"] = "correction"
    judgments: Annotated[dict[Name, Task], Field(min_length=1)]

    @property
    def name(self) -> str:
        """The name of the manifest, which is the name of its set."""
        return self.judgment_set

    @property
    def corpus(self) -> str:
        """The name of the set in columns for names of corpora."""
        return self.judgment_set


def judgment_paths(manifest: JudgmentsManifest) -> Iterator[tuple[Location, str]]:
    """Yield every path of the manifest with its location."""
    for name, task in manifest.judgments.items():
        yield ("judgments", name, "file"), task.file
        if task.texts is None:
            continue
        place = ("judgments", name, "texts")
        if task.texts.file is not None:
            yield (*place, "file"), task.texts.file
        if task.texts.source_lines is not None:
            yield (*place, "source_lines"), task.texts.source_lines
        for system, path in task.texts.lines.items():
            yield (*place, "lines", system), path


def part_at(location: Location) -> type[BaseModel]:
    """Return the schema of the mapping that contains the key at the end of a location."""
    keys = [str(key) for key in location[:-1]]
    if not keys:
        return JudgmentsManifest
    if keys[-1] == "columns":
        return Columns
    if keys[-1] == "texts":
        return TextFiles
    return Aspect if "aspects" in keys else Task
