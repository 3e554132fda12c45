"""A comparison as text for a terminal of 80 columns.

It begins with the verdict. Bold is the best score; underlined scores are statistically tied with
it.
"""

import textwrap
from collections.abc import Iterator

from rich.cells import cell_len, set_cell_size
from rich.console import Console
from rich.table import Table as Grid
from rich.text import Text

from maege.analysis.compare.results import EditChange, EditList, Result
from maege.comparison.numbers import LISTS, format_f, signature_line
from maege.comparison.pages import tables
from maege.comparison.verdict import verdict
from maege.visible import on_one_line, visible


def examples(result: Result, name: EditList, number: int) -> list[EditChange]:
    """Return at most one edit per sentence; the largest changes of TP - FP come first."""
    first: dict[int, EditChange] = {}
    changes = (change for change in result.changes if change.list == name)
    for change in sorted(
        changes, key=lambda change: (change.sentence, change.start, change.end, change.correction)
    ):
        first.setdefault(change.sentence, change)

    def gain(sentence: int) -> int:
        a, b = (tp - fp for tp, fp, _ in (s.counts for s in result.sentences[sentence].systems))
        return abs(b - a)

    return [first[n] for n in sorted(first, key=lambda n: (-gain(n), n))][:number]


def in_context(change: EditChange, source: str, tokens: int) -> str:
    """Return an edit as `[-old-] {+new+}`, with a number of tokens on either side."""
    words = source.split()
    start = max(0, change.start - tokens)
    end = min(len(words), change.end + tokens)
    parts = (
        "..." if start else "",
        *words[start : change.start],
        f"[-{change.original}-]" if change.original else "",
        f"{{+{change.correction}+}}" if change.correction else "",
        *words[change.end : end],
        "..." if end < len(words) else "",
    )
    return " ".join(part for part in parts if part)


WIDTH = 80
# The first table has this number of metrics, each further one the other.
FIRST_METRICS = 2
METRICS_IN_TABLE = 6
TYPES_SHOWN = 10
CONTEXT_TOKENS = 12
STYLES = {"best": "bold", "like_best": "underline", "quiet": "dim", "none": ""}
Part = Text | Grid


def as_text(result: Result, n_examples: int) -> str:
    console = Console(width=WIDTH, color_system=None)
    with console.capture() as capture:
        show(result, n_examples, console)
    return "".join(f"{line.rstrip()}\n" for line in capture.get().split("\n")[:-1])


def show(result: Result, n_examples: int, console: Console) -> None:
    for part in _parts(result, n_examples):
        console.print(part, soft_wrap=isinstance(part, Text))


def _parts(result: Result, n_examples: int) -> Iterator[Part]:
    sentences = verdict(result)
    for sentence in sentences:
        yield from _wrapped(sentence)
    if sentences:
        yield Text("")
    yield from _wrapped(_about(result))
    yield _grid(tables.count_table(result, result.metrics[:FIRST_METRICS]))
    for start in range(FIRST_METRICS, len(result.metrics), METRICS_IN_TABLE):
        metrics = result.metrics[start : start + METRICS_IN_TABLE]
        yield _grid(tables.count_table(result, metrics))
    if len(result.systems) == 2:
        yield from (Text(""), _grid(tables.difference_table(result)))
        if any(map(tables.needs_explanation, result.comparisons)):
            yield from _wrapped(tables.CORRECTED, "  ")
        a, b = (system.name for system in result.systems)
        types = tables.type_table(result, a, b, TYPES_SHOWN, with_intervals=False)
        if types is not None:
            yield Text("")
            yield from _wrapped(f"{types.caption} --format html or json shows all types.")
            yield _grid(types)
        yield from _edits(result, n_examples)
    elif (totals := tables.totals_table(result)) is not None:
        yield from (Text(""), _grid(tables.test_table(result)))
        yield from (Text(""), Text(f"Edits against {result.baseline.name}"), _grid(totals))
        yield Text("Each edit, by type and in its sentence: --format html --out FILE.html")
    for remark in tables.remarks(result, with_folders=True):
        yield from _wrapped(remark)
    yield Text(signature_line(result))


def _wrapped(text: str, indent: str = "") -> Iterator[Text]:
    lines = textwrap.wrap(
        on_one_line(text),
        WIDTH,
        initial_indent=indent,
        subsequent_indent=indent + "  ",
        break_on_hyphens=False,
    )
    yield from map(Text, lines)


def _grid(table: tables.Table) -> Grid:
    """Return the table without its caption. Heads and names may wrap, numbers may not."""
    grid = Grid(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="")
    columns: list[list[Text]] = []
    for place, (head, *cells) in enumerate(zip(table.columns, *table.rows, strict=True)):
        texts = [Text(on_one_line(cell.text), STYLES[cell.emphasis]) for cell in cells]
        is_number = place >= table.n_words
        is_wide = max((text.cell_len for text in texts), default=0) >= cell_len(head)
        grid.add_column(
            on_one_line(head),
            justify="right" if is_number else "left",
            no_wrap=is_number and (is_wide or " " not in head),
            overflow="fold",
        )
        columns.append(texts)
        if any(cell.mark for cell in cells):
            grid.add_column()
            columns.append([Text(cell.mark) for cell in cells])
    for row in zip(*columns, strict=True):
        grid.add_row(*row)
    return grid


def _about(result: Result) -> str:
    gold = result.gold
    annotators = f"{len(gold.annotators)} annotator{'s' if len(gold.annotators) > 1 else ''}"
    about = f"{gold.sentences:,} sentences, {annotators}; --gold-edits {gold.edits}"
    if result.f_as_given:
        values = ", ".join(f"{name} {format_f(value)}" for name, value in result.f_as_given.items())
        about += f" (with the file's own edits: {values})"
    return about


def _edits(result: Result, n_examples: int) -> Iterator[Part]:
    (totals,) = result.totals
    yield Text("")
    yield from _wrapped(
        f"Edits, {totals.b} against {totals.a}: sentence, type, how many annotators have it"
    )
    for name, heading in LISTS.items():
        number, by_all = getattr(totals, name), getattr(totals, f"{name}_by_all", None)
        disputed = "" if by_all is None else f", {number - by_all:,} of them disputed"
        yield Text(f"  {number:,} {heading}{disputed}")
        for change in examples(result, name, n_examples):
            yield _example(change, result.sentences[change.sentence].source)


def _example(change: EditChange, source: str) -> Text:
    error_type = set_cell_size(on_one_line(change.type), 13)
    start = f"  {change.sentence:>6} {error_type}{change.have}/{change.of} "
    room = WIDTH - cell_len(start)
    shown = visible(in_context(change, source, 0))
    for tokens in range(1, CONTEXT_TOKENS + 1):
        wider = visible(in_context(change, source, tokens))
        if cell_len(wider) > room:
            break
        shown = wider
    return Text(start + shown)
