"""What the page is made of: sections of pictures, with the rows and the SQL behind these."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from maege.numbers import (
    format_change,
    format_interval,
    format_number,
    format_score,
    format_share,
)

Row = dict[str, Any]
Kind = Literal["text", "marked", "count", "value", "change", "share", "score"]
# What the filters at the head of the page set, in all exhibits whose rows have it.
FILTERS = ("corpus", "metric_group", "variant")


@dataclass(frozen=True)
class Column:
    """A column of a table: a field of its rows, and the ends of its interval if it has one."""

    field: str
    label: str
    kind: Kind = "text"
    low: str = ""
    high: str = ""

    @property
    def is_number(self) -> bool:
        """Whether cells are aligned to the right."""
        return self.kind not in ("text", "marked")

    def cell(self, row: Row) -> str:
        """Return the value as people read it; nothing for NULL."""
        value = row.get(self.field)
        if value is None:
            return ""
        shown = _SHOWN[self.kind](value)
        if not self.low:
            return shown
        ends = format_interval(row[self.low], row[self.high], _SHOWN[self.kind])
        return f"{shown} {ends}".strip()


@dataclass(frozen=True)
class Choice:
    """A field of which one value is shown at a time, with the values and the first one shown."""

    field: str
    label: str
    values: tuple[str, ...]
    default: str


@dataclass(frozen=True)
class Exhibit:
    """A picture, the table of its rows, and the query that they come from.

    `title` is the question that the picture answers, `description` what it shows for those who do
    not see it. `chart` reads the data set `rows`. `panel` is the least width of a small one,
    `labels` the field whose values stand at the left (none where numbers do), `across` the one of
    a grid's columns, and `is_open` whether the table is open from the start.
    """

    name: str
    title: str
    description: str
    sql: str
    columns: tuple[Column, ...]
    rows: list[Row]
    chart: Any = None
    choices: tuple[Choice, ...] = ()
    note: str = ""
    panel: int = 0
    labels: str = "metric"
    across: str = ""
    is_open: bool = False

    @property
    def keys(self) -> tuple[str, ...]:
        """The fields that decide whether a row is shown."""
        if not self.rows:
            return ()
        chosen = [choice.field for choice in self.choices]
        names = [*FILTERS, *chosen]
        if "metric" in chosen:
            # One metric is chosen here, which may be a variant.
            names.remove("variant")
        return tuple(name for name in names if name in self.rows[0])

    def shown(self, defaults: Row) -> list[Row]:
        """Return the rows that are shown before anybody has chosen anything."""
        chosen = defaults | {choice.field: choice.default for choice in self.choices}
        return [row for row in self.rows if is_shown(row, self.keys, chosen)]

    def of_metrics(self, defaults: Row, metrics: Sequence[str]) -> list[Row]:
        """Return the rows shown first, of each of these metrics where one is shown at a time."""
        if not metrics or all(choice.field != "metric" for choice in self.choices):
            return self.shown(defaults)
        chosen = defaults | {choice.field: choice.default for choice in self.choices}
        return [
            row
            for metric in metrics
            for row in self.rows
            if is_shown(row, self.keys, chosen | {"metric": metric})
        ]


def is_shown(row: Row, keys: Sequence[str], chosen: Row) -> bool:
    """Whether the row has all chosen values; a group that is not chosen hides no chance."""
    return all(
        row[key] is None
        or chosen.get(key) in (None, "all", row[key])
        or (key == "metric_group" and row[key] == "chance")
        for key in keys
    )


@dataclass(frozen=True)
class Words:
    """Sentences that are about one corpus, or about all where it is empty."""

    lines: tuple[str, ...]
    corpus: str = ""


@dataclass(frozen=True)
class Bar:
    """A metric that could be the best, how often it comes first, and how well it does."""

    metric: str
    share: float
    estimate: str


@dataclass(frozen=True)
class Answer:
    """What the first screen says to one task of one corpus."""

    task: str
    said: str
    measure: str
    bars: tuple[Bar, ...]
    rest: str
    corpus: str


@dataclass(frozen=True)
class Section:
    """A part of the page. `title` is a question.

    A section that `is_empty` has the reason in `words`; the page lists it at its end.
    """

    name: str
    title: str
    words: tuple[Words, ...] = ()
    exhibits: tuple[Exhibit, ...] = ()
    answers: tuple[Answer, ...] = ()
    extra: dict[str, Any] = field(default_factory=dict)
    is_empty: bool = False


def numbered(found: list[Row]) -> list[Row]:
    """Return the rows with their order, which charts sort by."""
    for order, row in enumerate(found):
        row["order"] = order
    return found


def without(name: str, title: str, why: str) -> Section:
    """Return a section that says in one line why it is empty."""
    return Section(name, title, (Words((why,)),), is_empty=True)


_SHOWN: dict[Kind, Callable[[Any], str]] = {
    "text": str,
    "marked": str,
    "count": "{:,}".format,
    "value": format_number,
    "change": format_change,
    "share": format_share,
    "score": format_score,
}
