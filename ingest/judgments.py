"""Read human judgments with their own manifest: ratings, pairs, edit verdicts and post-edits."""

import math
import os
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate, groupby, product
from pathlib import Path
from typing import NamedTuple

from maege.ingest.findings import BadInputError, Findings, listing, quote
from maege.ingest.judged_tables import JudgedTexts, Reading, Row, TableRow, read_texts
from maege.ingest.manifest import read_files
from maege.ingest.manifest_schema import Aspect, JudgmentsManifest, Kind, Task
from maege.ingest.reading import TextFile

# --- Ratings of outputs ---
#
# A row of a file may have one of these forms: a rating of one aspect (`value`), a column per
# aspect, a column per system, a column per rater (wide), several ratings in a cell (`3,4,3,4,3`,
# packed), or letters that each say yes to an aspect (`AOU`, codes).

SEPARATOR = ","


def _read_ratings(reading: Reading) -> list[Row]:
    numbers: dict[tuple[str, object], int] = {}
    systems, columns = reading.task.systems, reading.task.columns
    ratings: list[Row] = []
    for row in reading.rows():
        for system, column in systems.items():
            ratings += _ratings(reading, row, system, row.values[column], numbers)
        if not systems:
            ratings += _ratings(reading, row, row.get(columns.system), None, numbers)
    return ratings


def _ratings(
    reading: Reading,
    row: TableRow,
    system: str | None,
    cell: str | None,
    numbers: dict[tuple[str, object], int],
) -> list[Row]:
    task = reading.task
    systems = [name.strip() for name in (system or "").split(SEPARATOR) if name.strip()]
    values = list(_values(reading, row, system, cell))
    if not values or reading.lacks_output(row, systems, "rating"):
        return []
    text = row.text(task.columns.output)
    output_id = reading.texts.output(row.item, text, systems, task.sources)
    shared = task.judges in ("identified", "bag") or task.columns.aspect is not None
    key = (output_id, tuple(systems)) if shared else (row.line, output_id)
    presented = numbers.setdefault((row.item, key), len(numbers))
    judge = row.get(task.columns.judge)
    about = (row.line, reading.name, row.item, output_id, presented, SEPARATOR.join(systems))
    return [(*about, rater or judge, *others) for rater, *others in values]


def _values(
    reading: Reading, row: TableRow, system: str | None, cell: str | None
) -> Iterator[tuple[str | None, int | None, str, float, float | None]]:
    """Yield rater, slot, aspect, value and published z-score of each rating of an output."""
    task, columns = reading.task, reading.task.columns
    for name, aspect in task.aspects.items():
        if columns.aspect is not None and row.get(columns.aspect) != (aspect.column or name):
            continue
        if task.values == "codes":
            text = cell if cell is not None else row.values[aspect.column or name]
            yield None, None, name, float(str(aspect.code) in text), None
            continue
        z = _number(row.get(aspect.z_column) or "")
        for rater, slot, text in _cells(task, row, name, cell):
            if not text.strip():
                of = [name, system, rater or (None if slot is None else f"value {slot}")]
                detail = ", ".join(part for part in of if part)
                reading.left_out.append((row.line, "blank", f"no rating: {detail}"))
                continue
            value = _value(reading, row, name, aspect, text)
            if value is not None:
                yield rater, slot, name, value, z
    if columns.aspect is not None:
        reading.aspect(row)
    elif task.values == "codes":
        codes = [str(aspect.code) for aspect in task.aspects.values()]
        for letter in (cell or "").strip():
            if letter not in codes:
                reading.fault(row.line, f"the code {quote(letter)}", f"one of {listing(codes)}")


def _cells(
    task: Task, row: TableRow, name: str, cell: str | None
) -> Iterator[tuple[str | None, int | None, str]]:
    aspect, column = task.aspects[name], task.columns.value
    if task.values == "wide":
        for slot, (rater, rater_column) in enumerate(aspect.raters.items(), start=1):
            yield rater if task.judges == "identified" else None, slot, row.values[rater_column]
        return
    text = cell if cell is not None else row.values[column or aspect.column or name]
    if task.values == "packed" and text.strip():
        for slot, part in enumerate(text.split(SEPARATOR), start=1):
            yield None, slot, part
    else:
        yield None, None, text


