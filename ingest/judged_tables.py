"""Read tables of human judgments: texts, outputs and columns."""

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from maege.ingest.findings import Findings, listing, quote
from maege.ingest.formats.common import csv_rows
from maege.ingest.manifest_schema import Columns, Task, TextFiles
from maege.ingest.reading import TextFile, is_whole_number

Row = tuple[Any, ...]

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
    # Outputs of systems in other files, for judgments that name only the system.
    text_by_system: dict[tuple[str, str], str] = field(default_factory=dict)

    def item(self, item: str, source: str | None) -> str | None:
        """Register the item; return its earlier source if it differs."""
        earlier = self.sources.get(item)
        self.sources[item] = source if earlier is None else earlier
        return earlier if None not in (earlier, source) and earlier != source else None

    def output(
        self,
        item: str,
        text: str | None,
        systems: Sequence[str],
        source_systems: Iterable[str] = (),
    ) -> int:
        # An empty text is an output, unless another file has the text of one of the systems.
        if not text:
            texts = (self.text_by_system.get((item, system)) for system in systems)
            text = next((source for source in texts if source is not None), text)
        if not text and set(systems) & set(source_systems):
            text = self.sources.get(item)
        outputs = self.texts.setdefault(item, {})
        number = outputs.setdefault(tuple(systems) if text is None else text, len(outputs))
        self.systems.setdefault((item, number), {}).update(dict.fromkeys(systems))
        return number

    def rows(self, references: Collection[str]) -> dict[str, list[Row]]:
        outputs = [
            (item, number, key if isinstance(key, str) else None)
            for item, texts in self.texts.items()
            for key, number in texts.items()
        ]
        return {
            "judged_items": [
                (item, source, *self.links.get(item, (None, None)))
                for item, source in self.sources.items()
            ],
            "judged_outputs": [
                (item, number, text, text is not None and text == self.sources[item])
                for item, number, text in outputs
            ],
            "output_systems": [
                (item, number, system, system in references)
                for (item, number), systems in self.systems.items()
                for system in systems
            ],
        }


# --- Rows of a file of judgments ---

FIRST_ROW = 2


@dataclass(frozen=True)
class TableRow:
    line: int
    item: str
    values: dict[str, str]

    def get(self, column: str | None) -> str | None:
        """Return the value without surrounding white space; None if it is missing."""
        return (self.text(column) or "").strip() or None

    def text(self, column: str | None) -> str | None:
        """Return the unchanged value, which may be empty; None if it has no column."""
        return None if column is None else self.values[column]


