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

from maege.ingest.findings import Add, FaultError, Findings, listing, quote
from maege.ingest.reading import parse_json

# --- Detection of other kinds of files ---

SENTENCE = re.compile(r"[\ufeff \t]*S(?:[ \t]|$)")
DETAILED = re.compile(r"[ \t]*A\s+-?[0-9]+ +-?[0-9]+ *\|\|\|")
ROOT = re.compile(r"<([A-Za-z_][\w.:-]*)")
LARGE_FILES = "version https://git-lfs.github.com/spec/"
CONLL_COLUMNS = 2
# Number of lines that are read to detect the kind of a file.
LINES_LOOKED_AT = 2_000


class Dialect(NamedTuple):
    """A kind of file, and how to make it readable."""

    name: str
    way_out: str


def dialect_of(lines: Sequence[str]) -> Dialect | None:
    """Return the kind of the lines, if they are neither sentences nor a table of sentences."""
    nonempty = [line for line in lines[:LINES_LOOKED_AT] if line.replace("\ufeff", "").strip()]
    if not nonempty:
        return None
    first = nonempty[0].lstrip("\ufeff \t")
    if first.startswith(LARGE_FILES):
        return Dialect("a pointer of Git LFS, not the file", "Fetch the file: git lfs pull.")
    if first.startswith("<") and (markup := _markup(nonempty)) is not None:
        return markup
    if first.startswith(("[", "{")):
        return _json(lines, first)
    if is_m2(nonempty):
        return Dialect("M2", "Name it under annotations; its S lines are the sentences.")
    if _is_conll(lines, nonempty):
        return Dialect(
            "columns with a token a line (CoNLL)",
            "Write one sentence per line, its tokens separated by blanks, or M2 of its errors.",
        )
    return None


def is_m2(lines: Sequence[str]) -> bool:
    """Return whether the lines contain sentences and edits in M2 format."""
    has_sentence = any(SENTENCE.match(line) for line in lines)
    return has_sentence and any(DETAILED.match(line) for line in lines)


def may_be_m2(lines: Sequence[str]) -> bool:
    """Return whether any line is in M2 format."""
    return any(SENTENCE.match(line) or DETAILED.match(line) for line in lines)


def refuse_dialect(dialect: Dialect | None, shown: str, expected: str, findings: Findings) -> bool:
    """If the lines are of another kind, add one finding that names it, and return True."""
    if dialect is not None:
        findings.add(shown, 0, dialect.name, expected, dialect.way_out)
    return dialect is not None


def _markup(nonempty: Sequence[str]) -> Dialect | None:
    start = "\n".join(nonempty[:50]).lstrip("\ufeff \t")
    if re.match(r"<!doctype html|<html", start, re.IGNORECASE):
        return Dialect("an HTML page", "Fetch the file itself, not the page that shows it.")
    root = ROOT.search(start)
    # A sentence may begin with a tag.
    if root is None or not (start.startswith(("<?xml", "<!")) or _is_element(nonempty, root[1])):
        return None
    return _other_xml(root[1])


def _other_xml(root: str) -> Dialect:
    return Dialect(
        f"XML with the root <{root}>",
        "Supported are the I-measure's gold (<scripts>) under annotations and Appraise's rankings "
        "(<appraise-results>) under judgments; write other XML as M2 or one sentence per line.",
    )


def _is_element(nonempty: Sequence[str], name: str) -> bool:
    last = nonempty[-1].rstrip()
    return last.endswith((f"</{name}>", "/>")) or len(nonempty) == LINES_LOOKED_AT


def _json(lines: Sequence[str], first: str) -> Dialect | None:
    content = _parsed(first)
    if isinstance(content, dict):
        return Dialect(
            "JSON with an object a line",
            "Name it as source, text or output; annotations are M2, or extracted from its texts.",
        )
    if isinstance(content, list) and len(content) > 1 and all(isinstance(t, str) for t in content):
        return Dialect(
            "JSON with a list a line",
            "Write an object a line: jq -c '{source: .[0], targets: .[1:]}' OLD > NEW.jsonl",
        )
    content = _parsed("\n".join(lines))
    if content is None:
        return None
    name = "one JSON list" if isinstance(content, list) else "one JSON object over several lines"
    return Dialect(name, "Write an object a line: jq -c '.[]' OLD.json > NEW.jsonl")


def _parsed(text: str) -> object:
    try:
        return parse_json(text)
    except ValueError:
        return None


def is_json_object(line: str) -> bool:
    """Return whether the line is a complete JSON object."""
    return line.lstrip().startswith("{") and isinstance(_parsed(line), dict)


def _is_conll(lines: Sequence[str], nonempty: Sequence[str]) -> bool:
    rows = [line.split("\t") for line in nonempty if not line.startswith("# ")]
    if len(rows) < CONLL_COLUMNS or len(rows[0]) < CONLL_COLUMNS:
        return False
    is_table = all(len(row) == len(rows[0]) for row in rows)
    has_words = all(" " not in cell.strip() for row in rows for cell in row)
    return is_table and has_words and any(not line.strip() for line in lines[:LINES_LOOKED_AT])


