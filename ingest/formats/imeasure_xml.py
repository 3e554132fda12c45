"""The XML of I-measure: reader and writer."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple
from xml.sax.saxutils import escape, quoteattr
from xml.sax.xmlreader import AttributesImpl

from maege.analysis.edits import Edit
from maege.ingest.findings import Findings, quote
from maege.ingest.formats.annotation_file import (
    AnnotationFile,
    BadEdits,
    EditLine,
    Sentence,
    UnwritableError,
    annotator_order,
    no_op,
    out_of_range,
    span_fault,
    with_kinds,
)
from maege.ingest.formats.common import LineReader, is_read

# --- Reader: the errors of a sentence and their corrections by annotator ---
#
# Felice and Briscoe 2015, section 2.1:
#
#     <scripts>
#       <script id="1">
#         <sentence id="1" numann="2">
#           <text>This machines is designed for help people .</text>
#           <error-list>
#             <error id="1" req="yes" type="SVA">
#               <alt ann="0"><c start="0" end="1">These</c><c start="2" end="3">are</c></alt>
#               <alt ann="1"><c start="1" end="2">machine</c></alt>
#             </error>
#           </error-list>
#         </sentence>
#       </script>
#     </scripts>
#
# An `alt` is one annotator's correction of the error. Each `c` in it is an edit (spans as in M2; an
# edit without text deletes). `numann` is the number of annotators of the sentence. `req` says
# whether all of them correct the error. The file does not name annotators who correct nothing in a
# sentence. The reader takes the first annotators of the file without a correction in the sentence
# and gives each of them a no-op.

DOCUMENT = "a document"
CHILDREN = {
    DOCUMENT: ("scripts",),
    "scripts": ("script",),
    "script": ("sentence",),
    "sentence": ("text", "error-list"),
    "error-list": ("error",),
    "error": ("alt",),
    "alt": ("c",),
    "text": (),
    "c": (),
}
ATTRIBUTES = {
    "script": ("id",),
    "sentence": ("id", "numann"),
    "error": ("id", "req", "type"),
    "alt": ("ann",),
    "c": ("start", "end"),
}
REQUIRED = ("yes", "no")
NUMBER = re.compile(r"[0-9]{1,9}", re.ASCII)
MOST_ANNOTATORS = 1000


def parse_imeasure_xml(
    lines: Sequence[str], shown: str, findings: Findings, bad_edits: BadEdits = "refuse"
) -> AnnotationFile | None:
    """Return the sentences and edits, None for a broken document. Each fault becomes a finding.

    A document type definition is rejected, and so are entities of any kind. `bad_edits` decides
    what happens to edits whose span is outside their sentence.
    """
    reader = _Reader(shown, findings, bad_edits)
    if not is_read(reader, lines, shown, findings, CHILDREN[DOCUMENT], "the I-measure's XML"):
        return None
    return reader.annotation_file()


@dataclass
class _Element:
    name: str
    line: int
    attributes: dict[str, str]
    children: list["_Element"] = field(default_factory=list)
    text: str = ""


class _Reader(LineReader):
    """Checks the structure of the document, and converts every sentence to rows at its end."""

    def __init__(self, shown: str, findings: Findings, bad_edits: BadEdits) -> None:
        super().__init__()
        self._shown = shown
        self._findings = findings
        self._bad_edits = bad_edits
        self._stack = [_Element(DOCUMENT, 0, {})]
        self._skipped_depth = 0
        self._sentences: list[_Sentence] = []

    def startElement(self, name: str, attrs: AttributesImpl) -> None:  # noqa: N802 - SAX's name
        """Begin an element, or skip an unexpected one."""
        parent = self._stack[-1]
        if self._skipped_depth or name not in CHILDREN[parent.name]:
            if not self._skipped_depth:
                allowed = [f"<{child}>" for child in CHILDREN[parent.name]]
                self._add(
                    self.line,
                    f"the element {quote(name)} in {parent.name}",
                    " or ".join(allowed) or "text alone",
                    "Remove it; docs/corpora.md shows the I-measure's XML.",
                )
            self._skipped_depth += 1
            return
        element = _Element(name, self.line, dict(attrs.items()))
        self._check_attributes(element)
        self._stack.append(element)

    def endElement(self, name: str) -> None:  # noqa: ARG002, N802 - SAX's name
        """End an element; only the rows of sentences are stored."""
        if self._skipped_depth:
            self._skipped_depth -= 1
            return
        element = self._stack.pop()
        if element.name == "sentence":
            self._sentences.append(_Sentence(element, self._shown, self._findings, self._bad_edits))
        else:
            self._stack[-1].children.append(element)

    def characters(self, content: str) -> None:
        """Add to the text of the element."""
        element = self._stack[-1]
        if self._skipped_depth:
            return
        if element.name in {"text", "c"}:
            element.text += content
        elif content.strip():
            self._add(
                self.line,
                f"the text {quote(content.strip())} in {element.name}",
                "text in <text> and <c> only",
                "Remove it, or put it where it belongs.",
            )

    def annotation_file(self) -> AnnotationFile:
        """Return all sentences, with a no-op for every annotator who changed nothing."""
        names = _all_annotators(self._sentences)
        parsed = AnnotationFile()
        for number, sentence in enumerate(self._sentences):
            parsed.sentences.append(sentence.source)
            parsed.edits += [edit._replace(sentence_id=number) for edit in sentence.edits]
            correcting = {edit.annotator for edit in sentence.edits}
            others = [name for name in names if name not in correcting]
            parsed.edits += [
                no_op(sentence.source.line, number, name)
                for name in others[: max(0, sentence.annotators - len(correcting))]
            ]
        return with_kinds(parsed)

    def _check_attributes(self, element: _Element) -> None:
        wanted = ATTRIBUTES.get(element.name, ())
        for name in wanted:
            if not element.attributes.get(name, "").strip():
                found = "an empty" if name in element.attributes else "no"
                self._add(
                    element.line,
                    f"{found} attribute {name} of <{element.name}>",
                    f"<{element.name} {' '.join(f'{name}=...' for name in wanted)}>",
                    f"Add {name}; docs/corpora.md shows the I-measure's XML.",
                )
        for name in element.attributes:
            if name not in wanted:
                self._add(
                    element.line,
                    f"the attribute {quote(name)} of <{element.name}>",
                    f"the attributes {', '.join(wanted)}" if wanted else "no attributes",
                    "Remove it; it would be lost.",
                )

    def _add(self, line: int, found: str, expected: str, remedy: str) -> None:
        self._findings.add(self._shown, line, found, expected, remedy)


class _Sentence:
    """The source, the number of annotators and the edits of one sentence."""

    def __init__(
        self, element: _Element, shown: str, findings: Findings, bad_edits: BadEdits
    ) -> None:
        self._shown = shown
        self._findings = findings
        self._bad_edits = bad_edits
        self.edits: list[EditLine] = []
        tokens = self._tokens(element)
        self.source = Sentence(element.line, " ".join(tokens or ()), tokens or [])
        self.annotators = self._number(element, "numann") or 0
        if tokens is None:
            return
        seen: set[str] = set()
        for error_list in element.children:
            for error in error_list.children:
                self._read_error(error, seen)
        correcting = {edit.annotator for edit in self.edits}
        if self.annotators > MOST_ANNOTATORS:
            self._add(
                element,
                f"numann {self.annotators}",
                f"at most {MOST_ANNOTATORS} annotators",
                "Correct the number of annotators.",
            )
        if self.annotators < len(correcting) and "numann" in element.attributes:
            self._add(
                element,
                f"numann {self.annotators} of a sentence that {len(correcting)} annotators correct",
                f"{len(correcting)} or more",
                "Count every annotator who read the sentence.",
            )

    def _tokens(self, element: _Element) -> list[str] | None:
        texts = [child for child in element.children if child.name == "text"]
        if len(texts) == 1:
            return texts[0].text.split()
        self._add(
            element,
            f"a sentence with {len(texts)} <text> elements",
            "the source sentence in one <text>",
            "Write the source into the sentence once.",
        )
        return None

    def _read_error(self, error: _Element, seen: set[str]) -> None:
        group, required = error.attributes.get("id", ""), error.attributes.get("req", "")
        if required and required not in REQUIRED:
            self._add(error, f"req {quote(required)}", "yes or no", "Correct the attribute.")
        if group in seen:
            self._add(
                error,
                f"two errors with the id {quote(group)} in a sentence",
                "each id once in a sentence",
                "Number the errors of every sentence from 1.",
            )
        if group:
            seen.add(group)
        if not error.children:
            self._add(
                error,
                f"the error {quote(group)} without <alt>",
                "the correction of at least one annotator",
                "Remove the error, or add its corrections.",
            )
        by_annotator: set[str] = set()
        for alternative in error.children:
            self._read_alternative(alternative, error, by_annotator)

    def _read_alternative(
        self, alternative: _Element, error: _Element, by_annotator: set[str]
    ) -> None:
        annotator = alternative.attributes.get("ann", "").strip()
        if len(annotator.split()) > 1:
            self._add(
                alternative,
                f"ann {quote(annotator)}",
                "the name of one annotator",
                "Write an <alt> for each annotator.",
            )
        if annotator in by_annotator:
            self._add(
                alternative,
                f"a second <alt> of annotator {annotator} in the error",
                "one for each annotator",
                "Give the other answer to another annotator.",
            )
        if annotator:
            by_annotator.add(annotator)
        if not alternative.children:
            self._add(
                alternative,
                "an <alt> without <c>",
                "at least one correction",
                "Remove it. An annotator without an <alt> in an error leaves the error unchanged.",
            )
        for correction in alternative.children:
            self._read_correction(correction, annotator, error)

    def _read_correction(self, correction: _Element, annotator: str, error: _Element) -> None:
        start, end = self._number(correction, "start"), self._number(correction, "end")
        if start is None or end is None:
            return
        text, about = " ".join(correction.text.split()), error.attributes
        fault = span_fault(start, end, len(self.source.tokens))
        treatment = None
        if fault is not None:
            treatment = out_of_range(start, end, self._bad_edits)
            if treatment is None:
                self._add(correction, *fault)
                return
        self.edits.append(
            EditLine(
                correction.line,
                0,
                annotator,
                Edit(start, end, about.get("type", ""), (text,), about.get("id", "")),
                about.get("req", ""),
                out_of_range=treatment,
            )
        )

    def _number(self, element: _Element, name: str) -> int | None:
        """Return the attribute's value; None if it is missing or, with a finding, not a number."""
        text = element.attributes.get(name, "").strip()
        if NUMBER.fullmatch(text):
            return int(text)
        if text:
            self._add(
                element, f"{name} {quote(text)}", "a whole number", "Count from 0, in digits."
            )
        return None

    def _add(self, element: _Element, found: str, expected: str, remedy: str) -> None:
        self._findings.add(self._shown, element.line, found, expected, remedy)


def _all_annotators(sentences: Sequence[_Sentence]) -> list[str]:
    names = {edit.annotator for sentence in sentences for edit in sentence.edits}
    most = max((sentence.annotators for sentence in sentences), default=0)
    number = 0
    while len(names) < min(most, MOST_ANNOTATORS):
        names.add(str(number))
        number += 1
    return sorted(names, key=annotator_order)


# --- Writer ---

# Characters that XML 1.0 cannot represent.
UNWRITABLE = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


class XmlError(NamedTuple):
    """An error and its alternatives, each with the edits of one annotator."""

    error_id: str
    is_required: bool
    error_type: str
    edits: Sequence[tuple[str, Edit]]


class XmlSentence(NamedTuple):
    """A source sentence, the number of its annotators, and its errors."""

    text: str
    annotators: int
    errors: Sequence[XmlError]


def imeasure_xml(sentences: Iterable[XmlSentence]) -> Iterator[str]:
    """Yield the lines of the XML, one sentence at a time, with line ends.

    Alternatives are in the order of annotators; the edits of each keep their order. Raises
    UnwritableError if a text has a character that XML cannot represent.
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