@dataclass
class Reading:
    name: str
    task: Task
    files: dict[str, TextFile]
    texts: JudgedTexts
    findings: Findings
    left_out: list[tuple[int, str, str]] = field(default_factory=list)

    def fault(self, line: int, found: str, expected: str) -> None:
        shown = self.files[self.task.file].shown
        remedy = f"Correct the row, or the entry {self.name} of the manifest, such as its columns."
        self.findings.add(shown, line, found, expected, remedy)

    def lacks_output(self, row: TableRow, systems: Sequence[str], kind: str) -> bool:
        is_missing = not systems and self.task.columns.output is None
        if is_missing:
            self.fault(row.line, f"a {kind} of no output", "a text or the name of a system")
        return is_missing

    def aspect(self, row: TableRow) -> str | None:
        column, aspects = self.task.columns.aspect, self.task.aspects
        if column is None:
            return next(iter(aspects))
        names = {aspect.column or name: name for name, aspect in reversed(aspects.items())}
        name = row.get(column) or ""
        if name not in names:
            self.fault(row.line, f"the aspect {quote(name)}", f"one of {listing([*names])}")
        return names.get(name)

    def rows(self) -> Iterator[TableRow]:
        columns, conditions = self.task.columns, self.task.where
        extra = [*self.task.systems.values(), *conditions]
        for name, aspect in self.task.aspects.items() if columns.aspect is None else ():
            extra += aspect.raters.values()
            if not aspect.raters and not self.task.systems and self.task.kind == "ratings":
                extra.append(aspect.column or name)
            extra += [aspect.z_column] if aspect.z_column else []
        for row in self.table_rows(self.files[self.task.file], columns, extra):
            if any(row.values[name].strip() not in values for name, values in conditions.items()):
                continue
            earlier_source = self.texts.item(row.item, row.text(columns.source) or None)
            if earlier_source is not None:
                self.fault(
                    row.line,
                    f"the item {row.item} with the source {quote(row.values[str(columns.source)])}",
                    f"one source for an item, {quote(earlier_source)}, or an item_prefix",
                )
            self.link(row)
            yield row

    def link(self, row: TableRow) -> None:
        if self.task.corpus is None:
            return
        number = row.item.rpartition("/")[2]
        if is_whole_number(number) and int(number) >= self.task.first_item:
            self.texts.links[row.item] = (self.task.corpus, int(number) - self.task.first_item)
        else:
            expected = f"a whole number from first_item, {self.task.first_item}, with link: number"
            self.fault(row.line, f"the item {quote(number)}", expected)

    def item(
        self, columns: Columns, line: int, values: dict[str, str], numbers: dict[str, int]
    ) -> str:
        """Return the name of a line's item: from columns, else the source, else the line number."""
        prefix = [] if self.task.item_prefix is None else [self.task.item_prefix]
        if columns.item is not None:
            parts = [values[name].strip() for name in _listed(columns.item)]
        elif columns.source is not None:
            parts = [str(numbers.setdefault(values[columns.source], len(numbers)))]
        else:
            parts = [str(line - FIRST_ROW + self.task.first_item)]
        return "/".join([*prefix, *parts])

    def table_rows(
        self, file: TextFile, columns: Columns, extra: Iterable[str]
    ) -> Iterator[TableRow]:
        """Yield the rows of a table; its header shows the separator."""
        column_names: list[str] = []
        for value in (*columns.model_dump().values(), *extra):
            column_names += _listed(value) if value is not None else []
        names = list(dict.fromkeys(column_names))
        separator = max("\t,;", key="".join(file.lines[:1]).count)
        numbers: dict[str, int] = {}
        add = self.findings.about(file.shown)
        for line, values in csv_rows(file.lines, names, add, separator=separator):
            cells = dict(zip(names, values, strict=True))
            yield TableRow(line, self.item(columns, line, cells, numbers), cells)


def _listed(value: str | list[str]) -> list[str]:
    return value if isinstance(value, list) else [value]


# --- Texts in separate files ---


def read_texts(reading: Reading, texts: TextFiles) -> None:
    file = reading.files[str(texts.file or texts.source_lines)]
    if texts.file is None:
        _read_lines(reading, texts, file)
        return
    for row in reading.table_rows(file, texts.columns, texts.systems.values()):
        reading.texts.item(row.item, row.text(texts.columns.source) or None)
        outputs = {name: row.values[column] for name, column in texts.systems.items()}
        system, text = row.get(texts.columns.system), row.text(texts.columns.output)
        if system is not None and text is not None:
            outputs[system] = text
        for name, output in outputs.items():
            reading.texts.text_by_system.setdefault((row.item, name), output)


def _read_lines(reading: Reading, texts: TextFiles, source: TextFile) -> None:
    names = [
        reading.item(Columns(), number, {}, {}) for number, _ in enumerate(source.lines, FIRST_ROW)
    ]
    for item, text in zip(names, source.lines, strict=True):
        reading.texts.item(item, text)
    for system, path in texts.lines.items():
        file = reading.files[path]
        if len(file.lines) != len(source.lines):
            n_lines, expected = len(file.lines), f"{len(source.lines)}, as {source.shown} has"
            remedy = "Name files of one text for each item, in one order."
            reading.findings.add(file.shown, n_lines, f"{n_lines} lines", expected, remedy)
            continue
        for item, text in zip(names, file.lines, strict=True):
            reading.texts.text_by_system.setdefault((item, system), text)
