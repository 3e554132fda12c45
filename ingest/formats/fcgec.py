r"""FCGEC (Xu et al. 2022): sentences with correcting operations, as one JSON object.

    {"ID": {"sentence": "...", "error_flag": 1, "operation": "[{\"Delete\": [3, 4]}]"}}

Each list of operations belongs to one annotator. `Switch` is the new order of the sentence's
characters. `Delete` holds positions in that order. `Insert` adds a label after a position. `Modify`
replaces the number of characters in its tag (`MOD_2`) by a label. Several labels are alternatives.
Adjacent changes are one edit.
"""

import re
from collections.abc import Sequence
from itertools import groupby, pairwise, product
from typing import NamedTuple

from maege.analysis.edits import Edit
from maege.ingest.findings import Add, quote
from maege.ingest.formats.annotation_file import (
    AnnotationFile,
    EditLine,
    Sentence,
    characters,
    in_characters,
    no_op,
    with_kinds,
)
from maege.ingest.reading import parse_json

ENTRY = re.compile(r'^\s*"([^"]+)"\s*:\s*\{')
# Findings about entries with invalid parts, or with positions outside the sentence.
FAULTS = (AttributeError, IndexError, KeyError, OverflowError, TypeError, ValueError)
REPLACED = re.compile(r"MOD_([0-9]+)")
OPERATIONS = ("Switch", "Delete", "Insert", "Modify")
# Maximum number of alternatives from combining the labels of adjacent changes.
MOST_ALTERNATIVES = 16
REMEDY = "Correct the entry, or fetch the release again."
REQUIRED = "REQUIRED"


class _Place(NamedTuple):
    start: int
    end: int
    texts: tuple[str, ...]
    operation: str


def is_fcgec(lines: Sequence[str]) -> bool:
    start = "".join(lines[:12])
    return start.lstrip().startswith("{") and '"sentence"' in start and '"operation"' in start


def parse_fcgec(lines: Sequence[str], add: Add) -> AnnotationFile:
    parsed = AnnotationFile()
    try:
        entries = parse_json("\n".join(lines))
    except ValueError as error:
        add(0, f"broken JSON: {error}", "one JSON object", REMEDY)
        return parsed
    line_of = {
        match[1]: number
        for number, line in enumerate(lines, start=1)
        if (match := ENTRY.match(line)) is not None
    }
    for name, entry in entries.items():
        line = line_of.get(name, 1)
        try:
            text, lists = str(entry["sentence"]), _operations(entry["operation"])
            edits = [_edits(text, operations) for operations in lists]
        except FAULTS as error:
            wrong = f"an entry {quote(name)} that cannot be read: {error!r}"
            add(line, wrong, "a sentence and its operations", REMEDY)
            continue
        sentence_id = len(parsed.sentences)
        parsed.sentences.append(Sentence(line, in_characters(text), characters(text)))
        if not edits:
            parsed.edits.append(no_op(line, sentence_id, "0", REQUIRED))
        for annotator, annotator_edits in enumerate(edits):
            parsed.edits += [
                EditLine(line, sentence_id, str(annotator), edit, REQUIRED)
                for edit in annotator_edits
            ]
    return with_kinds(parsed)


def _operations(value: object) -> list[dict[str, list[object]]]:
    operations = parse_json(value) if isinstance(value, str) else value
    if not isinstance(operations, list):
        raise TypeError("operations that are not a list")
    for operation in operations:
        unknown = sorted(operation.keys() - set(OPERATIONS))
        if unknown:
            raise ValueError(f"the operation {unknown[0]}")
    return operations


def _edits(text: str, operations: dict[str, list[object]]) -> list[Edit]:
    places = [_edit_of_tokens(text, place) for place in _places(text, operations)]
    edits = sorted(places, key=lambda edit: (edit.start, edit.end))
    if any(second.start < first.end for first, second in pairwise(edits)):
        raise ValueError("operations within one word")
    return edits


def _places(text: str, operations: dict[str, list[object]]) -> list[_Place]:
    order = [int(str(position)) for position in operations.get("Switch", range(len(text)))]
    # Some lists lack the last characters, which then stay unchanged.
    order += range(len(order), len(text))
    if sorted(order) != list(range(len(text))):
        raise ValueError("a Switch that is not a permutation of the characters")
    becomes: list[tuple[str, ...]] = [(text[position],) for position in order]
    kinds = _switched(order)
    for position in operations.get("Delete", []):
        index = int(str(position))
        becomes[index], kinds[index] = ("",), "Delete"
    for kind in ("Insert", "Modify"):
        for change in operations.get(kind, []):
            if not isinstance(change, dict):
                raise TypeError(f"an {kind} that is not an object")
            index, label = int(change["pos"]), change["label"]
            labels = tuple(label) if isinstance(label, list) else (str(label),)
            if kind == "Insert" or str(change["tag"]).startswith("INS"):
                becomes[index] = tuple(text[order[index]] + label for label in labels)
            else:
                replaced = REPLACED.match(str(change["tag"]))
                end = index + (int(replaced[1]) if replaced else 1)
                if not 0 <= index < end <= len(text):
                    raise ValueError(f"a Modify of characters {index} to {end}")
                becomes[index:end] = [labels, *[("",)] * (end - index - 1)]
                kinds[index:end] = [kind] * (end - index)
            kinds[index] = kind
    return _runs(becomes, kinds)


def _switched(order: Sequence[int]) -> list[str]:
    kinds = [""] * len(order)
    start, furthest = 0, 0
    for index, position in enumerate(order):
        furthest = max(furthest, position)
        if furthest == index:
            if index > start:
                kinds[start : index + 1] = ["Switch"] * (index + 1 - start)
            start = index + 1
    return kinds


def _runs(becomes: Sequence[tuple[str, ...]], kinds: Sequence[str]) -> list[_Place]:
    places: list[_Place] = []
    for is_changed, group in groupby(range(len(kinds)), key=lambda index: kinds[index] != ""):
        indexes = list(group)
        if is_changed:
            start, end = indexes[0], indexes[-1] + 1
            texts = dict.fromkeys("".join(part) for part in product(*becomes[start:end]))
            names = "+".join(dict.fromkeys(kinds[start:end]))
            places.append(_Place(start, end, tuple(texts)[:MOST_ALTERNATIVES], names))
    return places


def _edit_of_tokens(text: str, place: _Place) -> Edit:
    before, after = characters(text[: place.start]), characters(text[: place.end])
    start, end = len(before), len(after)
    # A change within a word in Latin letters covers the whole word.
    tokens = characters(text)
    left = right = ""
    if before != tokens[:start]:
        start -= 1
        left = before[-1]
    if after != tokens[:end]:
        right = tokens[end - 1][len(after[-1]) :]
    corrections = [characters(left + text + right) for text in place.texts]
    # An insertion repeats the preceding character, so that the edit covers whole tokens.
    while start < end and all(words[:1] == [tokens[start]] for words in corrections):
        start, corrections = start + 1, [words[1:] for words in corrections]
    return Edit(start, end, place.operation, tuple(" ".join(text) for text in corrections))