def _value(reading: Reading, row: TableRow, name: str, aspect: Aspect, text: str) -> float | None:
    value = _number(text)
    low = -math.inf if aspect.low is None else aspect.low
    high = math.inf if aspect.high is None else aspect.high
    if value is not None and low <= value <= high:
        return value
    reading.fault(row.line, f"{name} {quote(text)}", f"a number from {low:g} to {high:g}")
    return None


def _number(text: str) -> float | None:
    try:
        value = float(text)
    except ValueError:
        return None
    return value if math.isfinite(value) else None


# --- Pairwise preferences between outputs ---


def _read_pairs(reading: Reading) -> list[Row]:
    pairs: list[Row] = []
    columns = reading.task.columns
    for row in reading.rows():
        aspect, preference = reading.aspect(row), _preference(reading, row)
        outputs = [
            reading.texts.output(row.item, row.text(text), [system] if system else [])
            for text, system in (
                (columns.output_a, row.get(columns.system_a) or reading.task.system_a),
                (columns.output_b, row.get(columns.system_b)),
            )
        ]
        if aspect is not None and preference is not None:
            about = (row.line, reading.name, row.item, row.get(columns.judge), aspect)
            pairs.append((*about, *outputs, preference, row.get(columns.winner) or ""))
    return pairs


def _preference(reading: Reading, row: TableRow) -> int | None:
    task, columns = reading.task, reading.task.columns
    system_a = row.get(columns.system_a) or task.system_a
    winner = row.get(columns.winner) or ""
    preferences: dict[str, int] = {}
    for worth, words in (
        (1, [system_a, *task.winners.get("a", [])]),
        (-1, [row.get(columns.system_b), *task.winners.get("b", [])]),
        # The empty word is no winner.
        (0, [None, *task.winners.get("tie", [])]),
    ):
        for word in words:
            preferences.setdefault(word or "", worth)
    del preferences[""]
    if winner not in preferences:
        expected = f"one of {listing([*preferences])}, or a word under winners"
        reading.fault(row.line, f"the winner {quote(winner)}", expected)
    return preferences.get(winner)


# --- Post-edits of outputs ---


def _read_post_edits(reading: Reading) -> list[Row]:
    edits: list[Row] = []
    columns = reading.task.columns
    for row in reading.rows():
        text = row.text(columns.text)
        system, output = row.get(columns.system), row.text(columns.output)
        systems = [system] if system else []
        if not text:
            reading.left_out.append((row.line, "blank", "no post-edit"))
        elif not reading.lacks_output(row, systems, "post-edit"):
            output_id = reading.texts.output(row.item, output, systems, reading.task.sources)
            # An edited text that is equal to the output has its number.
            edited_id = reading.texts.output(row.item, text, ())
            judge = row.get(columns.judge)
            edits.append((row.line, reading.name, row.item, output_id, judge, edited_id))
    return edits


# --- Positions of edits without offsets ---

# Two alignments show that the position is ambiguous.
ENOUGH = 2


def placed_edits(
    source: str, hypothesis: str, edits: Sequence[tuple[str, str]]
) -> list[tuple[int, int] | None]:
    """Return the span of each edit in the source, in characters; None if it is unknown.

    Edits are substrings with their replacements, in order. An alignment copies equal characters or
    applies the next edit, from the source to the hypothesis. If there is exactly one alignment, it
    gives the positions. Otherwise an edit has a position only if its substring is unique.
    """
    ways = _ways(source, hypothesis, edits)
    starts = ways[0] if len(ways) == 1 else [source.find(original) for original, _ in edits]
    return [
        (at, at + len(original))
        if len(ways) == 1 or (original and at >= 0 and source.find(original, at + 1) < 0)
        else None
        for at, (original, _) in zip(starts, edits, strict=True)
    ]


