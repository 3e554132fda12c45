"""The content of a card for every output format: titles, tables, lines and marked differences."""

import difflib
from collections.abc import ItemsView, Iterable, Sequence
from itertools import chain, groupby
from operator import itemgetter
from typing import Any

from maege.analysis.metrics.own.declared import CHANCE
from maege.cards.facts import Card
from maege.cards.parts import Change, Part, read_parts
from maege.cards.verdict import (
    COMPARED,
    TIED,
    compared_rows,
    margin,
    published_rows,
    type_rows,
    verdict,
)
from maege.numbers import estimate, p_equals
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
    return read_parts(
        "cards/page.txt.j2",
        [shortened(word_changes(row["lower_text"], row["upper_text"])) for row in pairs],
        card=card,
        title=f"{card.metric} on {card.corpus}" if card.corpus else card.metric,
        sentences=verdict(card),
        texts={row["item"]: row["text"] for row in card.of("reads")},
        pairs=pairs,
        comparisons={result: words[0].upper() + words[1:] for result, words in COMPARED.items()},
        tied=TIED,
        margin=margin,
        type_rows=type_rows,
        compared=compared_rows(card),
        published=published_rows(card),
        known=_known_quality(card),
        adversarial=_adversarial(card.of("adversarial")),
        human_rankings=_human_rankings(card),
    )


def _known_quality(card: Card) -> dict[str, Any] | None:
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
    rows = [facts.get((AGAINST_CHANCE, name)) for name in EXPERIMENTS]
    cells = ([row["text"], p_equals(row["value"])] if row else ["", ""] for row in rows)
    return [*chain(*cells)]


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
    name = next((name for name in ("ci", "draws") if row[f"{name}_low"] is not None), "chance")
    return {"ci_low": row[f"{name}_low"], "ci_high": row[f"{name}_high"]}


def _adversarial(facts: list[Row]) -> dict[str, Any]:
    """Return the outputs that beat systems, an injected prompt and a reference among systems.

    Each has its row and a phrase on the reference set; injected prompts have the score before.
    """
    outputs = [(name, *_most(facts, system, "n")) for system, name in ADVERSARIAL.items()]
    prompt = _most(facts, "injected_prompt", "n")
    reference = _most(facts, "own_reference", "rank")
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


def _most(facts: list[Row], item: str, count: str) -> tuple[Row, str]:
    """Return the row with the highest count, and its reference set if the counts differ."""
    rows = [row for row in facts if row["item"] == item]
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
        ordered = sorted(_by_method(group, "reference_set"), key=_trueskill_r)
        first, last = (
            {method: round(row["value"], 9) for method, row in methods.items()}
            for _, methods in (ordered[0], ordered[-1])
        )
        # All reference sets give the same result for a metric that reads no references.
        ends = [ordered[-1]] if first == last else [ordered[-1], ordered[0]]
        for number, (references, methods) in enumerate(ends):
            n_systems = max(row["n"] for row in methods.values())
            label = f"{judgment_set} ({n_systems})" if number == 0 else ""
            shown = "any" if len(ends) == 1 < len(ordered) else references
            rows.append((label, shown, *_methods(methods)))
        rows += [
            (f"  chance: {kind.removeprefix(CHANCE)}", "", *_methods(methods))
            for kind, methods in _by_method(
                (row for row in chance if row["item"] == judgment_set), "metric"
            )
        ]
    return rows


def _by_method(rows: Iterable[Row], name: str) -> ItemsView[str, dict[str, Row]]:
    """Return the row of each method, for each value of a field."""
    groups: dict[str, dict[str, Row]] = {}
    for row in rows:
        groups.setdefault(row[name], {})[row["condition"]] = row
    return groups.items()


def _trueskill_r(references: tuple[str, dict[str, Row]]) -> float:
    row = references[1].get("trueskill") or next(iter(references[1].values()))
    return float(row["value"])


def _methods(methods: dict[str, Row]) -> tuple[str, str, str]:
    trueskill, wins = methods.get("trueskill"), methods.get("expected_wins")
    is_ranked = trueskill and trueskill["rank"] is not None
    return (
        estimate(trueskill) if trueskill else "",
        f"{trueskill['rank']} of {trueskill['n_ranked']}" if trueskill and is_ranked else "",
        estimate(wins) if wins else "",
    )


def word_changes(before: str, after: str) -> list[Change]:
    """Return the words of both texts in order: those that stay, are deleted and are inserted."""
    old, new = before.split(), after.split()
    changes: list[Change] = []
    matcher = difflib.SequenceMatcher(None, old, new, autojunk=False)
    for kind, old_from, old_to, new_from, new_to in matcher.get_opcodes():
        if kind == "equal":
            changes.append(("same", " ".join(old[old_from:old_to])))
            continue
        if old_to > old_from:
            changes.append(("deleted", " ".join(old[old_from:old_to])))
        if new_to > new_from:
            changes.append(("inserted", " ".join(new[new_from:new_to])))
    return changes


def shortened(changes: Sequence[Change]) -> list[Change]:
    """Return the changes with a few of the unchanged words around them."""
    short: list[Change] = []
    for index, (kind, text) in enumerate(changes):
        words = text.split()
        before = words[:WORDS_AROUND] if index else []
        after = words[-WORDS_AROUND:] if index < len(changes) - 1 else []
        is_long = kind == "same" and len(words) > len(before) + len(after)
        short.append((kind, " ".join([*before, "...", *after]) if is_long else text))
    return short
