"""Read human judgments with their own manifest: ratings, pairs, edit verdicts and post-edits."""

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
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


def read_ratings(reading: Reading) -> list[Row]:
    """Return the rows of raw.ratings. Each fault becomes a finding; a blank is no rating."""
    numbers: dict[tuple[str, object], int] = {}
    task = reading.task
    return [
        rating
        for row in reading.rows()
        for system, cell in _cells_of_systems(task, row)
        for rating in _ratings(reading, row, system, cell, numbers)
    ]


def _cells_of_systems(task: Task, row: TableRow) -> Iterator[tuple[str | None, str | None]]:
    if not task.systems:
        yield row.get(task.columns.system), None
    for system, column in task.systems.items():
        yield system, row.values[column]


def _ratings(
    reading: Reading,
    row: TableRow,
    system: str | None,
    cell: str | None,
    numbers: dict[tuple[str, object], int],
) -> Iterator[Row]:
    """Yield the ratings of one output; `numbers` numbers the presentations of all items.

    Ratings of the same presentation of an item have the same number.
    """
    task = reading.task
    systems = [name.strip() for name in (system or "").split(SEPARATOR) if name.strip()]
    values = list(_values(reading, row, system, cell))
    if not values or reading.lacks_output(row, systems, "rating"):
        return
    text = row.output(task.columns.output)
    output_id = reading.texts.output(row.item, text, systems, task.sources)
    shared = task.judges in ("identified", "bag") or task.columns.aspect is not None
    key = (output_id, tuple(systems)) if shared else (row.line, output_id)
    presented = numbers.setdefault((row.item, key), len(numbers))
    judge = row.get(task.columns.judge)
    about = (row.line, reading.name, row.item, output_id, presented, SEPARATOR.join(systems))
    for rated in values:
        yield (
            *(*about, rated.rater or judge, rated.slot),
            *(rated.aspect, rated.value, rated.published_z),
        )


class _Value(NamedTuple):
    aspect: str
    rater: str | None
    slot: int | None
    value: float
    published_z: float | None


def _values(
    reading: Reading, row: TableRow, system: str | None, cell: str | None
) -> Iterator[_Value]:
    task, columns = reading.task, reading.task.columns
    for name, aspect in task.aspects.items():
        if columns.aspect is not None and row.get(columns.aspect) != (aspect.column or name):
            continue
        if task.values == "codes":
            text = cell if cell is not None else row.values[aspect.column or name]
            yield _Value(name, None, None, float(str(aspect.code) in text), None)
            continue
        z = row.get(aspect.z_column)
        for rater, slot, text in _cells(task, row, name, cell):
            if not text.strip():
                of = [name, system, rater or (None if slot is None else f"value {slot}")]
                detail = ", ".join(part for part in of if part)
                reading.left_out.append((row.line, "blank", f"no rating: {detail}"))
                continue
            value = _value(reading, row, name, aspect, text)
            if value is not None:
                yield _Value(name, rater, slot, value, None if z is None else _number(z))
    if columns.aspect is not None:
        reading.aspect(row)
    elif task.values == "codes":
        codes = [str(aspect.code) for aspect in task.aspects.values()]
        for letter in (cell or "").strip():
            if letter not in codes:
                reading.unknown_aspect(row, letter, codes)


def _cells(
    task: Task, row: TableRow, name: str, cell: str | None
) -> Iterator[tuple[str | None, int | None, str]]:
    """Yield rater, slot and text of every value of an aspect; the rater is None if anonymous."""
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
    low, high = (
        -math.inf if aspect.low is None else aspect.low,
        math.inf if aspect.high is None else aspect.high,
    )
    if value is not None and low <= value <= high:
        return value
    scale = "" if (aspect.low, aspect.high) == (None, None) else f" from {low:g} to {high:g}"
    reading.fault(
        row.line,
        f"{name} {quote(text)}",
        f"a number{scale}",
        "Correct the value, or the scale under aspects.",
    )
    return None


