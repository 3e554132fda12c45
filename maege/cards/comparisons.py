"""The sections of a card that compare its metric with every other metric."""

from collections.abc import Sequence
from operator import itemgetter

from maege.analysis.statistics.resampling import margin_shown, standard_error
from maege.cards.facts import Card
from maege.cards.parts import Lines, Part, Table
from maege.cards.verdict import TIED
from maege.numbers import format_number, format_signed
from maege.rows import Row

# The error types with the smallest q-values.
TYPES_SHOWN = 5


def comparisons(card: Card) -> list[Part]:
    """Return the metrics that order corrections of a sentence significantly better or worse."""
    facts = [row for row in card.of("comparisons") if row["condition"] == "random_source"]
    if _nothing_judged(facts):
        return []
    lines = []
    for verdict, words in (
        ("better", "Significantly better than"),
        (TIED, "Statistically tied with"),
        ("worse", "Significantly worse than"),
    ):
        shown = _with_margin if verdict == TIED else _signed
        named = [f"{row['item']} {shown(row)}" for row in facts if row["text"] == verdict]
        lines.append(f"{words}: {', '.join(named) or 'none'}.")
    if unjudged := [row["item"] for row in facts if row["text"] == "not judged"]:
        lines.append(f"Not compared, for lack of data: {', '.join(unjudged)}.")
    lines.append(
        "Differences of tau, random source. Significant: q below 0.05, by a sign-flip test over "
        "sentences, corrected for all pairs of metrics. Tied does not mean equal: the number in "
        "brackets is the smallest margin within which two one-sided tests at 5 % show the two to "
        "be equivalent. Mart metric_comparisons."
    )
    return [Lines("Is it better than others at ordering corrections of a sentence?", lines)]


def type_comparisons(card: Card) -> list[Part]:
    """Return a table of the metrics that are better or worse at some error type."""
    facts = card.of("type_comparisons")
    if _nothing_judged(facts):
        return []
    types: dict[tuple[str, str], list[str]] = {}
    for row in sorted(facts, key=itemgetter("q_value", "condition")):
        types.setdefault((row["item"], row["text"]), []).append(row["condition"])
    others = sorted({row["item"] for row in facts})
    rows = [
        (other, _first_of(types.get((other, "better"))), _first_of(types.get((other, "worse"))))
        for other in others
        if (other, "better") in types or (other, "worse") in types
    ]
    n_types = len({row["condition"] for row in facts})
    note = (
        f"{n_types} error types are in enough sentences to be tested. Differences of tau for pairs "
        "that differ by one edit of the type. Significant: q below 0.05, by a sign-flip test over "
        "sentences, corrected for all types and pairs of metrics."
    )
    title = "At which error types does it order corrections better or worse than others?"
    if not rows:
        return [
            Lines(title, [f"At none: no difference from another metric is significant. {note}"])
        ]
    return [Table(title, ("metric", "better at", "worse at"), rows, note)]


def _nothing_judged(facts: Sequence[Row]) -> bool:
    return all(row["text"] == "not judged" for row in facts)


def _first_of(types: Sequence[str] | None) -> str:
    if not types:
        return ""
    more = len(types) - TYPES_SHOWN
    return ", ".join(types[:TYPES_SHOWN]) + (f" and {more} more" if more > 0 else "")


def _signed(row: Row) -> str:
    return format_signed(row["value"], 2)


def _with_margin(row: Row) -> str:
    """Return the difference and the smallest margin within which the two are equivalent."""
    if row["ci_low"] is None or row["ci_high"] is None:
        return _signed(row)
    margin = margin_shown(row["value"], standard_error(row["ci_low"], row["ci_high"]))
    return f"{_signed(row)} ({format_number(margin)})"
