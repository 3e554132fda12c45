"""XML from files that nobody vouches for: no document type definition, no entities of any kind."""

from collections.abc import Sequence
from xml.sax import SAXParseException
from xml.sax.handler import ContentHandler

from defusedxml import DefusedXmlException
from defusedxml.expatreader import DefusedExpatParser

from ingest.findings import Findings


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


def is_read(reader: LineReader, lines: Sequence[str], shown: str, findings: Findings) -> bool:
    """Return whether the whole document was read; where it was not, a finding says why.

    A document type definition is refused, and with it entities and external files.
    """
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
