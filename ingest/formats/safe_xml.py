"""XML from files that nobody vouches for: no document type definition, no entities of any kind."""

from collections.abc import Sequence
from xml.sax import SAXParseException
from xml.sax.handler import ContentHandler

from defusedxml import DefusedXmlException
from defusedxml.expatreader import DefusedExpatParser

from maege.ingest.findings import Findings
from maege.ingest.formats.dialects import ROOT, Dialect, dialect_of, refuse_dialect


class LineReader(ContentHandler):
    """A reader that knows which line it is at."""

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
    """Return whether the whole document was read; where it was not, a finding says why.

    `roots` are the names that its first element may have, `kind` is what such documents are called.
    A document type definition is refused, and with it entities and external files.
    """
    expected = f"{kind} with the root {' or '.join(f'<{root}>' for root in roots)}"
    if lines and not any(line.lstrip("\ufeff \t").startswith("<") for line in lines):
        dialect = dialect_of(lines) or Dialect("no XML", f"Name the file of {kind}.")
        return not refuse_dialect(dialect, shown, expected, findings)
    root = next((found[1] for line in lines if (found := ROOT.search(line))), "")
    if root and root not in roots and not any("<!DOCTYPE" in line for line in lines[:5]):
        return not refuse_dialect(dialect_of(lines), shown, expected, findings)
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
