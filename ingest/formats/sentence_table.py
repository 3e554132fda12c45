"""Read sentences and their corrections from one file: a table, or JSON with one object per line.

docs/corpora.md describes both. Lang-8's `entries.train` has the columns number of corrections,
serial number, address, number of the sentence, sentence, and corrections.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

from maege.ingest.findings import Add, listing, quote
from maege.ingest.formats.annotation_file import MARKED_ABSENT, LeftOut
from maege.ingest.formats.common import SIGNS, is_json_object
from maege.ingest.reading import NO_TEXT, is_whole_number, parse_json

SOURCES = (
    "source",
    "src",
    "source_text",
    "source_sentence",
    "sentence",
    "sentence_text",
    "input",
    "original",
    "original_sentence",
    "orig",
    "incorrect",
    "text",
)
TARGET = re.compile(
    r"(?:gold_)?(?:target|tgt|reference|ref|correction|corrected|correct|gold|output)s?"
    r"(?:_?(?:text|sentence))?s?_?[0-9]*|sentence_annos"
)
# An id that is not a number, such as a hash. Words of sentences do not have this form.
NAMED_ID = re.compile(r"(?=[A-Za-z_.:-]*[0-9])[A-Za-z0-9_.:-]{2,}")
IDS = ("id", "uuid", "idx", "index", "sentence_id", "sid", "item")
# The kind of finding for an id of several rows.
REPEATED_ID = "repeated_id"
# Lang-8's columns before the sentence.
LANG8_COLUMNS = 4
ADDRESS = re.compile(r"https?://\S+")
NUMBER = re.compile(r"[+-]?[0-9]+(?:[.,:/-][0-9]+)*")
# A cell with quotation marks as CSV writes it. Tokenised speech has spaces inside the marks.
QUOTED = re.compile(r'"(?! )(?:[^"]|"")*(?<! )"')
IS_RIGHT = "没有错误"
NOT_ANNOTATED = "没有标注"
KEYS = "source and target, targets, reference or references"
EXPECTED = "a sentence and its corrections in columns, after an id at most or under a header"
REMEDY = (
    "Separate columns by tabs, without quoting, or write a header such as id, source and target; "
    "or say formats: {FILE: text}."
)

Texts = list[str | None]


@dataclass(frozen=True)
class TableRow:
    """A row of a file: its id, sentence, corrections and other columns; None is a missing text."""

    line: int
    row_id: str
    source: str
    targets: Texts
    named: dict[str, str | None] = field(default_factory=dict)

    def converted(self, convert: Callable[[str], str]) -> "TableRow":
        def converted(text: str | None) -> str | None:
            return None if text is None else convert(text)

        return replace(
            self,
            source=convert(self.source),
            targets=[*map(converted, self.targets)],
            named={name: converted(text) for name, text in self.named.items()},
        )


@dataclass
class SentenceTable:
    """The rows of a file, and its unused content; `names` are those of the other columns."""

    rows: list[TableRow] = field(default_factory=list)
    names: list[str] = field(default_factory=list)
    left_out: list[LeftOut] = field(default_factory=list)

    @property
    def most_targets(self) -> int:
        return max((len(row.targets) for row in self.rows), default=0)

    def repeated_ids(self) -> LeftOut | None:
        first_line: dict[str, int] = {}
        repeated: dict[str, int] = {}
        for row in self.rows:
            if row.row_id and first_line.setdefault(row.row_id, row.line) != row.line:
                repeated.setdefault(row.row_id, row.line)
        if not repeated:
            return None
        row_id, line = next(iter(repeated.items()))
        number = "1 id is" if len(repeated) == 1 else f"{len(repeated):,} ids are"
        detail = (
            f"{number} in several rows, such as {quote(row_id)} in lines {first_line[row_id]:,} "
            f"and {line:,}"
        )
        return LeftOut(line, REPEATED_ID, detail)

    def add(
        self,
        line: int,
        row_id: str,
        source: str,
        targets: Texts,
        named: dict[str, str | None] | None = None,
    ) -> None:
        """Add a row, with labels among its corrections replaced by their meaning."""
        corrections: Texts = []
        for target in targets:
            label = (target or "").strip()
            if label == NOT_ANNOTATED:
                detail = f"the correction {NOT_ANNOTATED}: no annotator corrected the sentence"
                self.left_out.append(LeftOut(line, MARKED_ABSENT, detail))
            is_text = label not in ("", NOT_ANNOTATED)
            corrections.append(source if label == IS_RIGHT else target if is_text else None)
        while corrections and corrections[-1] is None:
            corrections.pop()
        self.rows.append(TableRow(line, row_id, source, corrections, named or {}))


def are_columns(lines: Sequence[str]) -> bool:
    """Return whether the lines must be columns: they have a header, or ids that count up."""
    rows = [line.split("\t") for line in lines if line.strip()]
    if not rows:
        return False
    if _names_pairs(_unquoted(rows[0])) or _are_of_lang8(rows):
        return True
    return all(len(row) > 1 for row in rows) and (
        _has_header(rows[0]) or (len(rows[0]) > 2 and _counts([row[0] for row in rows]))
    )


def _has_header(cells: Sequence[str]) -> bool:
    names = [_key(cell) for cell in cells]
    is_named = any(name in SOURCES for name in names)
    return is_named and all(name and len(name.split()) < 4 for name in names) and len(names) > 1


def _names_pairs(cells: Sequence[str]) -> bool:
    names = [_key(cell) for cell in cells]
    sources = [name for name in names if name in SOURCES]
    return bool(sources) and any(TARGET.fullmatch(name) for name in names if name != sources[0])


def sign_between(lines: Sequence[str]) -> str | None:
    """Return the separator of columns if it is not a tab, detected from a header."""
    nonempty = [line for line in lines if line.strip()]
    for sign in (",", ";"):
        cells = [cell.strip('"') for cell in nonempty[0].split(sign)] if nonempty else []
        if _names_pairs(cells) and all(sign in line for line in nonempty):
            return f"columns separated by {SIGNS[sign]}"
    return None


def parse_columns(lines: Sequence[str], add: Add) -> SentenceTable:
    rows = [(n, line.split("\t")) for n, line in enumerate(lines, start=1) if line.strip()]
    table = SentenceTable()
    if not rows:
        return table
    header = _unquoted(rows[0][1])
    has_names = _has_header(header)
    rows = rows[has_names:]
    if not _remove_quotes(rows, add):
        return table
    all_cells = [cells for _, cells in rows]
    has_ids = _has_ids(all_cells)
    short = [number for number, cells in rows if len(cells) < 2]
    if short:
        add(short[0], f"no tab in {len(short)} lines, of which this is one", EXPECTED, REMEDY)
    elif has_names:
        _add_columns(table, header, rows, add)
    elif _are_of_lang8(all_cells):
        for number, (_, serial, _, place, source, *targets) in rows:
            table.add(number, f"{serial.strip()}/{place.strip()}", source, [*targets])
    elif _has_no_texts([cells[int(has_ids) :] for cells in all_cells]):
        found = f"a column of numbers or addresses: {quote(lines[rows[0][0] - 1])}"
        add(rows[0][0], found, EXPECTED, REMEDY)
    else:
        for number, cells in rows:
            row_id, source, *targets = cells if has_ids else ("", *cells)
            table.add(number, row_id.strip(), source, [*targets])
    return table


def parse_json_lines(lines: Sequence[str], add: Add) -> SentenceTable:
    table = SentenceTable()
    for number, line in enumerate(lines, start=1):
        if line.strip():
            fault = f"not a JSON object: {quote(line)}"
            if is_json_object(line):
                fault = _add_named(table, number, list(parse_json(line).items()))
            if fault:
                expected = f"an object with the keys {KEYS}, whose values are texts"
                remedy = "Rename the keys, or correct or remove the line."
                add(number, fault, expected, remedy)
    table.rows = [
        row.converted(lambda text: text.replace("\r", " ").replace("\n", " ")) for row in table.rows
    ]
    return table


def _are_of_lang8(rows: Sequence[Sequence[str]]) -> bool:
    return all(
        len(row) > LANG8_COLUMNS
        and all(row[place].strip().isdecimal() for place in (0, 1, 3))
        and ADDRESS.fullmatch(row[2].strip())
        for row in rows
    )


def _has_no_texts(rows: Sequence[Sequence[str]]) -> bool:
    def is_text(cell: str) -> bool:
        return not (NUMBER.fullmatch(cell.strip()) or ADDRESS.fullmatch(cell.strip()))

    return any(not any(map(is_text, column)) for column in zip(*rows, strict=False))


def _unquoted(cells: Sequence[str]) -> list[str]:
    return [cell[1:-1].replace('""', '"') if QUOTED.fullmatch(cell) else cell for cell in cells]


def _remove_quotes(rows: list[tuple[int, list[str]]], add: Add) -> bool:
    """Remove the quotation marks of CSV; return False, with a finding, for mixed marks.

    A column follows the rules of CSV in two cases: all of its cells are quoted, or all cells with a
    quotation mark are quoted and some of them double a mark. Other marks are text.
    """
    is_good = True
    for column in range(max((len(cells) for _, cells in rows), default=0)):
        cells = [(n, row[column]) for n, row in rows if len(row) > column and row[column].strip()]
        marked = [(number, cell) for number, cell in cells if '"' in cell]
        doubled = [cell for _, cell in marked if QUOTED.fullmatch(cell) and '""' in cell[1:-1]]
        unquoted = [(number, cell) for number, cell in marked if not QUOTED.fullmatch(cell)]
        if doubled and unquoted:
            is_good = False
            number, cell = unquoted[0]
            found = (
                f"a mark that breaks the rules of CSV: {quote(cell)}; not so: {quote(doubled[0])}"
            )
            add(number, found, "quotation marks that are all text, or all as in CSV", REMEDY)
        elif marked and not unquoted and (doubled or len(marked) == len(cells) > 1):
            for _, row in rows:
                row[column : column + 1] = _unquoted(row[column : column + 1])
    return is_good


def _add_named(table: SentenceTable, line: int, named_values: list[tuple[str, object]]) -> str:
    """Add a row of values with names; return what is wrong with it, or an empty text."""
    values = dict(reversed([(_key(name), value) for name, value in named_values]))
    key = next((name for name in SOURCES if name in values), None)
    source = values.get(key or "")
    if not isinstance(source, str):
        return f"no sentence under {key or listing(sorted(values))}"
    targets: Texts = []
    named: dict[str, str | None] = {}
    for name, value in named_values:
        if _key(name) != key and TARGET.fullmatch(_key(name)):
            texts = _texts(value)
            if texts is None:
                return f"no text or list of texts at {quote(name)}"
            targets += texts
        if _key(name) not in (key, *IDS) and (value is None or isinstance(value, str)):
            named.setdefault(name.strip(), value)
    if any(text and NO_TEXT.search(text) for text in (source, *targets, *named.values())):
        return "a text with a zero byte or half of a UTF-16 pair"
    row_id = next((str(values[name]).strip() for name in IDS if name in values), "")
    table.add(line, row_id, source, targets, named)
    table.names = list(dict.fromkeys([*table.names, *named]))
    return ""


def _add_columns(
    table: SentenceTable, header: list[str], rows: list[tuple[int, list[str]]], add: Add
) -> None:
    keys = [_key(name) for name in header]
    n_source = next(keys.index(name) for name in SOURCES if name in keys)
    # If the last column has corrections, additional columns of corrections may follow.
    is_open = keys[-1] != keys[n_source] and TARGET.fullmatch(keys[-1]) is not None
    for number, cells in rows:
        n_more = len(cells) - len(header)
        if len(cells) <= n_source or (n_more > 0 and not is_open):
            expected = f"{len(header)} columns: {listing(header)}"
            add(number, f"{len(cells)} columns", expected, REMEDY)
            return
        names = [*header, *[header[-1]] * n_more]
        _add_named(table, number, list(zip(names, [*cells, *[""] * -n_more], strict=True)))


def _texts(value: object) -> Texts | None:
    if value is None or isinstance(value, str):
        return [value]
    if isinstance(value, dict):
        key = next((name for name in value if TARGET.fullmatch(_key(name))), None)
        return None if key is None else _texts(value[key])
    if not isinstance(value, list) or any(isinstance(item, list) for item in value):
        return None
    texts = [_texts(item) for item in value]
    return [text for each in texts for text in each or ()] if None not in texts else None


def _has_ids(rows: Sequence[Sequence[str]]) -> bool:
    first = [row[0].strip() for row in rows]
    are_numbers = all(cell.isdecimal() for cell in first)
    are_names = len(set(first)) == len(first) and all(NAMED_ID.fullmatch(cell) for cell in first)
    return are_numbers or (are_names and len(first) > 1 and all(len(row) > 2 for row in rows))


def _counts(cells: Sequence[str]) -> bool:
    if not all(is_whole_number(cell.strip()) for cell in cells):
        return False
    numbers = [int(cell) for cell in cells]
    return numbers == list(range(numbers[0], numbers[0] + len(numbers)))


def _key(name: str) -> str:
    return name.strip().lstrip("\ufeff").lower().replace("-", "_").replace(" ", "_")
