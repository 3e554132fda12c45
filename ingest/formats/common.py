"""Shared parts of the readers: kinds of files, CSV rows, XML without entities."""

import csv
import re
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple
from xml.sax import SAXParseException
from xml.sax.handler import ContentHandler

from defusedxml import DefusedXmlException
from defusedxml.expatreader import DefusedExpatParser

from maege.ingest.findings import Findings, listing, quote
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
    written = [line for line in lines[:LINES_LOOKED_AT] if line.strip("\ufeff \t\r\n\v\f")]
    if not written:
        return None
    first = written[0].lstrip("\ufeff \t")
    if first.startswith(LARGE_FILES):
        return Dialect("a pointer of Git LFS, not the file", "Fetch the file: git lfs pull.")
    if first.startswith("<") and (markup := _markup(written)) is not None:
        return markup
    if first.startswith(("[", "{")):
        return _json(lines, first)
    if is_m2(written):
        return Dialect("M2", "Name it under annotations; its S lines are the sentences.")
    if _is_conll(lines, written):
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


def refuse_dialect(
    dialect: Dialect | None, shown: str, expected: str, findings: Findings, way_out: str = ""
) -> bool:
    """If the lines are of another kind, add one finding that names it, and return True.

    `way_out` is the remedy if it depends on the expected format.
    """
    if dialect is None:
        return False
    findings.add(shown, 0, dialect.name, expected, way_out or dialect.way_out)
    return True


def _markup(written: Sequence[str]) -> Dialect | None:
    start = "\n".join(written[:50]).lstrip("\ufeff \t")
    if re.match(r"<!doctype html|<html", start, re.IGNORECASE):
        return Dialect("an HTML page", "Fetch the file itself, not the page that shows it.")
    root = ROOT.search(start)
    # A sentence may begin with a tag.
    if root is None or not (start.startswith(("<?xml", "<!")) or _is_element(written, root[1])):
        return None
    return _other_xml(root[1])


def _other_xml(root: str) -> Dialect:
    return Dialect(
        f"XML with the root <{root}>",
        "Supported are the I-measure's gold (<scripts>) under annotations and Appraise's rankings "
        "(<appraise-results>) under judgments; write other XML as M2 or one sentence per line.",
    )


def _is_element(written: Sequence[str], name: str) -> bool:
    last = written[-1].rstrip()
    return last.endswith((f"</{name}>", "/>")) or len(written) == LINES_LOOKED_AT


def _json(lines: Sequence[str], first: str) -> Dialect | None:
    if is_json_object(first):
        return Dialect(
            "JSON with an object a line",
            "Name it as source, text or output; annotations are M2, or extracted from its texts.",
        )
    if _is_list_of_texts(first):
        return Dialect(
            "JSON with a list a line",
            "Write an object a line: jq -c '{source: .[0], targets: .[1:]}' OLD > NEW.jsonl",
        )
    try:
        content = parse_json("\n".join(lines))
    except ValueError:
        return None
    if isinstance(content, list):
        return Dialect("one JSON list", "Write an object a line: jq -c '.[]' OLD.json > NEW.jsonl")
    return Dialect(
        "one JSON object over several lines",
        "Write an object a line: jq -c '.[]' OLD.json > NEW.jsonl",
    )


def is_json_object(line: str) -> bool:
    """Return whether the line is a complete JSON object."""
    if not line.lstrip().startswith("{"):
        return False
    try:
        return isinstance(parse_json(line), dict)
    except ValueError:
        return False


def _is_list_of_texts(line: str) -> bool:
    if not line.startswith("["):
        return False
    try:
        content = parse_json(line)
    except ValueError:
        return False
    return (
        isinstance(content, list)
        and len(content) > 1
        and all(isinstance(text, str) for text in content)
    )


def _is_conll(lines: Sequence[str], written: Sequence[str]) -> bool:
    rows = [line.split("\t") for line in written if not line.startswith("# ")]
    if len(rows) < CONLL_COLUMNS or len(rows[0]) < CONLL_COLUMNS:
        return False
    is_table = all(len(row) == len(rows[0]) for row in rows)
    has_words = all(" " not in cell.strip() for row in rows for cell in row)
    return is_table and has_words and any(not line.strip() for line in lines[:LINES_LOOKED_AT])


def shown_start(lines: Sequence[str]) -> str:
    """Return the first non-empty line in the form that findings show."""
    return quote(next((line for line in lines if line.strip()), ""))


# --- Rows of a CSV file with their line numbers ---

SIGNS = {",": "commas", "\t": "tabs", ";": "semicolons"}


def csv_rows(
    lines: Sequence[str],
    columns: Sequence[str],
    shown: str,
    findings: Findings,
    *,
    only: bool,
    separator: str = ",",
) -> Iterator[tuple[int, list[str]]]:
    """Yield the line number and the values of `columns` of every row.

    With `only` the header must be exactly these columns; else it must contain each of them once. A
    quoted value may contain line ends; the row then has the number of its last line. Rows with
    faults are skipped, with a finding each. If columns are missing, there are no rows.
    """

    def places(header: list[str]) -> list[int] | None:
        fits = header == list(columns) if only else all(header.count(name) == 1 for name in columns)
        if fits:
            return [header.index(name) for name in columns]
        _refuse_header(header, columns, shown, findings, only=only, separator=separator)
        return None

    return chosen_rows(lines, places, shown, findings, separator=separator)


