"""Read tables of human judgments: texts, outputs and columns."""

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from maege.ingest.findings import Findings, listing, quote
from maege.ingest.formats.common import csv_rows
from maege.ingest.manifest_schema import Columns, Task, TextFiles
from maege.ingest.reading import TextFile, is_whole_number

Row = tuple[Any, ...]
# Returns the name of the item of a line, given the values of its columns.
ItemOf = Callable[[int, dict[str, str]], str]

# --- Items and judged outputs of a set ---


@dataclass
class JudgedTexts:
    """The items and outputs of a set, in the order of their first occurrence.

    Equal texts of an item are one output; as two outputs they would tie without a judgment. If the
    text is unknown, the systems identify the output.
    """

    sources: dict[str, str | None] = field(default_factory=dict)
    texts: dict[str, dict[str | tuple[str, ...], int]] = field(default_factory=dict)
    systems: dict[tuple[str, int], dict[str, None]] = field(default_factory=dict)
    links: dict[str, tuple[str, int]] = field(default_factory=dict)
    _text_by_system: dict[tuple[str, str], str] = field(default_factory=dict)

    def item(self, item: str, source: str | None) -> str | None:
        """Register the item; return its earlier source if it differs."""
        earlier = self.sources.get(item)
        self.sources[item] = source if earlier is None else earlier
        return earlier if None not in (earlier, source) and earlier != source else None

    def knows(self, item: str, system: str, text: str) -> None:
        """Register a system's output of an item, for judgments that name only the system."""
        self._text_by_system.setdefault((item, system), text)

    def output(
        self,
        item: str,
        text: str | None,
        systems: Sequence[str],
        source_systems: Iterable[str] = (),
    ) -> int:
        """Return the number of the output within its item, from 0.

        An empty text is an output, unless another file has the text of one of the systems.
        """
        if not text:
            texts = (self._text_by_system.get((item, system)) for system in systems)
            text = next((source for source in texts if source is not None), text)
        if not text and set(systems) & set(source_systems):
            text = self.sources.get(item)
        outputs = self.texts.setdefault(item, {})
        number = outputs.setdefault(tuple(systems) if text is None else text, len(outputs))
        self.systems.setdefault((item, number), {}).update(dict.fromkeys(systems))
        return number

    def rows(self, references: Collection[str] = ()) -> dict[str, list[Row]]:
        """Return the rows of items, outputs and their systems, by raw table.

        `references` are the systems that represent references.
        """
        return {
            "judged_items": [
                (item, source, *self.links.get(item, (None, None)))
                for item, source in self.sources.items()
            ],
            "judged_outputs": [
                (item, number, _text(key), _text(key) is not None and key == self.sources[item])
                for item, outputs in self.texts.items()
                for key, number in outputs.items()
            ],
            "output_systems": [
                (item, number, system, system in references)
                for (item, number), systems in self.systems.items()
                for system in systems
            ],
        }


def _text(key: str | tuple[str, ...]) -> str | None:
    return key if isinstance(key, str) else None


# --- Rows of a file of judgments ---

FIRST_ROW = 2


@dataclass(frozen=True)
class TableRow:
    """A row with its line, counted from 1, its item and its values by column."""

    line: int
    item: str
    values: dict[str, str]

    def get(self, column: str | None) -> str | None:
        """Return the value without surrounding white space; None if it is missing."""
        return (self.values[column].strip() or None) if column is not None else None

    def text(self, column: str | None) -> str | None:
        """Return the unchanged value; None if it is empty or has no column."""
        return (self.values[column] or None) if column is not None else None

    def output(self, column: str | None) -> str | None:
        """Return the text of an output, which may be empty; None if texts have no column."""
        return None if column is None else self.values[column]


