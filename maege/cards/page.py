"""The content of a card for every output format: titles, tables, lines and marked differences."""

import difflib
import re
from collections.abc import Sequence
from functools import cache, partial
from importlib import resources
from itertools import groupby
from operator import itemgetter
from typing import Any

import jinja2

from maege.analysis.metrics.own.declared import CHANCE
from maege.cards.facts import Card
from maege.cards.parts import Change, Differences, Lines, Part, Table
from maege.cards.verdict import (
    COMPARED,
    TIED,
    compared_rows,
    margin,
    published_rows,
    type_rows,
    verdict,
)
from maege.names import in_a_sentence
from maege.numbers import (
    estimate,
    format_change,
    format_number,
    format_share,
    format_signed,
    interval,
    p_equals,
)
from maege.rows import Row

# A longer run of unchanged words is shortened in the middle.
WORDS_AROUND = 6
EXPERIMENTS = ("random_source", "origin_source")
ONE_RANDOM = f"{CHANCE}random"
RHO, TAU, AGAINST_CHANCE = "spearman_rho_median", "kendall_tau_a", "chance_p_value"
SELF_REFERENCED = "self-referenced"
MEASURES = {
    RHO: "corpora: rho",
    TAU: "sentences: tau",
    "strict_accuracy": "  concordant",
    "tied_share": "  tied",
    "pearson_r": "sentences: r",
}
ADVERSARIAL = {
    "source": "the source copied",
    "empty": "nothing at all",
    "constant": "the constant sentence",
    "shuffled": "the source's words in another order",
    "doubled_word": "the source with a function word doubled",
    "injected_prompt": "the source and a prompt that asks for 5 points",
    "other_reference": "a reference of another sentence",
}


def page(card: Card) -> list[Part]:
    """Return the parts of the card that have content, in reading order."""
    pairs = [row for row in card.worst_pairs if row["experiment"] == EXPERIMENTS[0]]
    text = _template().render(
        card=card,
        title=f"{card.metric} on {card.corpus}" if card.corpus else card.metric,
        sentences=verdict(card),
        texts={row["item"]: row["text"] for row in card.of("reads")},
        pairs=pairs,
        comparisons={result: words[0].upper() + words[1:] for result, words in COMPARED.items()},
        tied=TIED,
        type_rows=type_rows,
        **{
            function.__name__.removeprefix("_"): partial(function, card)
            for function in (
                compared_rows, published_rows, _known_quality, _adversarial, _human_rankings
            )
        },
    )  # fmt: skip
    changes = [shortened(word_changes(row["lower_text"], row["upper_text"])) for row in pairs]
    return [_part(part, changes) for part in text.strip().removeprefix("# ").split("\n# ")]


@cache
def _template() -> jinja2.Template:
    environment = jinja2.Environment(  # noqa: S701 - text, which each output format escapes
        line_statement_prefix="%", line_comment_prefix="%#", trim_blocks=True
    )
    environment.filters |= {
        "number": format_number,
        "count": "{:,}".format,
        "share": format_share,
        "change": format_change,
        "signed": format_signed,
        "listed": in_a_sentence,
        "p_equals": p_equals,
        "margin": margin,
        "estimate": lambda row, value: estimate(row | {"value": value}),
        "change_interval": partial(interval, shown=format_change),
        "share_interval": partial(interval, shown=partial(format_share, decimals=1)),
    }
    text = (resources.files("maege.cards") / "page.txt.j2").read_text(encoding="utf-8")
    return environment.from_string(text)


def _part(text: str, changes: list[list[Change]]) -> Part:
    """Return the part that the template writes as text."""
    title, _, body = text.partition("\n")
    rows = [tuple(line[2:-2].split(" | ")) for line in re.findall(r"^\| .* \|$", body, re.M)]
    captions = re.findall(r"^> (.*)$", body, re.M)
    paragraphs = re.sub(r"^[|>] .*$", "", body, flags=re.M).strip().split("\n\n")
    lines = [re.sub(r"\s*\n\s*", " ", line.strip()) for line in paragraphs if line.strip()]
    if captions:
        return Differences(title, captions, changes, " ".join(lines))
    if rows:
        return Table(title, rows[0], rows[1:], " ".join(lines))
    return Lines(title, lines)


