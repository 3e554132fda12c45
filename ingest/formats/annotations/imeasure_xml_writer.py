"""The I-measure's XML (ingest/formats/annotations/imeasure_xml.py) written."""

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple
from xml.sax.saxutils import escape, quoteattr

from maege.analysis.edits import Edit
from maege.ingest.formats.annotations.annotation_file import UnwritableError, annotator_order

# What XML 1.0 has no way to write.
UNWRITABLE = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


class XmlError(NamedTuple):
    """An error, and who corrects it how: the edits of one annotator are one alternative."""

    error_id: str
    is_required: bool
    error_type: str
    edits: Sequence[tuple[str, Edit]]


class XmlSentence(NamedTuple):
    """A source sentence, how many annotators read it, and its errors."""

    text: str
    annotators: int
    errors: Sequence[XmlError]


def imeasure_xml(sentences: Iterable[XmlSentence]) -> Iterator[str]:
    """Yield the lines of the XML, a sentence each, with line ends.

    Alternatives come in the order of annotators, the edits of each as given. Raises
    UnwritableError where a text has a character that XML cannot hold.
    """
    yield "<?xml version='1.0' encoding='UTF-8'?>\n"
    yield '<scripts><script id="1">\n'
    for number, sentence in enumerate(sentences, start=1):
        line = _rendered(number, sentence)
        character = UNWRITABLE.search(line)
        if character is not None:
            found = f"the character U+{ord(character[0]):04X} in sentence {number}"
            raise UnwritableError(f"XML cannot hold {found}")
        yield f"{line}\n"
    yield "</script></scripts>\n"


def _rendered(number: int, sentence: XmlSentence) -> str:
    errors = "".join(
        f'<error id={quoteattr(error.error_id)} req="{"yes" if error.is_required else "no"}" '
        f"type={quoteattr(error.error_type)}>{_alternatives(error.edits)}</error>"
        for error in sentence.errors
    )
    return (
        f'<sentence id="{number}" numann="{sentence.annotators}">'
        f"<text>{escape(sentence.text)}</text><error-list>{errors}</error-list></sentence>"
    )


def _alternatives(edits: Sequence[tuple[str, Edit]]) -> str:
    by_annotator: dict[str, list[str]] = {}
    for annotator, edit in edits:
        by_annotator.setdefault(annotator, []).append(
            f'<c end="{edit.end}" start="{edit.start}">{escape(edit.corrections[0])}</c>'
        )
    return "".join(
        f"<alt ann={quoteattr(annotator)}>{''.join(by_annotator[annotator])}</alt>"
        for annotator in sorted(by_annotator, key=annotator_order)
    )