def changed_span(source: str, edited: str) -> tuple[int, int, str]:
    """Return the smallest changed span of whole words: start, end, and the new text."""
    start = len(os.path.commonprefix([source, edited]))  # noqa: RUF071 - of characters
    rests = [text[start:][::-1] for text in (source, edited)]
    rest = len(os.path.commonprefix(rests))  # noqa: RUF071
    while _is_inside(source, start) or _is_inside(edited, start):
        start -= 1
    while _is_inside(source, len(source) - rest) or _is_inside(edited, len(edited) - rest):
        rest -= 1
    return start, len(source) - rest, edited[start : len(edited) - rest]


def _is_inside(text: str, place: int) -> bool:
    return 0 < place < len(text) and not any(map(str.isspace, text[place - 1 : place + 1]))


def _ways(source: str, hypothesis: str, edits: Sequence[tuple[str, str]]) -> list[tuple[int, ...]]:
    """Return the starts of all edits for at most ENOUGH alignments.

    `ways[i, k]` are those of the edits from k on and the source from i on.
    """
    shifts = [0, *accumulate(len(correction) - len(original) for original, correction in edits)]
    ways: dict[tuple[int, int], list[tuple[int, ...]]] = {}
    for k, i in product(range(len(edits), -1, -1), range(len(source), -1, -1)):
        j = i + shifts[k]
        found: list[tuple[int, ...]] = []
        if j >= 0:
            if (i, j, k) == (len(source), len(hypothesis), len(edits)):
                found.append(())
            if i < len(source) and source[i] == hypothesis[j : j + 1]:
                found += ways[i + 1, k]
            original, correction = edits[k] if k < len(edits) else ("", "")
            is_here = source.startswith(original, i) and hypothesis.startswith(correction, j)
            if (original or correction) and is_here:
                found += [(i, *starts) for starts in ways[i + len(original), k + 1]]
        ways[i, k] = found[:ENOUGH]
    return ways[0, 0]


# --- Verdicts on single edits ---


class _Edit(NamedTuple):
    """An edit with its span in characters; `edited` is the source with this edit alone."""

    row: TableRow
    start: int | None
    end: int | None
    original: str
    correction: str
    edited: str | None


def _read_verdicts(reading: Reading) -> list[Row]:
    columns = reading.task.columns
    find_edits = _edits_of_texts if columns.original is None else _edits_of_columns
    numbers: Counter[str] = Counter()
    verdict_rows: list[Row] = []
    for edit in find_edits(reading, reading.rows()):
        item = edit.row.item
        reading.texts.output(item, edit.row.text(columns.source) or None, ())
        if edit.edited is not None:
            reading.texts.output(item, edit.edited, ())
        number = numbers[item]
        numbers[item] += 1
        words = list(_words(reading, edit.row))
        if not words:
            reading.left_out.append((edit.row.line, "blank", "an edit without a verdict"))
        for slot, word in words:
            value = reading.task.verdicts.get(word)
            if value is None:
                expected = f"one of {listing(list(reading.task.verdicts))}"
                reading.fault(edit.row.line, f"the verdict {quote(word)}", expected)
            else:
                judge = edit.row.get(columns.judge)
                about = (edit.row.line, reading.name, item, number)
                verdict_rows.append((*about, *edit[1:], judge, slot, word, value))
    return verdict_rows


def _words(reading: Reading, row: TableRow) -> Iterator[tuple[int | None, str]]:
    text = row.get(reading.task.columns.verdict) or ""
    if reading.task.judges in ("bag", "positional"):
        yield from enumerate(text.replace(",", " ").split(), start=1)
    elif text:
        yield None, text


def _edits_of_texts(reading: Reading, rows: Iterator[TableRow]) -> Iterator[_Edit]:
    first_lines: dict[tuple[str, str, str | None, str | None], int] = {}
    columns = reading.task.columns
    for row in rows:
        source, edited = row.values[str(columns.source)], row.values[str(columns.hypothesis)]
        key = (row.item, edited, row.get(columns.verdict), row.get(columns.judge))
        if source == edited:
            reading.left_out.append((row.line, "no_edit", "the text is the source"))
        elif (first := first_lines.setdefault(key, row.line)) != row.line:
            reading.left_out.append((row.line, "repetition", f"as on line {first}"))
        else:
            start, end, correction = changed_span(source, edited)
            yield _Edit(row, start, end, source[start:end], correction, edited)


