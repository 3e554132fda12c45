"""A comparison as text for a terminal of 80 columns.

It begins with the verdict. Bold is the best score; underlined scores are statistically tied with
it.
"""

import textwrap
from collections.abc import Iterator, Sequence

from rich.cells import cell_len, set_cell_size
from rich.text import Text

from maege.analysis.compare.results import (
    EDIT_LISTS,
    Comparison,
    EditChange,
    EditList,
    Result,
    Score,
    Sentence,
    System,
    TypeRow,
)
from maege.comparison.numbers import SIGNS, bounds, format_f, signature_line, title, type_mark
from maege.comparison.pages.tables import CORRECTED, needs_explanation, rank_range
from maege.comparison.verdict import verdict
from maege.numbers import MINUS, format_number, format_p, format_signed
from maege.visible import on_one_line, visible


def examples(result: Result, a: str, b: str, name: EditList, number: int) -> list[EditChange]:
    """Return the given number of edits of a list, at most one per sentence.

    Sentences in which true positives minus false positives changed most come first.
    """
    changes = [change for change in result.changes_of(a, b) if change.list == name]
    first: dict[int, EditChange] = {}
    for change in sorted(
        changes, key=lambda change: (change.sentence, change.start, change.end, change.correction)
    ):
        first.setdefault(change.sentence, change)
    places = [system.name for system in result.systems]
    pair = places.index(a), places.index(b)
    ordered = sorted(
        first.values(),
        key=lambda change: (-_change(result.sentences[change.sentence], pair), change.sentence),
    )
    return ordered[:number]


def _change(sentence: Sentence, pair: Sequence[int]) -> int:
    gains = [sentence.systems[place].counts for place in pair]
    return abs((gains[1][0] - gains[1][1]) - (gains[0][0] - gains[0][1]))


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
NAME_WIDTH = 15
# Where the columns of differences start.
DIFFERENCE_WIDTH = 28
# Where the columns of other metrics start.
OTHERS_AT = 71
OTHER_WIDTH = 8
MOST_OTHERS = 1
METRICS_IN_LINE = 6
TYPES_SHOWN = 10
CONTEXT_TOKENS = 12
ERRANT = "errant"


def as_text(result: Result, n_examples: int) -> Iterator[Text]:
    """Yield the lines of a comparison, with a number of example edits per list."""
    sentences = verdict(result)
    for sentence in sentences:
        yield from _wrapped(sentence)
    if sentences:
        yield Text("")
    yield from _wrapped(_about(result))
    if len(result.systems) > 2:
        yield from _leaderboard(result)
    else:
        yield from _counts(result)
    yield from _more_scores(result)
    yield from _annotators(result)
    if len(result.systems) == 2:
        yield from _types(result)
        yield from _edits(result, n_examples)
    elif result.totals:
        yield from _totals(result)
    for note in result.notes:
        if note.kind != "depends_on_annotator":
            yield from _wrapped(f"{'Warning' if note.is_warning else 'Note'}: {note.text}.")
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


def _named(name: str, width: int = NAME_WIDTH) -> str:
    name = on_one_line(name)
    if cell_len(name) > width:
        half = (width - 1) // 2
        name = f"{name[: width - 1 - half]}…{name[-half:]}"
    return set_cell_size(name, width)


def _about(result: Result) -> str:
    gold = result.gold
    annotators = f"{len(gold.annotators)} annotator{'s' if len(gold.annotators) > 1 else ''}"
    edits = f"{gold.edits}{_given_scores(result)}"
    return f"{gold.sentences:,} sentences, {annotators}; --gold-edits {edits}"


def _given_scores(result: Result) -> str:
    if not result.f_as_given:
        return ""
    values = ", ".join(f"{name} {format_f(value)}" for name, value in result.f_as_given.items())
    return f" (with the file's own edits: {values})"


def _other_metrics(result: Result) -> list[str]:
    return [metric for metric in result.metrics if metric != ERRANT]


def _counts(result: Result) -> Iterator[Text]:
    beta = result.signature.beta
    head = f"{'':{NAME_WIDTH}}{'TP':>6}{'FP':>6}{'FN':>6}{'P':>7}{'R':>7}  {title(ERRANT, beta)}"
    yield Text(f"{head} [95 %]".ljust(OTHERS_AT) + _other_heads(result))
    for system in result.systems:
        yield _counts_of(system, result)
    if len(result.systems) == 2:
        yield from _differences(result)


def _other_heads(result: Result) -> str:
    heads = [
        title(metric, result.signature.beta) for metric in _other_metrics(result)[:MOST_OTHERS]
    ]
    return "".join(f"{head[: OTHER_WIDTH - 1]:>{OTHER_WIDTH}}" for head in heads)


def _counts_of(system: System, result: Result) -> Text:
    score = system.scores[ERRANT]
    line = Text(_named(system.name))
    if score.counts is not None:
        tp, fp, fn, precision, recall, _ = score.counts
        line.append(f"{tp:>6}{fp:>6}{fn:>6}{format_f(precision):>7}{format_f(recall):>7}")
    line.append("  ")
    _append_score(line, score, result)
    return _with_other_metrics(line, system, result)