@dataclass
class Reading:
    """The state of reading: a task of a set, its files, and the findings."""

    name: str
    task: Task
    files: dict[str, TextFile | None]
    texts: JudgedTexts
    findings: Findings
    left_out: list[tuple[int, str, str]] = field(default_factory=list)

    @property
    def shown(self) -> str:
        """The name of the file of judgments in findings."""
        file = self.files[self.task.file]
        return file.shown if file else self.task.file

    def fault(self, line: int, found: str, expected: str, remedy: str) -> None:
        """Add a finding about a line of the judgments."""
        self.findings.add(self.shown, line, found, expected, remedy)

    def lacks_output(self, row: TableRow, systems: Sequence[str], kind: str) -> bool:
        """Return whether the row has neither a text nor a system, with a finding."""
        if systems or row.output(self.task.columns.output) is not None:
            return False
        self.fault(
            row.line,
            f"a {kind} of no output",
            "a text or the name of a system",
            "Fill in what is missing, or name the column under columns.",
        )
        return True

    def aspect(self, row: TableRow) -> str | None:
        """Return the aspect that the row is about; None and a finding if it is unknown."""
        column, aspects = self.task.columns.aspect, self.task.aspects
        if column is None:
            return next(iter(aspects))
        names = {aspect.column or name: name for name, aspect in reversed(aspects.items())}
        name = row.get(column) or ""
        if name not in names:
            self.unknown_aspect(row, name, [*reversed(names)])
        return names.get(name)

    def unknown_aspect(self, row: TableRow, aspect: str, names: list[str]) -> None:
        """Add a finding for an aspect or a code that the manifest does not name."""
        self.fault(
            row.line,
            f"the aspect {quote(aspect)}",
            f"one of {listing(names)}",
            "Name it under aspects, or correct it.",
        )

    def rows(self) -> Iterator[TableRow]:
        """Yield the rows of the judgments that the task selects, and register their items."""
        file = self.files[self.task.file]
        if file is None:
            return
        columns, conditions = self.task.columns, self.task.where
        extra = [*self.task.systems.values(), *conditions]
        if self.task.kind in ("ratings", "pairs") and columns.aspect is None:
            for name, aspect in self.task.aspects.items():
                if aspect.raters:
                    extra += aspect.raters.values()
                elif not self.task.systems and self.task.kind == "ratings":
                    extra.append(aspect.column or name)
                extra += [aspect.z_column] if aspect.z_column else []
        numbers: dict[str, int] = {}
        for row in table_rows(file, columns, extra, self.item_of(numbers), self.findings):
            if any(row.values[name].strip() not in values for name, values in conditions.items()):
                continue
            earlier_source = self.texts.item(row.item, row.text(columns.source))
            if earlier_source is not None:
                self.fault(
                    row.line,
                    f"the item {row.item} with the source {quote(row.values[str(columns.source)])}",
                    f"one source for an item; it had {quote(earlier_source)}",
                    "Give the items of one of the tasks an item_prefix, or correct the text.",
                )
            self.link(row)
            yield row

    def link(self, row: TableRow) -> None:
        """Record the sentence of a corpus that an item refers to by number."""
        if self.task.corpus is None:
            return
        number = row.item.rpartition("/")[2]
        if is_whole_number(number) and int(number) >= self.task.first_item:
            self.texts.links[row.item] = (self.task.corpus, int(number) - self.task.first_item)
        else:
            self.fault(
                row.line,
                f"the item {quote(number)}",
                f"a whole number from {self.task.first_item}, as with link: number",
                "Correct the number, first_item or link.",
            )

    def item_of(self, numbers: dict[str, int], columns: Columns | None = None) -> ItemOf:
        """Return the name of a line's item: from columns, else the source, else the line number."""
        chosen = columns or self.task.columns
        prefix = [] if self.task.item_prefix is None else [self.task.item_prefix]

        def named(line: int, values: dict[str, str]) -> str:
            if chosen.item is not None:
                parts = [values[name].strip() for name in _listed(chosen.item)]
            elif chosen.source is not None:
                source = values[chosen.source]
                parts = [str(numbers.setdefault(source, len(numbers)))]
            else:
                parts = [str(line - FIRST_ROW + self.task.first_item)]
            return "/".join([*prefix, *parts])

        return named


def table_rows(
    file: TextFile,
    columns: Columns,
    extra: Sequence[str],
    item_of: ItemOf,
    findings: Findings,
) -> Iterator[TableRow]:
    """Yield the rows of a table; its header shows the separator (tab, semicolon, comma)."""
    column_names: list[str] = []
    for value in (*columns.model_dump().values(), *extra):
        column_names += _listed(value) if value is not None else []
    names = list(dict.fromkeys(column_names))
    header = file.lines[0] if file.lines else ""
    separator = max("\t,;", key=header.count)
    for line, values in csv_rows(file.lines, names, file.shown, findings, separator=separator):
        cells = dict(zip(names, values, strict=True))
        yield TableRow(line, item_of(line, cells), cells)


def _listed(value: str | list[str]) -> list[str]:
    return value if isinstance(value, list) else [value]


# --- Texts in separate files ---


def read_texts(reading: Reading, texts: TextFiles) -> None:
    """Register sources and outputs of systems, for judgments that name only systems."""
    file = reading.files[str(texts.file or texts.source_lines)]
    if file is None:
        return
    item_of = reading.item_of({}, texts.columns)
    if texts.file is None:
        _read_lines(reading, texts, file, item_of)
        return
    extra = list(texts.systems.values())
    for row in table_rows(file, texts.columns, extra, item_of, reading.findings):
        reading.texts.item(row.item, row.text(texts.columns.source))
        system, text = row.get(texts.columns.system), row.output(texts.columns.output)
        if system is not None and text is not None:
            reading.texts.knows(row.item, system, text)
        for name, column in texts.systems.items():
            reading.texts.knows(row.item, name, row.values[column])


def _read_lines(reading: Reading, texts: TextFiles, source: TextFile, item_of: ItemOf) -> None:
    first = {"": ""}
    names = [item_of(number, first) for number in range(2, len(source.lines) + 2)]
    for item, text in zip(names, source.lines, strict=True):
        reading.texts.item(item, text)
    for system, path in texts.lines.items():
        file = reading.files[path]
        if file is None:
            continue
        if len(file.lines) != len(source.lines):
            reading.findings.add(
                file.shown,
                len(file.lines),
                f"{len(file.lines)} lines",
                f"{len(source.lines)}, as {source.shown} has",
                "Name files of one text for each item, in one order.",
            )
            continue
        for item, text in zip(names, file.lines, strict=True):
            reading.texts.knows(item, system, text)