def chosen_rows(
    lines: Sequence[str],
    places: Callable[[list[str]], list[int] | None],
    shown: str,
    findings: Findings,
    *,
    separator: str = ",",
) -> Iterator[tuple[int, list[str]]]:
    """Yield the line number and the values of every row at the positions that its header defines.

    `places` gets the header's names. It adds a finding and returns None for a bad header.
    """
    expected = f"rows of values, separated by {SIGNS[separator]}"
    if refuse_dialect(dialect_of(lines), shown, expected, findings):
        return
    reader = csv.reader((line + "\n" for line in lines), delimiter=separator, strict=True)
    try:
        header = next(reader, None)
        if header is None:
            findings.add(shown, 1, "an empty file", expected, "Give the file that has the rows.")
            return
        place = places([name.strip() for name in header])
        if place is None:
            return
        for values in reader:
            if len(values) == len(header):
                yield reader.line_num, [values[i] for i in place]
            elif any(value.strip() for value in values):
                findings.add(
                    shown,
                    reader.line_num,
                    f"{len(values)} columns: {quote(separator.join(values))}",
                    f"{len(header)} columns: {', '.join(header)}",
                    f"Write all columns of the header, separated by {SIGNS[separator]}.",
                )
    except csv.Error as error:
        findings.add(
            shown,
            reader.line_num,
            f"a line that is not CSV: {error}",
            f"values separated by {SIGNS[separator]}, with double quotes around a value that "
            "contains the separator",
            "Correct the quotation marks.",
        )


def refuse_columns(
    header: Sequence[str],
    missing: Sequence[str],
    expected: str,
    shown: str,
    findings: Findings,
    separator: str = ",",
) -> None:
    """Add a finding with the columns that are missing in the header."""
    sign = SIGNS[separator]
    other = next((s for s in SIGNS if len(header) == 1 and s in header[0] and s != separator), None)
    if other is not None:
        found = f"values separated by {SIGNS[other]}: {quote(header[0])}"
    elif missing:
        lowered = [name.lower() for name in header]
        twice = [name for name in missing if lowered.count(name.lower()) > 1]
        what = f"twice the column {listing(twice)}" if twice else f"no column {listing([*missing])}"
        found = f"{what} in {quote(separator.join(header))}"
    else:
        found = f"the header {quote(separator.join(header))}"
    findings.add(
        shown,
        1,
        found,
        expected,
        f"Write the header as the first line and separate the columns by {sign}.",
    )


def _refuse_header(
    header: list[str],
    columns: Sequence[str],
    shown: str,
    findings: Findings,
    *,
    only: bool,
    separator: str,
) -> None:
    names = separator.join(columns) if only else ", ".join(columns)
    expected = f"the header {names}" if only else f"columns {names}"
    missing = [name for name in columns if name not in header]
    twice = [name for name in columns if header.count(name) > 1]
    if twice and not missing and not only:
        expected = f"the columns {listing(twice)} once"
    refuse_columns(header, missing, expected, shown, findings, separator)


# --- XML without document type definitions and entities ---


class LineReader(ContentHandler):
    """An XML handler that knows the current line."""

    def __init__(self) -> None:
        super().__init__()
        self.parser = DefusedExpatParser(forbid_dtd=True)
        self.parser.setContentHandler(self)

    @property
    def line(self) -> int:
        """The line that the parser has reached."""
        return int(self.parser.getLineNumber() or 0)


def is_read(
    reader: LineReader,
    lines: Sequence[str],
    shown: str,
    findings: Findings,
    roots: Sequence[str],
    kind: str,
) -> bool:
    """Return whether the whole document was read; otherwise add a finding with the reason.

    `roots` are the allowed names of the root element; `kind` is the name of such documents. A
    document type definition is rejected, and so are entities and external files.
    """
    expected = f"{kind} with the root {' or '.join(f'<{root}>' for root in roots)}"
    if lines and not any(line.lstrip("\ufeff \t").startswith("<") for line in lines):
        dialect = dialect_of(lines) or Dialect("no XML file", f"Give the file of {kind}.")
        return not refuse_dialect(dialect, shown, expected, findings)
    root = next((found[1] for line in lines if (found := ROOT.search(line))), "")
    if root and root not in roots and not any("<!DOCTYPE" in line for line in lines[:5]):
        dialect = dialect_of(lines) or _other_xml(root)
        return not refuse_dialect(dialect, shown, expected, findings)
    try:
        reader.parser.feed("\n".join(lines))
        reader.parser.close()
    except SAXParseException as error:
        findings.add(
            shown,
            error.getLineNumber() or 0,
            f"broken XML: {error.getMessage()}",
            "well-formed XML",
            "Close every element, write & as &amp; and < as &lt;, or fetch the file again.",
        )
        return False
    except DefusedXmlException:
        findings.add(
            shown,
            reader.line,
            "a document type definition (<!DOCTYPE ...>)",
            "XML without one: entities and external files are never read",
            "Remove it, and write out what its entities stand for.",
        )
        return False
    return True
