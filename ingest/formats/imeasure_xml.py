"""The XML of I-measure: reader and writer."""

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import count
from typing import NamedTuple
from xml.sax.saxutils import escape, quoteattr

from maege.analysis.edits import Edit
from maege.ingest.findings import Add, Findings, quote
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
from maege.ingest.formats.common import DOCUMENT, Element, XmlForm, xml_units
from maege.ingest.reading import is_whole_number

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

IMEASURE = XmlForm(
    "the I-measure's XML",
    {
        DOCUMENT: ("scripts",),
        "scripts": ("script",),
        "script": ("sentence",),
        "sentence": ("text", "error-list"),
        "error-list": ("error",),
        "error": ("alt",),
        "alt": ("c",),
        "text": (),
        "c": (),
    },
    {
        "script": ("id",),
        "sentence": ("id", "numann"),
        "error": ("id", "req", "type"),
        "alt": ("ann",),
        "c": ("start", "end"),
    },
    unit="sentence",
    with_text=("text", "c"),
)
REQUIRED = ("yes", "no")
MOST_ANNOTATORS = 1000


def parse_imeasure_xml(
    lines: Sequence[str], shown: str, findings: Findings, bad_edits: BadEdits = "refuse"
) -> AnnotationFile | None:
    """Return the sentences and edits, None for a broken document. Each fault becomes a finding.

    A document type definition is rejected, and so are entities of any kind. `bad_edits` decides
    what happens to edits whose span is outside their sentence.
    """
    add = findings.about(shown)
    elements = xml_units(lines, IMEASURE, add)
    if elements is None:
        return None
    parsed = AnnotationFile()
    numbers: list[int] = []
    for sentence_id, element in enumerate(elements):
        texts = [child.text.split() for child in element.children if child.name == "text"]
        if len(texts) != 1:
            found = f"a sentence with {len(texts)} <text> elements"
            add(element.line, found, "the source sentence in one <text>", "Write the source once.")
        tokens = texts[0] if texts else []
        parsed.sentences.append(Sentence(element.line, " ".join(tokens), tokens))
        edits = list(_edits(element, parsed.sentences[-1], sentence_id, bad_edits, add))
        parsed.edits += edits
        numbers.append(_number(element, "numann", add) or 0)
        n_correcting = len({edit.annotator for edit in edits})
        if not n_correcting <= numbers[-1] <= MOST_ANNOTATORS and element.get("numann"):
            add(
                element.line,
                f"numann {numbers[-1]} of a sentence that {n_correcting} annotators correct",
                f"{n_correcting} to {MOST_ANNOTATORS}",
                "Count every annotator who read the sentence.",
            )
    return with_kinds(_with_no_ops(parsed, numbers))


def _edits(
    sentence: Element, source: Sentence, sentence_id: int, bad_edits: BadEdits, add: Add
) -> Iterator[EditLine]:
    group_ids: set[str] = set()
    for error in (error for child in sentence.children for error in child.children):
        group, required = error.get("id"), error.get("req")
        if required not in REQUIRED:
            add(error.line, f"req {quote(required)}", "yes or no", "Correct the attribute.")
        _check_new(f"error with the id {group} in the sentence", group, group_ids, error, add)
        annotators: set[str] = set()
        for alternative in error.children:
            annotator = alternative.get("ann")
            _check_new(f"<alt> of annotator {annotator}", annotator, annotators, alternative, add)
            if " " in annotator:
                found = f"ann {quote(annotator)}"
                add(
                    alternative.line, found, "the name of one annotator", "Write an <alt> for each."
                )
            for correction in alternative.children:
                start, end = (_number(correction, name, add) for name in ("start", "end"))
                if start is None or end is None:
                    continue
                fault = span_fault(start, end, len(source.tokens))
                treatment = None if fault is None else out_of_range(start, end, bad_edits)
                if fault is not None and treatment is None:
                    add(correction.line, *fault)
                    continue
                text = " ".join(correction.text.split())
                edit = Edit(start, end, error.attributes.get("type", ""), (text,), group)
                line = EditLine(correction.line, sentence_id, annotator, edit, required)
                yield line._replace(out_of_range=treatment)


def _check_new(what: str, key: str, earlier: set[str], element: Element, add: Add) -> None:
    """Add a finding if an element repeats a key, or has no content."""
    if key in earlier:
        add(element.line, f"a second {what}", "one of each", "Correct its name or number.")
    if not element.children:
        add(element.line, f"an empty {what}", "at least one correction", "Remove the element.")
    earlier.add(key)


def _number(element: Element, name: str, add: Add) -> int | None:
    """Return the attribute's value; None if it is missing or, with a finding, not a number."""
    text = element.get(name)
    if is_whole_number(text):
        return int(text)
    if text:
        add(element.line, f"{name} {quote(text)}", "a whole number", "Count from 0, in digits.")
    return None


def _with_no_ops(parsed: AnnotationFile, numbers: Sequence[int]) -> AnnotationFile:
    """Return the file with a no-op for every annotator who changed nothing in a sentence.

    `numbers` are the numbers of annotators of the sentences.
    """
    names = {edit.annotator for edit in parsed.edits}
    free = map(str, count())
    while len(names) < min(max(numbers, default=0), MOST_ANNOTATORS):
        names.add(next(free))
    ordered = sorted(names, key=annotator_order)
    edits_of = [list[EditLine]() for _ in parsed.sentences]
    for edit in parsed.edits:
        edits_of[edit.sentence_id].append(edit)
    for number, (sentence, edits) in enumerate(zip(parsed.sentences, edits_of, strict=True)):
        correcting = {edit.annotator for edit in edits}
        unchanged = [name for name in ordered if name not in correcting]
        edits += [
            no_op(sentence.line, number, name)
            for name in unchanged[: max(0, numbers[number] - len(correcting))]
        ]
    return AnnotationFile(parsed.sentences, [edit for edits in edits_of for edit in edits])


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
            problem = f"the character U+{ord(character[0]):04X} in sentence {number}"
            raise UnwritableError(f"XML cannot hold {problem}")
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
    corrections: dict[str, list[str]] = {}
    for annotator, edit in edits:
        corrections.setdefault(annotator, []).append(
            f'<c end="{edit.end}" start="{edit.start}">{escape(edit.corrections[0])}</c>'
        )
    return "".join(
        f"<alt ann={quoteattr(annotator)}>{''.join(corrections[annotator])}</alt>"
        for annotator in sorted(corrections, key=annotator_order)
    )