def _number(text: str) -> float | None:
    try:
        value = float(text)
    except ValueError:
        return None
    return value if math.isfinite(value) else None


# --- Pairwise preferences between outputs ---


def read_pairs(reading: Reading) -> list[Row]:
    """Return the rows of raw.preference_pairs, including pairs of equal texts.

    Each fault becomes a finding. A preference is 1 for output a, -1 for b, and 0 for neither.
    """
    pairs: list[Row] = []
    columns = reading.task.columns
    for row in reading.rows():
        aspect, preference = reading.aspect(row), _preference(reading, row)
        outputs = [
            reading.texts.output(row.item, row.output(text), [system] if system else [])
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
    winner = row.get(columns.winner)
    systems = (row.get(columns.system_a) or task.system_a, row.get(columns.system_b))
    winners = task.winners
    for system, words, worth in (
        (systems[0], winners.get("a", []), 1),
        (systems[1], winners.get("b", []), -1),
        (None, winners.get("tie", []), 0),
    ):
        if winner is not None and (winner == system or winner in words):
            return worth
    names = [name for name in systems if name]
    names += [word for words in winners.values() for word in words]
    reading.fault(
        row.line,
        f"the winner {quote(winner or '')}",
        f"one of {listing(names)}",
        "Add it under winners: a, b or tie.",
    )
    return None


# --- Post-edits of outputs ---


def read_post_edits(reading: Reading) -> list[Row]:
    """Return the rows of raw.post_edits. Each fault becomes a finding; a blank is no post-edit.

    The edited text is numbered like an output; it has the number of the output if it is equal.
    """
    edits: list[Row] = []
    columns = reading.task.columns
    for row in reading.rows():
        text = row.text(columns.text)
        system, output = row.get(columns.system), row.output(columns.output)
        systems = [system] if system else []
        if text is None:
            reading.left_out.append((row.line, "blank", "no post-edit"))
        elif not reading.lacks_output(row, systems, "post-edit"):
            output_id = reading.texts.output(row.item, output, systems, reading.task.sources)
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
    if len(ways) == 1:
        starts = ways[0]
        return [(at, at + len(original)) for at, (original, _) in zip(starts, edits, strict=True)]
    return [_unique(source, original) for original, _ in edits]


def changed_span(source: str, edited: str) -> tuple[int, int, str]:
    """Return the smallest changed span of whole words: start, end, and the new text."""
    start = 0
    while start < min(len(source), len(edited)) and source[start] == edited[start]:
        start += 1
    end = 0
    limit = min(len(source), len(edited)) - start
    while end < limit and source[-1 - end] == edited[-1 - end]:
        end += 1
    while _is_inside(source, start) or _is_inside(edited, start):
        start -= 1
    while _is_inside(source, len(source) - end) or _is_inside(edited, len(edited) - end):
        end -= 1
    return start, len(source) - end, edited[start : len(edited) - end]


def _is_inside(text: str, place: int) -> bool:
    return 0 < place < len(text) and not any(map(str.isspace, text[place - 1 : place + 1]))


def _ways(source: str, hypothesis: str, edits: Sequence[tuple[str, str]]) -> list[tuple[int, ...]]:
    """Return the starts of all edits for at most ENOUGH alignments.

    `ways[i, k]` are those of the edits from k on and the source from i on. The position in the
    hypothesis follows from i and the lengths of the earlier edits.
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


def _unique(source: str, text: str) -> tuple[int, int] | None:
    at = source.find(text)
    return (at, at + len(text)) if text and at >= 0 and source.find(text, at + 1) < 0 else None


def applied(source: str, start: int, end: int, correction: str) -> str:
    """Apply one edit to the source."""
    return source[:start] + correction + source[end:]


# --- Verdicts on single edits ---


class _Edit(NamedTuple):
    """An edit with its span in characters, and the source with this edit alone.

    Span and edited text are None if the position of the edit is unknown.
    """

    row: TableRow
    start: int | None
    end: int | None
    original: str
    correction: str
    edited: str | None


def read_verdicts(reading: Reading) -> list[Row]:
    """Return the rows of raw.edit_verdicts; each fault becomes a finding.

    Rows without an edit, repeated rows and edits without a position are reported as unused.
    """
    rows = reading.rows()
    edits = (
        _edits_of_texts(reading, rows)
        if reading.task.columns.original is None
        else _edits_of_columns(reading, rows)
    )
    numbers: dict[str, int] = {}
    verdict_rows: list[Row] = []
    for edit in edits:
        item = edit.row.item
        reading.texts.output(item, edit.row.text(reading.task.columns.source), ())
        if edit.edited is not None:
            reading.texts.output(item, edit.edited, ())
        number = numbers.setdefault(item, 0)
        numbers[item] += 1
        words = list(_words(reading, edit.row))
        if not words:
            reading.left_out.append((edit.row.line, "blank", "an edit without a verdict"))
        for slot, word in words:
            value = reading.task.verdicts.get(word)
            if value is None:
                reading.fault(
                    edit.row.line,
                    f"the verdict {quote(word)}",
                    f"one of {listing(list(reading.task.verdicts))}",
                    "Add its value under verdicts.",
                )
                continue
            judge = edit.row.get(reading.task.columns.judge)
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
                yield _Edit(row, *place, original, correction, applied(source, *place, correction))


# --- A set of judgments, completely read ---

READERS: dict[Kind, tuple[str, Callable[[Reading], Sequence[Row]]]] = {
    "ratings": ("ratings", read_ratings),
    "pairs": ("preference_pairs", read_pairs),
    "edit_verdicts": ("edit_verdicts", read_verdicts),
    "post_edits": ("post_edits", read_post_edits),
}


@dataclass
class JudgmentSet:
    """The validated content of a manifest; `rows` by raw table, without the set's name."""

    manifest: JudgmentsManifest
    manifest_file: TextFile
    files: dict[str, TextFile] = field(default_factory=dict)
    rows: dict[str, list[Row]] = field(default_factory=dict)

    @property
    def left_out(self) -> list[str]:
        """The kind of each unused row of the files."""
        return [str(row[3]) for row in self.rows["judgment_findings"]]


def read_judgments(
    manifest: JudgmentsManifest,
    manifest_file: TextFile,
    folder: Path,
    data_root: Path | None = None,
    on_file: Callable[[str], None] = lambda _: None,
) -> JudgmentSet:
    """Return the completely read set; raise BadInputError with all findings of all files."""
    findings = Findings()
    files = read_files(manifest, manifest_file, folder, data_root, on_file, findings)
    judgment_set = JudgmentSet(manifest, manifest_file)
    texts = JudgedTexts()
    left_out: list[Row] = []
    for table, _ in READERS.values():
        judgment_set.rows[table] = []
    for name, task in manifest.judgments.items():
        reading = Reading(name, task, files, texts, findings)
        if task.texts is not None:
            read_texts(reading, task.texts)
        table, read_task = READERS[task.kind]
        before = len(findings)
        rows = read_task(reading)
        if not rows and len(findings) == before and files[task.file] is not None:
            reading.fault(
                1,
                f"no judgment of the task {name}",
                "at least one",
                "Correct columns and where, or take the task out.",
            )
        judgment_set.rows[table] += [(task.file, *row) for row in rows]
        left_out += [
            (task.file, line, name, kind, detail) for line, kind, detail in reading.left_out
        ]
    if len(findings):
        raise BadInputError(findings)
    judgment_set.files = {path: file for path, file in files.items() if file is not None}
    references = {name for task in manifest.judgments.values() for name in task.references}
    judgment_set.rows |= {table: list(rows) for table, rows in texts.rows(references).items()}
    judgment_set.rows["judgment_findings"] = left_out
    judgment_set.rows |= _described(manifest)
    return judgment_set


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