def shown_start(lines: Sequence[str]) -> str:
    """Return the first non-empty line in the form that findings show."""
    return quote(next((line for line in lines if line.strip()), ""))


# --- Rows of a table with their line numbers ---

SIGNS = {",": "commas", "\t": "tabs", ";": "semicolons"}


def csv_rows(
    lines: Sequence[str],
    columns: Sequence[str] | Callable[[list[str]], Sequence[str]],
    shown: str,
    findings: Findings,
    *,
    only: bool = False,
    separator: str = ",",
    is_quoted: bool = True,
    header: Sequence[str] = (),
) -> Iterator[tuple[int, list[str]]]:
    """Yield the line number and the values of `columns` of every row.

    With `only` the header must be exactly these columns; else it must contain each of them once,
    perhaps in another case. The columns may depend on the header. `header` is the header of a file
    without one. A quoted value may contain line ends; the row then has the number of its last line.
    Rows with faults are skipped, with a finding each. If columns are missing, there are no rows.
    """
    add = findings.about(shown)
    expected = f"rows of values, separated by {SIGNS[separator]}"
    reader = csv.reader(
        (line + "\n" for line in lines),
        delimiter=separator,
        strict=True,
        quoting=csv.QUOTE_MINIMAL if is_quoted else csv.QUOTE_NONE,
    )
    is_table = False
    try:
        header = [*header] or [name.strip() for name in next(reader, [])]
        if not lines:
            add(1, "an empty file", expected, "Give the file that has the rows.")
            return
        names = columns(header) if callable(columns) else columns
        places = [_place(header, name) for name in names]
        missing = [name for name, place in zip(names, places, strict=True) if place is None]
        is_table = not missing and (not only or header == [*names])
        if not is_table:
            # Columns separated by tabs lack their header; they are no other kind of file.
            is_dialect = separator != "\t" or len(header) == 1
            if is_dialect and refuse_dialect(dialect_of(lines), shown, expected, findings):
                return
            expected_header = (
                f"the header {separator.join(names)}" if only else f"columns {listing([*names])}"
            )
            _add_header_finding(header, missing, expected_header, separator, add)
            return
        for values in reader:
            if len(values) == len(header):
                yield reader.line_num, [values[place] for place in places if place is not None]
            elif any(value.strip() for value in values):
                add(
                    reader.line_num,
                    f"{len(values)} columns: {quote(separator.join(values))}",
                    f"{len(header)} columns: {', '.join(header)}",
                    f"Write all columns of the header, separated by {SIGNS[separator]}.",
                )
    except csv.Error as error:
        if not is_table and refuse_dialect(dialect_of(lines), shown, expected, findings):
            return
        add(
            reader.line_num,
            f"a line that is not CSV: {error}",
            f"values separated by {SIGNS[separator]}, with double quotes around a value that "
            "contains the separator",
            "Correct the quotation marks.",
        )


def _place(header: list[str], name: str) -> int | None:
    """Return the position of the column; None unless it occurs once, perhaps in another case."""
    lowered = [cell.lower() for cell in header]
    for cells, column in ((header, name), (lowered, name.lower())):
        if number := cells.count(column):
            return cells.index(column) if number == 1 else None
    return None


def _add_header_finding(
    header: list[str], missing: list[str], expected: str, separator: str, add: Add
) -> None:
    header_text = quote(separator.join(header))
    twice = [name for name in missing if name in header]
    other = next((sign for sign in SIGNS if len(header) == 1 and sign in header[0]), separator)
    if other != separator:
        found = f"values separated by {SIGNS[other]}: {header_text}"
    elif twice:
        found = f"twice the column {listing(twice)} in {header_text}"
    elif missing:
        found = f"no column {listing(missing)} in {header_text}"
    else:
        found = f"the header {header_text}"
    remedy = f"Write the header as the first line and separate the columns by {SIGNS[separator]}."
    add(1, found, expected, remedy)


# --- XML without document type definitions and entities ---

DOCUMENT = "a document"


@dataclass
class Element:
    """An element of an XML document, with the line at which it starts."""

    name: str
    line: int
    attributes: dict[str, str]
    children: list["Element"] = field(default_factory=list)
    text: str = ""


class XmlForm(NamedTuple):
    """A kind of XML documents: allowed children and required attributes of each element.

    `kind` is the name of such documents. `unit` is the element that is read at a time, `with_text`
    the elements with text. Unknown attributes are faults unless `has_other_attributes`.
    """

    kind: str
    children: Mapping[str, Sequence[str]]
    attributes: Mapping[str, Sequence[str]]
    unit: str
    with_text: Sequence[str] = ()
    has_other_attributes: bool = False


