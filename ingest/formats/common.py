"""Shared parts of the readers: kinds of files, CSV rows, XML without entities."""

import csv
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple
from xml.sax import SAXParseException
from xml.sax.handler import ContentHandler
from xml.sax.xmlreader import AttributesImpl

from defusedxml import DefusedXmlException
from defusedxml.expatreader import DefusedExpatParser

from maege.ingest.findings import Add, listing, quote
from maege.ingest.reading import parse_json

# --- Detection of other kinds of files ---

SENTENCE = re.compile(r"[\ufeff \t]*S(?:[ \t]|$)")
DETAILED = re.compile(r"[ \t]*A\s+-?[0-9]+ +-?[0-9]+ *\|\|\|")
ROOT = re.compile(r"<([A-Za-z_][\w.:-]*)")
# Number of lines that are read to detect the kind of a file.
LINES_LOOKED_AT = 2_000
# Kinds of files that contain no plain sentences, and how to use them.
OTHER_KINDS = {
    "XML or HTML": "Name the I-measure's gold under annotations and Appraise's rankings under "
    "judgments; write other XML as M2 or one sentence per line.",
    "JSON": "Write an object in each line: jq -c '.[]' OLD.json > NEW.jsonl",
    "M2": "Name it under annotations; its S lines are the sentences.",
    "columns with a token in each line (CoNLL)": "Write one sentence per line, its tokens "
    "separated by blanks, or M2 of its errors.",
}


def other_kind(lines: Sequence[str]) -> str | None:
    """Return the kind of the lines, if they are neither sentences nor a table of sentences."""
    nonempty = [line for line in lines[:LINES_LOOKED_AT] if line.strip("\ufeff \t")]
    if not nonempty:
        return None
    first, last = nonempty[0].lstrip("\ufeff \t"), nonempty[-1].rstrip()
    # A sentence may begin with a tag.
    root = ROOT.match(first)
    if first.startswith(("<?xml", "<!")) or (root and last.endswith(f"</{root[1]}>")):
        return "XML or HTML"
    if first.startswith(("[", "{")) and _parsed("\n".join(lines)) is not None:
        return "JSON"
    if any(map(SENTENCE.match, nonempty)) and any(map(DETAILED.match, nonempty)):
        return "M2"
    rows = [line.split("\t") for line in nonempty if not line.startswith("# ")]
    is_table = len(rows) > 1 and len(rows[0]) > 1 and len({len(row) for row in rows}) == 1
    has_words = is_table and all(" " not in cell.strip() for row in rows for cell in row)
    if has_words and any(not line.strip() for line in lines[:LINES_LOOKED_AT]):
        return "columns with a token in each line (CoNLL)"
    return None


def is_json_object(line: str) -> bool:
    return line.lstrip().startswith("{") and isinstance(_parsed(line), dict)


def _parsed(text: str) -> object:
    try:
        return parse_json(text)
    except ValueError:
        return None


# --- Rows of a table with their line numbers ---

SIGNS = {",": "commas", "\t": "tabs", ";": "semicolons"}


def csv_rows(
    lines: Sequence[str],
    columns: Sequence[str],
    add: Add,
    *,
    separator: str = ",",
    is_quoted: bool = True,
    header: Sequence[str] = (),
) -> Iterator[tuple[int, list[str]]]:
    """Yield the line number and the values of `columns` of every row.

    The header must contain each of these columns once, perhaps in another case. `header` is the
    header of a file without one. A quoted value may contain line ends; the row then has the number
    of its last line. Rows with faults are skipped, with a finding each.
    """
    reader = csv.reader(
        (line + "\n" for line in lines),
        delimiter=separator,
        strict=True,
        quoting=csv.QUOTE_MINIMAL if is_quoted else csv.QUOTE_NONE,
    )

    def fault(found: str) -> None:
        add(
            max(reader.line_num, 1),
            found,
            f"rows of {listing([*columns])}, each column once, separated by {SIGNS[separator]}",
            "Write the header as the first line, all of its columns in each row, and double "
            "quotes around a value that contains the separator.",
        )

    try:
        header = [*header] or [name.strip() for name in next(reader, [])]
        places = [_place(header, name) for name in columns]
        missing = [name for name, place in zip(columns, places, strict=True) if place is None]
        if not lines:
            fault("an empty file")
        elif missing:
            fault(f"no column {listing(missing)} in {quote(separator.join(header))}")
        if not lines or missing:
            return
        for values in reader:
            if len(values) == len(header):
                yield reader.line_num, [values[place] for place in places if place is not None]
            elif any(value.strip() for value in values):
                found = f"{len(values)} columns instead of {len(header)}"
                fault(f"{found}: {quote(separator.join(values))}")
    except csv.Error as error:
        fault(f"a line that is not CSV: {error}")


