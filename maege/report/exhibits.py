"""The parts of the page: sections with pictures, the rows behind them and their SQL."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from maege.numbers import format_change, format_interval, format_number, format_score, format_share

Row = dict[str, Any]
Kind = Literal["text", "marked", "count", "value", "change", "share", "score"]
# Fields that the filters at the top of the page select in all exhibits with these fields.
FILTERS = ("corpus", "metric_group", "variant")


@dataclass(frozen=True)
class Column:
    """A column of a table: a field of its rows, and the fields of its interval, if any."""

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
        """Return the value as text; empty for NULL."""
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
    """A field with one selected value at a time; without rows for the default, the first."""

    field: str
    label: str
    values: tuple[str, ...]
    default: str


@dataclass(frozen=True)
class Exhibit:
    """A picture, the table of its rows, and the query that they come from.

    `description` is the text for people who do not see the picture. `chart` reads the data set
    `rows`. `panel` is the smallest width of a small multiple, in pixels. `labels` is the field with
    the labels on the left (empty for numbers). `across` is the field of a grid's columns, which are
    at least `column_width` pixels wide. `is_open`: the table is open initially.
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
    column_width: int = 10
    is_open: bool = False

    @property
    def keys(self) -> tuple[str, ...]:
        """The fields that decide whether a row is shown."""
        if not self.rows:
            return ()
        chosen = [choice.field for choice in self.choices]
        names = [*FILTERS, *chosen]
        if "metric" in chosen:
            # The reader selects one metric here, which may be a variant.
            names.remove("variant")
        return tuple(name for name in names if name in self.rows[0])

    def selected(self, filters: Row) -> Row:
        """Return the initial values of filters and choices; each has rows if possible."""
        rows = [row for row in self.rows if is_shown(row, self.keys, filters)]
        selected = dict(filters)
        for choice in self.choices:
            present = {row[choice.field] for row in rows}
            default_first = sorted(choice.values, key=lambda value: value != choice.default)
            with_rows = (value for value in default_first if present & {value, None})
            selected[choice.field] = next(with_rows, choice.default)
            rows = [row for row in rows if row[choice.field] in (selected[choice.field], None)]
        return selected

    def shown(self, filters: Row) -> list[Row]:
        """Return the rows that the page shows initially."""
        selected = self.selected(filters)
        return [row for row in self.rows if is_shown(row, self.keys, selected)]

    def rows_of_metrics(self, filters: Row, metrics: Sequence[str]) -> list[Row]:
        """Return the initial rows, for each of the metrics if one is shown at a time."""
        if not metrics or all(choice.field != "metric" for choice in self.choices):
            return self.shown(filters)
        chosen = [self.selected(filters) | {"metric": metric} for metric in metrics]
        return [row for each in chosen for row in self.rows if is_shown(row, self.keys, each)]


def is_shown(row: Row, keys: Sequence[str], chosen: Row) -> bool:
    """Whether the row has all selected values; rows of chance are shown in every group."""
    return all(
        row[key] is None
        or chosen.get(key) in (None, "all", row[key])
        or (key == "metric_group" and row[key] == "chance")
        for key in keys
    )


@dataclass(frozen=True)
class Words:
    """Sentences about one corpus and one value of the filter for variants; empty: about all."""

    lines: tuple[str, ...]
    corpus: str = ""
    variant: str = ""


@dataclass(frozen=True)
class Bar:
    """A metric that could be the best, how often it ranks first, and its estimate."""

    metric: str
    share: float
    estimate: str


@dataclass(frozen=True)
class Answer:
    """The box on the first screen for one task of one corpus."""

    task: str
    verdict: str
    measure: str
    bars: tuple[Bar, ...]
    rest: str
    corpus: str
    variant: str = ""


@dataclass(frozen=True)
class Section:
    """A part of the page: `short` is its name in the list of sections, `title` a question.

    `missing` says why the section is empty; the page lists these reasons at its end.
    """

    name: str
    short: str
    title: str
    words: tuple[Words, ...] = ()
    exhibits: tuple[Exhibit, ...] = ()
    answers: tuple[Answer, ...] = ()
    html: str = ""
    missing: str = ""


_SHOWN: dict[Kind, Callable[[Any], str]] = {
    "text": str,
    # HTML, which `str` would turn into text.
    "marked": lambda html: html,
    "count": "{:,}".format,
    "value": format_number,
    "change": format_change,
    "share": format_share,
    "score": format_score,
}