def _append_score(line: Text, score: Score, result: Result) -> None:
    line.append(format_f(score.value), _style(score, result))
    line.append(f" {bounds(score.ci)}")


def _with_other_metrics(line: Text, system: System, result: Result) -> Text:
    line.append(" " * max(0, OTHERS_AT - line.cell_len))
    for metric in _other_metrics(result)[:MOST_OTHERS]:
        line.append(f"{format_f(system.scores[metric].value):>{OTHER_WIDTH}}")
    return line


def _more_scores(result: Result) -> Iterator[Text]:
    """Yield the scores of metrics without a column in the first table, six per line."""
    remaining = _other_metrics(result)[MOST_OTHERS:]
    for start in range(0, len(remaining), METRICS_IN_LINE):
        metrics = remaining[start : start + METRICS_IN_LINE]
        heads = (title(metric, result.signature.beta) for metric in metrics)
        yield Text(" " * NAME_WIDTH + "".join(f"{head[:9]:>10}" for head in heads))
        for system in result.systems:
            line = Text(_named(system.name))
            for metric in metrics:
                score = system.scores[metric]
                shown = format_f(score.value)
                line.append(" " * (10 - len(shown)))
                line.append(shown, _style(score, result))
            yield line


def _style(score: Score, result: Result) -> str:
    if len(result.systems) == 1:
        return ""
    return "bold" if score.is_best else "underline" if score.is_like_best else ""


def _differences(result: Result) -> Iterator[Text]:
    """Yield a line for each metric: by how much the second system differs from the first."""
    a, b = (system.name for system in result.systems)
    comparisons = [
        comparison
        for metric in result.metrics
        if (comparison := result.comparison(a, b, metric)) is not None
    ]
    if not comparisons:
        return
    name = f"{b} {MINUS} {a}"
    if cell_len(name) > DIFFERENCE_WIDTH:
        name = "difference"
    has_tests = any(comparison.p_holm is not None for comparison in comparisons)
    yield Text("")
    yield Text(
        f"{_named(name, DIFFERENCE_WIDTH)}{'P':>8}{'R':>8}{'score':>8}  {'95 % CI':<18}"
        f"{'p' if has_tests else '':>5}".rstrip()
    )
    for comparison in comparisons:
        yield Text(_difference(comparison, result))
        if comparison.equivalence is not None:
            is_equivalent = comparison.equivalence.is_equivalent
            is_within = "within" if is_equivalent else "not within"
            verdict_on = "equivalent" if is_equivalent else "not shown to be equivalent"
            yield from _wrapped(
                f"90 % interval {bounds(comparison.equivalence.ci, with_signs=True)}: {is_within} "
                f"±{comparison.equivalence.margin:g}, {verdict_on}",
                "  ",
            )
    if any(map(needs_explanation, comparisons)):
        yield from _wrapped(CORRECTED, "  ")


def _difference(comparison: Comparison, result: Result) -> str:
    shares = ("", "")
    if comparison.metric == ERRANT:
        counts = {system.name: system.scores[ERRANT].counts for system in result.systems}
        first, second = counts[comparison.a], counts[comparison.b]
        if first is not None and second is not None:
            shares = (
                format_signed(second.precision - first.precision),
                format_signed(second.recall - first.recall),
            )
    heading = f"  {title(comparison.metric, result.signature.beta)}"
    return (
        f"{_named(heading, DIFFERENCE_WIDTH)}{shares[0]:>8}{shares[1]:>8}"
        f"{format_signed(comparison.difference):>8}  {bounds(comparison.ci, with_signs=True):<18}"
        f"{format_p(comparison.p_holm):>7} "
        f"{'' if comparison.p_holm is None else SIGNS[comparison.mark]}"
    ).rstrip()


def _leaderboard(result: Result) -> Iterator[Text]:
    has_ranks = any(system.scores[ERRANT].ranks for system in result.systems)
    head = f"{'':{NAME_WIDTH}}{title(ERRANT, result.signature.beta)} [95 %]".ljust(37)
    against = f"{MINUS} {result.baseline.name}"
    head += f"{_named(against, 12).rstrip():>12}{'p Holm':>8}  {'rank' if has_ranks else ''}"
    yield Text(head.ljust(OTHERS_AT) + _other_heads(result))
    ordered = sorted(result.systems, key=lambda system: -(system.scores[ERRANT].value or 0))
    for system in ordered:
        yield _leaderboard_row(system, result)


def _leaderboard_row(system: System, result: Result) -> Text:
    score = system.scores[ERRANT]
    line = Text(_named(system.name))
    _append_score(line, score, result)
    line.append(" " * max(0, 37 - line.cell_len))
    comparison = result.comparison(result.baseline.name, system.name, ERRANT)
    if comparison is None:
        line.append(f"{'(base)':>12}{'':>10}")
    else:
        line.append(
            f"{format_signed(comparison.difference):>12}{format_p(comparison.p_holm):>8} "
            f"{SIGNS[comparison.mark]:<1}"
        )
    if score.ranks is not None:
        line.append(f" {score.ranks.rank} ({rank_range(score.ranks.low, score.ranks.high)})")
    return _with_other_metrics(line, system, result)