def _known_quality(card: Card) -> dict[str, Any] | None:
    """Return the rows of the table on corrections of known quality; None without scores."""
    facts_by_metric: dict[str, dict[tuple[str, str], Row]] = {}
    for section in ("corpus", "sentence"):
        for row in (*card.of(section), *card.chance(section)):
            facts_by_metric.setdefault(row["metric"], {})[row["measure"], row["condition"]] = row
    facts = facts_by_metric.pop(card.metric, None)
    if facts is None:
        return None
    rows: list[tuple[str, ...]] = []
    for measure, label in MEASURES.items():
        rows.append((label, *_both(facts, measure)))
        if measure == TAU:
            rows.append(("  verdict", *_against_chance(facts)))
        if measure in (RHO, TAU):
            rows += [
                (f"  {baseline.removeprefix(CHANCE)}", *_both(baseline_facts, measure))
                for baseline, baseline_facts in facts_by_metric.items()
                if baseline != ONE_RANDOM and any(key[0] == measure for key in baseline_facts)
            ]
        if measure == RHO:
            rows.append(("  chance", *_both(facts, "spearman_rho_chance")))
    return {
        "rows": rows,
        "n_pairs": next(row["n"] for key, row in facts.items() if key[0] == TAU),
        "is_self_referenced": any(row["text"] == SELF_REFERENCED for row in facts.values()),
    }


def _both(facts: dict[tuple[str, str], Row], measure: str) -> list[str]:
    return [cell for name in EXPERIMENTS for cell in _placed(facts.get((measure, name)))]


def _against_chance(facts: dict[tuple[str, str], Row]) -> list[str]:
    cells: list[str] = []
    for experiment in EXPERIMENTS:
        row = facts.get((AGAINST_CHANCE, experiment))
        cells += [row["text"], p_equals(row["value"])] if row else ["", ""]
    return cells


def _placed(row: Row | None) -> tuple[str, str]:
    if row is None:
        return "", ""
    if row["metric"].startswith(CHANCE):
        return estimate(row), ""
    reason = "none" if row["text"] == SELF_REFERENCED else row["text"] or ""
    rank = f"{row['rank']} of {row['n_ranked']}" if row["rank"] else reason
    return estimate(row | _range(row)), rank


def _range(row: Row) -> Row:
    """Return the interval of the row, or else the range of its draws or of chance."""
    for name in ("ci", "draws", "chance"):
        if row[f"{name}_low"] is not None:
            break
    return {"ci_low": row[f"{name}_low"], "ci_high": row[f"{name}_high"]}


def _adversarial(card: Card) -> dict[str, Any]:
    """Return the outputs that beat systems, an injected prompt and a reference among systems.

    Each has its row and a phrase on the reference set; injected prompts have the score before.
    """
    facts = card.of("adversarial")
    outputs = [
        (name, *_most_by([row for row in facts if row["item"] == system], "n"))
        for system, name in ADVERSARIAL.items()
    ]
    prompt = _most_by([row for row in facts if row["item"] == "injected_prompt"], "n")
    reference = _most_by([row for row in facts if row["item"] == "own_reference"], "rank")
    return {
        "outputs": sorted(
            (each for each in outputs if each[1]["n"]), key=lambda each: -each[1]["n"]
        ),
        "injected": [
            (fact["value"], *prompt)
            for fact in facts
            if fact["item"] == "source" and fact["reference_set"] == prompt[0].get("reference_set")
        ],
        "references": [reference] if reference[0].get("rank", 1) > 1 else [],
    }


