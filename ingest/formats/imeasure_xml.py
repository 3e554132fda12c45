"""The XML of I-measure: reader and writer."""

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import count
from typing import NamedTuple
from xml.sax.saxutils import escape, quoteattr

from maege.analysis.edits import Edit
from maege.ingest.findings import Add, quote
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
# Felice and Briscoe 2015, section 2.1; docs/corpora.md has an example. The file does not name
# annotators who correct nothing in a sentence. The reader takes the first annotators of the file
# without a correction in the sentence and gives each of them a no-op.

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
REMEDY = "Correct the element; docs/corpora.md shows the I-measure's XML."


def parse_imeasure_xml(
    lines: Sequence[str], add: Add, bad_edits: BadEdits = "refuse"
) -> AnnotationFile | None:
    """Return the sentences and edits, None for a broken document. Each fault becomes a finding."""
    elements = xml_units(lines, IMEASURE, add)
    if elements is None:
        return None
    parsed = AnnotationFile()
    numbers: list[int] = []
    for sentence_id, element in enumerate(elements):
        texts = [child.text.split() for child in element.children if child.name == "text"]
        if len(texts) != 1:
            found = f"a sentence with {len(texts)} <text> elements"
            add(element.line, found, "the source sentence in one <text>", REMEDY)
        tokens = texts[0] if texts else []
        parsed.sentences.append(Sentence(element.line, " ".join(tokens), tokens))
        edits = list(_edits(element, parsed.sentences[-1], sentence_id, bad_edits, add))
        parsed.edits += edits
        number = _number(element, "numann", add)
        numbers.append(number or 0)
        n_correcting = len({edit.annotator for edit in edits})
        if number is not None and not n_correcting <= number <= MOST_ANNOTATORS:
            found = f"numann {number} of a sentence that {n_correcting} annotators correct"
            add(element.line, found, f"{n_correcting} to {MOST_ANNOTATORS}", REMEDY)
    return with_kinds(_with_no_ops(parsed, numbers))


def _edits(
    sentence: Element, source: Sentence, sentence_id: int, bad_edits: BadEdits, add: Add
) -> Iterator[EditLine]:
    errors = [error for child in sentence.children for error in child.children]
    _check_distinct([(error, error.get("id")) for error in errors], add)
    for error in errors:
        required = error.get("req")
        if required not in REQUIRED:
            add(error.line, f"req {quote(required)}", "yes or no", REMEDY)
        _check_distinct([(each, each.get("ann")) for each in error.children], add)
        for alternative in error.children:
            annotator = alternative.get("ann")
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
                error_type = error.attributes.get("type", "")
                edit = Edit(start, end, error_type, (text,), error.get("id"))
                line = EditLine(correction.line, sentence_id, annotator, edit, required)
                yield line._replace(out_of_range=treatment)


def _check_distinct(named: Sequence[tuple[Element, str]], add: Add) -> None:
    earlier: set[str] = set()
    for element, name in named:
        if name in earlier or " " in name or not element.children:
            found = f"<{element.name}> of {quote(name)}, which is empty, repeated or not one name"
            expected = f"each <{element.name}> once, with a correction; an <alt> for each annotator"
            add(element.line, found, expected, REMEDY)
        earlier.add(name)


def _number(element: Element, name: str, add: Add) -> int | None:
    text = element.get(name)
    if is_whole_number(text):
        return int(text)
    if text:
        add(element.line, f"{name} {quote(text)}", "a whole number from 0, in digits", REMEDY)
    return None


def _with_no_ops(parsed: AnnotationFile, n_annotators: Sequence[int]) -> AnnotationFile:
    names = {edit.annotator for edit in parsed.edits}
    free = map(str, count())
    while len(names) < min(max(n_annotators, default=0), MOST_ANNOTATORS):
        names.add(next(free))
    ordered = sorted(names, key=annotator_order)
    edits_of = [list[EditLine]() for _ in parsed.sentences]
    for edit in parsed.edits:
        edits_of[edit.sentence_id].append(edit)
    for number, (sentence, edits) in enumerate(zip(parsed.sentences, edits_of, strict=True)):
        correcting = {edit.annotator for edit in edits}
        unchanged = [name for name in ordered if name not in correcting]
        n_unchanged = max(0, n_annotators[number] - len(correcting))
        edits += [no_op(sentence.line, number, name) for name in unchanged[:n_unchanged]]
    return AnnotationFile(parsed.sentences, [edit for edits in edits_of for edit in edits])


# --- Writer ---

# Characters that XML 1.0 cannot represent.
UNWRITABLE = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


class XmlError(NamedTuple):
    error_id: str
    is_required: bool
    error_type: str
    edits: Sequence[tuple[str, Edit]]


class XmlSentence(NamedTuple):
    text: str
    annotators: int
    errors: Sequence[XmlError]


def imeasure_xml(sentences: Iterable[XmlSentence]) -> Iterator[str]:
    """Yield the lines; raise UnwritableError for a character that XML cannot represent."""
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