def _edits_of_columns(reading: Reading, rows: Iterator[TableRow]) -> Iterator[_Edit]:
    columns = reading.task.columns
    for _, group in groupby(rows, key=lambda row: row.item):
        item_rows = list(group)
        edits = []
        for row in item_rows:
            edit = row.values[str(columns.original)], row.values[str(columns.correction)]
            if edit == ("", ""):
                reading.left_out.append(
                    (row.line, "no_edit", "the output does not change the sentence")
                )
            else:
                edits.append((row, edit))
        if not edits:
            continue
        source = item_rows[0].values[str(columns.source)]
        hypothesis = item_rows[0].values[str(columns.hypothesis)]
        places = placed_edits(source, hypothesis, [edit for _, edit in edits])
        for (row, (original, correction)), place in zip(edits, places, strict=True):
            if place is None:
                reading.left_out.append(
                    (row.line, "not_placed", f"{quote(original)} does not occur exactly once")
                )
                yield _Edit(row, None, None, original, correction, None)
            else:
                start, end = place
                edited = source[:start] + correction + source[end:]
                yield _Edit(row, start, end, original, correction, edited)


# --- A set of judgments, completely read ---

READERS: dict[Kind, tuple[str, Callable[[Reading], Sequence[Row]]]] = {
    "ratings": ("ratings", _read_ratings),
    "pairs": ("preference_pairs", _read_pairs),
    "edit_verdicts": ("edit_verdicts", _read_verdicts),
    "post_edits": ("post_edits", _read_post_edits),
}


@dataclass
class JudgmentSet:
    """The validated content of a manifest; `rows` by raw table, without the set's name."""

    manifest: JudgmentsManifest
    manifest_file: TextFile
    files: dict[str, TextFile]
    rows: dict[str, list[Row]]


def read_judgments(
    manifest: JudgmentsManifest,
    manifest_file: TextFile,
    folder: Path,
    data_root: Path | None = None,
    on_file: Callable[[str], None] = lambda _: None,
) -> JudgmentSet:
    findings = Findings()
    files = read_files(manifest, manifest_file, folder, data_root, on_file)
    texts = JudgedTexts()
    left_out: list[Row] = []
    rows: dict[str, list[Row]] = {table: [] for table, _ in READERS.values()}
    for name, task in manifest.judgments.items():
        reading = Reading(name, task, files, texts, findings)
        if task.texts is not None:
            read_texts(reading, task.texts)
        table, read_task = READERS[task.kind]
        before = len(findings)
        task_rows = read_task(reading)
        if not task_rows and len(findings) == before:
            reading.fault(1, f"no judgment of the task {name}", "at least one")
        rows[table] += [(task.file, *row) for row in task_rows]
        left_out += [
            (task.file, line, name, kind, detail) for line, kind, detail in reading.left_out
        ]
    if len(findings):
        raise BadInputError(findings)
    references = {name for task in manifest.judgments.values() for name in task.references}
    rows |= {**texts.rows(references), "judgment_findings": left_out, **_described(manifest)}
    return JudgmentSet(manifest, manifest_file, files, rows)


def _described(manifest: JudgmentsManifest) -> dict[str, list[Row]]:
    about = (manifest.title, manifest.licence, manifest.may_be_shared, manifest.origin)
    return {
        "judgment_tasks": [
            (
                *(name, position, task.kind, manifest.task, task.unit, task.judges),
                *(task.language or manifest.language, task.tokens or manifest.tokens, task.link),
                *(task.provenance, task.protocol, task.file, *about),
            )
            for position, (name, task) in enumerate(manifest.judgments.items())
        ],
        "task_aspects": [
            (
                *(name, position, key, aspect.low, aspect.high, aspect.step),
                *(aspect.higher_is_better, aspect.neutral),
            )
            for name, task in manifest.judgments.items()
            for position, (key, aspect) in enumerate(task.aspects.items())
        ],
    }