def _annotators(result: Result) -> Iterator[Text]:
    for comparison in result.comparisons:
        if not comparison.by_annotator or (
            len(result.systems) > 2 and not comparison.depends_on_annotator
        ):
            continue
        agreeing = sum(
            by.difference * (comparison.difference or 0) > 0 for by in comparison.by_annotator
        )
        differences = "/".join(format_signed(by.difference) for by in comparison.by_annotator[:10])
        verdict = (
            "the sign depends on the annotator"
            if comparison.depends_on_annotator
            else f"{agreeing} of {len(comparison.by_annotator)} agree in sign"
        )
        pair = f"{comparison.b} {MINUS} {comparison.a} by" if len(result.systems) > 2 else "By"
        ids = "/".join(by.id for by in comparison.by_annotator[:10])
        yield from _wrapped(f"{pair} annotator {ids} alone: {differences}: {verdict}.", "  ")


def _types(result: Result) -> Iterator[Text]:
    a, b = (system.name for system in result.systems)
    rows = result.types_of(a, b)
    tested = [row for row in rows if row.is_tested]
    if not rows:
        return
    type_source = "types of the gold file" if result.gold.types == "given" else "ERRANT's"
    head = f"Types, {type_source}; {len(tested)} of {len(rows)} have enough edits for a test"
    yield Text("")
    yield Text(head)
    one_gold = all(row.gold_a == row.gold_b for row in rows)
    yield Text(
        f"  {'':22}{'gold':>7}{_named(a, 9).strip():>10}{'' if one_gold else 'gold':>7}"
        f"{_named(b, 9).strip():>10}{'diff':>9}{'q':>8}"
    )
    for row in tested[:TYPES_SHOWN]:
        yield Text(_type_line(row, result.signature.alpha, one_gold=one_gold))
    hidden = len(tested) - TYPES_SHOWN
    untested = [row.type for row in rows if not row.is_tested]
    if hidden > 0:
        yield Text(f"  and {hidden} less important types: --format html or json shows all")
    if untested:
        few = ", ".join(untested[:4]) + (
            f" and {len(untested) - 4} more" if len(untested) > 4 else ""
        )
        for line in _wrapped(f"too few to test: {few}", "  "):
            line.stylize("dim")
            yield line


def _type_line(row: TypeRow, alpha: float, *, one_gold: bool) -> str:
    return (
        f"  {_named(row.type, 22)}{row.gold_a:>7}{format_number(row.counts_a.f_score, 3):>10}"
        f"{'' if one_gold else row.gold_b:>7}{format_number(row.counts_b.f_score, 3):>10}"
        f"{format_signed(row.difference):>9}{format_p(row.q_value):>8} {type_mark(row, alpha)}"
    ).rstrip()


def _edits(result: Result, n_examples: int) -> Iterator[Text]:
    a, b = (system.name for system in result.systems)
    (totals,) = result.totals
    disputed = (totals.gained - totals.gained_by_all, totals.lost - totals.lost_by_all)
    heads = {
        "gained": f"{totals.gained:,} gained, {disputed[0]:,} of them disputed",
        "lost": f"{totals.lost:,} lost, {disputed[1]:,} of them disputed",
        "new_false": f"{totals.new_false:,} new false positives",
        "false_gone": f"{totals.false_gone:,} false positives fixed",
    }
    yield Text("")
    yield from _wrapped(f"Edits, {b} against {a}: sentence, type, how many annotators have it")
    for name in EDIT_LISTS:
        yield Text(f"  {heads[name]}")
        for change in examples(result, a, b, name, n_examples):
            source = result.sentences[change.sentence].source
            yield _example(change, source)


def _example(change: EditChange, source: str) -> Text:
    start = f"  {change.sentence:>6} {_named(change.type, 13)}{change.have}/{change.of} "
    room = WIDTH - cell_len(start)
    shown = visible(in_context(change, source, 0))
    for tokens in range(1, CONTEXT_TOKENS + 1):
        wider = visible(in_context(change, source, tokens))
        if cell_len(wider) > room:
            break
        shown = wider
    return Text(start + shown)


def _totals(result: Result) -> Iterator[Text]:
    yield Text("")
    head = f"Edits against {result.baseline.name}"
    names = ("gained", "lost", "new FP", "FP fixed")
    yield Text(f"{_named(head, 28)}" + "".join(f"{name:>12}" for name in names))
    for totals in result.totals:
        numbers = (totals.gained, totals.lost, totals.new_false, totals.false_gone)
        yield Text(f"  {_named(totals.b, 26)}" + "".join(f"{number:>12,}" for number in numbers))
    yield Text("Each edit, by type and in its sentence: --format html --out FILE.html")