def _place(header: list[str], name: str) -> int | None:
    lowered = [cell.lower() for cell in header]
    for cells, column in ((header, name), (lowered, name.lower())):
        if number := cells.count(column):
            return cells.index(column) if number == 1 else None
    return None


# --- XML without document type definitions and entities ---

DOCUMENT = "a document"


@dataclass
class Element:
    name: str
    line: int
    attributes: dict[str, str]
    children: list["Element"] = field(default_factory=list)
    text: str = ""

    def get(self, name: str) -> str:
        return self.attributes.get(name, "").strip()


class XmlForm(NamedTuple):
    """Allowed children and required attributes of each element; readers process a `unit`."""

    kind: str
    children: Mapping[str, Sequence[str]]
    attributes: Mapping[str, Sequence[str]]
    unit: str
    with_text: Sequence[str] = ()


def xml_units(
    lines: Sequence[str],
    form: XmlForm,
    add: Add,
    is_skipped: Callable[[Element], bool] = lambda _: False,
) -> list[Element] | None:
    """Return the units of a document; None and a finding if the document cannot be read.

    A document type definition is rejected, and so are entities. Units that satisfy `is_skipped` are
    removed without a finding.
    """
    parser = DefusedExpatParser(forbid_dtd=True)
    reader = _XmlReader(parser)
    parser.setContentHandler(reader)
    try:
        for line in [f"{line}\n" for line in lines] or [""]:
            parser.feed(line)
        parser.close()
    except (SAXParseException, DefusedXmlException) as error:
        found = "a document type definition (<!DOCTYPE ...>)"
        if isinstance(error, SAXParseException):
            found = f"broken XML: {error.getMessage()}"
        add(
            int(parser.getLineNumber() or 0),
            found,
            f"well-formed XML without type definition, entities and external files: {form.kind}",
            "Close every element, write & as &amp; and < as &lt;, and write out what entities "
            "stand for; or fetch the file again.",
        )
        return None
    return list(_checked_units(reader.document, form, add, is_skipped))


class _XmlReader(ContentHandler):
    def __init__(self, parser: DefusedExpatParser) -> None:
        super().__init__()
        self.document = Element(DOCUMENT, 0, {})
        self._parser = parser
        self._open = [self.document]

    def startElement(self, name: str, attrs: AttributesImpl) -> None:  # noqa: N802 - SAX's name
        element = Element(name, int(self._parser.getLineNumber() or 0), dict(attrs.items()))
        self._open[-1].children.append(element)
        self._open.append(element)

    def endElement(self, name: str) -> None:  # noqa: ARG002, N802 - SAX's name
        self._open.pop()

    def characters(self, content: str) -> None:
        self._open[-1].text += content


def _checked_units(
    element: Element, form: XmlForm, add: Add, is_skipped: Callable[[Element], bool]
) -> Iterator[Element]:
    allowed, required = form.children[element.name], form.attributes.get(element.name, ())
    remedy = f"Correct it; docs/corpora.md shows {form.kind}."
    for name in required:
        if not element.get(name):
            expected = f"<{element.name} {' '.join(f'{name}=...' for name in required)}>"
            add(element.line, f"no attribute {name} of <{element.name}>", expected, remedy)
    if element.text.strip() and element.name not in form.with_text:
        found = f"the text {quote(element.text.strip())} in {element.name}"
        add(element.line, found, "no text", remedy)
    children = []
    for child in element.children:
        if child.name not in allowed:
            expected = " or ".join(f"<{name}>" for name in allowed) or "no element"
            found = f"the element {quote(child.name)} in {element.name}"
            add(child.line, found, expected, remedy)
        elif child.name != form.unit or not is_skipped(child):
            children.append(child)
            yield from _checked_units(child, form, add, is_skipped)
    element.children = children
    if element.name == form.unit:
        yield element