def xml_units(
    lines: Sequence[str],
    form: XmlForm,
    add: Add,
    is_skipped: Callable[[dict[str, str]], bool] = lambda _: False,
) -> Iterator[Element]:
    """Yield the units of a document, each with its whole content.

    Unexpected elements, attributes and texts are skipped, with a finding each. Units whose
    attributes satisfy `is_skipped` are skipped without a finding. Raises FaultError if the document
    cannot be read to its end. A document type definition is rejected, and so are entities and
    external files.
    """
    roots = form.children[DOCUMENT]
    root = next((match[1] for line in lines if (match := ROOT.search(line))), "")
    dialect = None
    if lines and not any(line.lstrip("\ufeff \t").startswith("<") for line in lines):
        dialect = dialect_of(lines) or Dialect("no XML file", f"Give the file of {form.kind}.")
    elif root and root not in roots and not any("<!DOCTYPE" in line for line in lines[:5]):
        dialect = dialect_of(lines) or _other_xml(root)
    if dialect is not None:
        expected = f"{form.kind} with the root {' or '.join(f'<{root}>' for root in roots)}"
        raise FaultError(dialect.name, expected, dialect.way_out)
    parser = DefusedExpatParser(forbid_dtd=True)
    reader = _XmlReader(form, parser, add, is_skipped)
    parser.setContentHandler(reader)
    try:
        for line in [f"{line}\n" for line in lines] or [""]:
            parser.feed(line)
            yield from reader.units
            reader.units.clear()
        parser.close()
    except SAXParseException as error:
        raise FaultError(
            f"broken XML: {error.getMessage()}",
            "well-formed XML",
            "Close every element, write & as &amp; and < as &lt;, or fetch the file again.",
            error.getLineNumber() or 0,
        ) from None
    except DefusedXmlException:
        raise FaultError(
            "a document type definition (<!DOCTYPE ...>)",
            "XML without one: entities and external files are never read",
            "Remove it, and write out what its entities stand for.",
            int(parser.getLineNumber() or 0),
        ) from None


class _XmlReader(ContentHandler):
    def __init__(
        self,
        form: XmlForm,
        parser: DefusedExpatParser,
        add: Add,
        is_skipped: Callable[[dict[str, str]], bool],
    ) -> None:
        super().__init__()
        self.units: list[Element] = []
        self._form = form
        self._parser = parser
        self._add_at = add
        self._is_skipped = is_skipped
        self._open = [Element(DOCUMENT, 0, {})]
        self._skipped_depth = 0

    def startElement(self, name: str, attrs: AttributesImpl) -> None:  # noqa: N802 - SAX's name
        """Begin an element, or skip an unexpected one."""
        parent = self._open[-1].name
        allowed = self._form.children[parent]
        attributes = dict(attrs.items())
        if self._skipped_depth:
            self._skipped_depth += 1
        elif name not in allowed:
            self._skipped_depth = 1
            self._add(
                f"the element {quote(name)} in {parent}",
                " or ".join(f"<{child}>" for child in allowed)
                or ("text alone" if parent in self._form.with_text else "no element"),
                f"Remove it; docs/corpora.md shows {self._form.kind}.",
            )
        elif name == self._form.unit and self._is_skipped(attributes):
            self._skipped_depth = 1
        else:
            self._check_attributes(name, attributes)
            self._open.append(Element(name, self._line, attributes))

    def endElement(self, name: str) -> None:  # noqa: N802 - SAX's name
        """End an element; only units are stored outside their parent."""
        if self._skipped_depth:
            self._skipped_depth -= 1
            return
        element = self._open.pop()
        (self.units if name == self._form.unit else self._open[-1].children).append(element)

    def characters(self, content: str) -> None:
        """Add to the text of the element."""
        element = self._open[-1]
        if element.name in self._form.with_text and not self._skipped_depth:
            element.text += content
        elif content.strip() and not self._skipped_depth:
            texts = " and ".join(f"<{name}>" for name in self._form.with_text)
            self._add(
                f"the text {quote(content.strip())} in {element.name}",
                f"text in {texts} only" if texts else "no text",
                "Remove it, or put it where it belongs.",
            )

    def _check_attributes(self, element: str, attributes: dict[str, str]) -> None:
        expected = self._form.attributes.get(element, ())
        for name in expected:
            if not attributes.get(name, "").strip():
                state = "an empty" if name in attributes else "no"
                self._add(
                    f"{state} attribute {name} of <{element}>",
                    f"<{element} {' '.join(f'{name}=...' for name in expected)}>",
                    f"Add {name}; docs/corpora.md shows {self._form.kind}.",
                )
        for name in attributes:
            if name not in expected and not self._form.has_other_attributes:
                self._add(
                    f"the attribute {quote(name)} of <{element}>",
                    f"the attributes {', '.join(expected)}" if expected else "no attributes",
                    "Remove it; it would be lost.",
                )

    @property
    def _line(self) -> int:
        return int(self._parser.getLineNumber() or 0)

    def _add(self, found: str, expected: str, remedy: str) -> None:
        self._add_at(self._line, found, expected, remedy)