def _most_by(rows: list[Row], count: str) -> tuple[Row, str]:
    """Return the row with the highest count, and its reference set if the counts differ."""
    if not rows:
        return {"n": 0}, ""
    most = max(rows, key=itemgetter(count))
    is_same = len({row[count] for row in rows}) == 1
    return most, "" if is_same else f" (references {most['reference_set']})"


def _human_rankings(card: Card) -> list[tuple[str, ...]]:
    chance = card.chance("system")
    rows: list[tuple[str, ...]] = []
    facts = sorted(card.of("system"), key=itemgetter("item"))
    for judgment_set, group in groupby(facts, itemgetter("item")):
        by_references: dict[str, dict[str, Row]] = {}
        for row in group:
            by_references.setdefault(row["reference_set"], {})[row["condition"]] = row
        ordered = sorted(by_references.items(), key=_trueskill_r)
        # All reference sets give the same result for a metric that reads no references.
        is_same = _estimate_of(ordered[0][1]) == _estimate_of(ordered[-1][1])
        ends = [ordered[-1]] if is_same else [ordered[-1], ordered[0]]
        for number, (references, methods) in enumerate(ends):
            label = f"{judgment_set} ({_systems(methods)})" if number == 0 else ""
            shown = "any" if len(ends) == 1 < len(ordered) else references
            rows.append((label, shown, *_methods(methods)))
        rows += [
            (f"  chance: {kind.removeprefix(CHANCE)}", "", *_methods(methods))
            for kind, methods in _chance_rows(chance, judgment_set)
        ]
    return rows


def _trueskill_r(references: tuple[str, dict[str, Row]]) -> float:
    methods = references[1]
    row = methods.get("trueskill") or next(iter(methods.values()))
    return float(row["value"])


def _estimate_of(methods: dict[str, Row]) -> dict[str, float]:
    return {method: round(row["value"], 9) for method, row in methods.items()}


def _systems(methods: dict[str, Row]) -> int:
    return int(max(row["n"] for row in methods.values()))


def _methods(methods: dict[str, Row]) -> tuple[str, str, str]:
    trueskill, wins = methods.get("trueskill"), methods.get("expected_wins")
    placed = trueskill is not None and trueskill["rank"] is not None
    return (
        "" if trueskill is None else estimate(trueskill),
        f"{trueskill['rank']} of {trueskill['n_ranked']}" if trueskill and placed else "",
        "" if wins is None else estimate(wins),
    )


def _chance_rows(chance: list[Row], judgment_set: str) -> list[tuple[str, dict[str, Row]]]:
    """Return one row per method for each kind of chance, which reads no references."""
    kinds: dict[str, dict[str, Row]] = {}
    for row in chance:
        if row["item"] == judgment_set:
            kinds.setdefault(row["metric"], {})[row["condition"]] = row
    return sorted(kinds.items())


def word_changes(before: str, after: str) -> list[Change]:
    """Return the words of both texts in order: those that stay, are deleted and are inserted."""
    old, new = before.split(), after.split()
    changes: list[Change] = []
    matcher = difflib.SequenceMatcher(None, old, new, autojunk=False)
    for kind, old_from, old_to, new_from, new_to in matcher.get_opcodes():
        if kind == "equal":
            changes.append(("same", " ".join(old[old_from:old_to])))
        if old_to > old_from and kind != "equal":
            changes.append(("deleted", " ".join(old[old_from:old_to])))
        if new_to > new_from and kind != "equal":
            changes.append(("inserted", " ".join(new[new_from:new_to])))
    return changes


def shortened(changes: Sequence[Change]) -> list[Change]:
    """Return the changes with a few of the unchanged words around them."""
    short: list[Change] = []
    for index, (kind, text) in enumerate(changes):
        words = text.split()
        before = words[:WORDS_AROUND] if index else []
        after = words[-WORDS_AROUND:] if index < len(changes) - 1 else []
        if kind == "same" and len(words) > len(before) + len(after):
            short.append((kind, " ".join([*before, "...", *after])))
        else:
            short.append((kind, text))
    return short
