"""The content of a card for every output format: titles, tables, lines and marked differences."""

import difflib
from collections.abc import Sequence
from itertools import groupby
from operator import itemgetter

from maege.analysis.metrics.own.declared import CHANCE
from maege.cards.facts import Card
from maege.cards.parts import Change, Differences, Lines, Part, Table
from maege.cards.verdict import against, comparisons, next_to_published, type_comparisons, verdict
from maege.numbers import estimate, format_change, format_number, format_share, interval, p_equals
from maege.rows import Row

TYPES_SHOWN = 5
FEWEST_PAIRS = 10
# A longer run of unchanged words is shortened in the middle.
WORDS_AROUND = 6
EXPERIMENTS = ("random_source", "origin_source")
ONE_RANDOM = f"{CHANCE}random"
HEADLINE, AGAINST_CHANCE = "kendall_tau_a", "chance_p_value"
OWN_REFERENCE = "own_reference"
SELF_REFERENCED = "self-referenced"
# Estimators of complete coverage: the one validated in `adjusted_scores`, and one without a crowd.
CROWD, WITHOUT_CROWD = "crowd_index", "jackknife"
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
    title = f"{card.metric} on {card.corpus}" if card.corpus else card.metric
    sentences = verdict(card)
    noted = [card.notice] if card.notice else []
    first: list[Part] = [Lines(title, [*noted, *sentences]), *against(card)]
    first += next_to_published(card)
    has_lattices = card.corpus is not None or card.preferences or not sentences
    parts = [*(_maege(card) if has_lattices else ())]
    parts += [*_error_types(card), *_corrupted_edits(card), *_worst_pairs(card)]
    parts += [*_adversarial(card), *_references(card), *_human_rankings(card)]
    parts += [*comparisons(card), *type_comparisons(card)]
    if not sentences:
        about = _reads(card, title)
        return [Lines(title, [*noted, *about.lines]), *parts]
    return [*first, *parts, _reads(card, "How is it computed?")]


def _reads(card: Card, title: str) -> Lines:
    texts = {row["item"]: row["text"] for row in card.of("reads")}
    lines = [f"Reads {texts['inputs']}; {texts['direction']}."] if texts else []
    if "signature" in texts:
        lines.append(texts["signature"])
    for row in card.of("coverage"):
        share = (
            ""
            if row["value"] is None
            else f" ({format_share(row['value'], 1)} of {row['n']:,} inputs)"
        )
        corpus_phrase = f" of {row['corpus']}" if row["corpus"] else ""
        lines.append(f"Scores{corpus_phrase}: {row['text']}{share}.")
    return Lines(title, lines)


def _maege(card: Card) -> list[Part]:
    if card.preferences:
        return [_preferences(card)]
    if card.corpus is None:
        return [
            Lines(
                "MAEGE",
                ["No corpus has scores of this metric at corrections of known quality."],
            )
        ]
    measures = {
        "spearman_rho_median": "corpora: rho",
        HEADLINE: "sentences: tau",
        "strict_accuracy": "  concordant",
        "tied_share": "  tied",
        "pearson_r": "sentences: r",
    }
    sections = ("corpus", "sentence")
    facts_by_metric: dict[str, dict[tuple[str, str], Row]] = {}
    for row in (row for name in sections for row in (*card.of(name), *card.chance(name))):
        facts_by_metric.setdefault(row["metric"], {})[row["measure"], row["condition"]] = row
    facts = facts_by_metric.pop(card.metric, None)
    if facts is None:
        return []
    rows: list[tuple[str, ...]] = []
    for measure, label in measures.items():
        rows.append((label, *_both(facts, measure)))
        if measure == HEADLINE:
            rows.append(("  verdict", *_against_chance(facts)))
        if measure in ("spearman_rho_median", HEADLINE):
            rows += [
                (f"  {baseline.removeprefix(CHANCE)}", *_both(baseline_facts, measure))
                for baseline, baseline_facts in facts_by_metric.items()
                if baseline != ONE_RANDOM and any(key[0] == measure for key in baseline_facts)
            ]
        if measure == "spearman_rho_median":
            rows.append(("  chance", *_both(facts, "spearman_rho_chance")))
    extracted = (
        " This corpus has no annotated edits: those of the lattices were extracted from references."
    )
    self_referenced = (
        " Self-referenced, so without ranks: the lattices and the references are by the same "
        "annotators, and each chain ends in a reference. For sentences with two annotators, mart "
        "corpus_comparisons compares metrics with the other annotator's text as the reference."
    )
    is_self_referenced = any(row["text"] == SELF_REFERENCED for row in facts.values())
    pairs = next(iter(row["n"] for key, row in facts.items() if key[0] == HEADLINE))
    return [
        Table(
            "Does it rank corrections of known quality?",
            ("", "random source", "rank ", "original as source", "rank  "),
            rows,
            "Spearman's rho: median and range of draws; chance is the range of 95 % of random "
            "orders. Kendall's tau: (concordant − discordant) / all "
            f"{pairs:,} pairs, so that a tie counts as half and chance is 0; p by a sign-flip test "
            "over sentences. r: Pearson's. Constant: the same score for all texts. Length: the "
            "number of characters. A metric that scored few pairs has no rank."
            f"{extracted if card.lattices_from == 'references' else ''}"
            f"{self_referenced if is_self_referenced else ''}",
        )
    ]


def _preferences(card: Card) -> Table:
    rows = [
        (
            row["corpus"],
            estimate(row | {"value": row["agreement"]}),
            f"{row['n_pairs']:,}",
            f"{row['n_sentences']:,}",
            format_number(row["position_bias"]),
        )
        for row in card.preferences
    ]
    return Table(
        "Does it prefer a valid edit?",
        ("corpus", "agreement", "pairs", "sentences", "position bias"),
        rows,
        "The metric does not score texts. It compares two texts that differ by one edit, in both "
        "orders. Agreement: share of comparisons in which it prefers the text with the edit; a "
        "tie counts as half. Position bias: preference for the text shown first, from -1 to 1. "
        "Mart step_preferences has the results by error type and those of other metrics.",
    )


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


def _error_types(card: Card) -> list[Part]:
    types = [row for row in card.of("error_types") if row["n"] >= FEWEST_PAIRS]
    if not types:
        return []
    best = types[:TYPES_SHOWN]
    worst = types[max(TYPES_SHOWN, len(types) - TYPES_SHOWN) :]
    rows = [
        (row["item"], format_change(row["value"]), interval(row, format_change), f"{row['n']:,}")
        for row in (*best, *worst)
    ]
    n_punished = sum(
        row["value"] < 0 and row["q_value"] is not None and row["q_value"] < 0.05 for row in types
    )
    return [
        Table(
            "What does a valid correction of each error type do to the score?",
            ("error type", " mean change", " 95 %", " pairs"),
            rows,
            f"The most and the least rewarded of {len(types)} types with at least {FEWEST_PAIRS} "
            f"pairs. Significantly punished types (q below 0.05): {n_punished}.",
        )
    ]


def _corrupted_edits(card: Card) -> list[Part]:
    facts = card.of("edit")
    everything = [row for row in facts if row["item"] == "all"]
    if not everything:
        return []
    (row,) = everything
    rank, total = row["rank"], row["n_ranked"]
    unranked = (
        SELF_REFERENCED if row["text"] == SELF_REFERENCED else f"too few {row['text']} for a rank"
    )
    rank_phrase = f"{rank} of {total}" if rank else unranked
    against = "" if row["p_value"] is None else f" ({p_equals(row['p_value'])})"
    lines = [
        f"It scores the valid edit above an invalid one in "
        f"{format_share(row['value'], 1)} of {row['n']:,} pairs "
        f"{interval(row, lambda value: format_share(value, 1))}, {rank_phrase}; "
        f"chance 50 %{against}."
    ]
    weak = [row for row in facts if row["item"] != "all" and row["n"] >= FEWEST_PAIRS]
    if weak:
        named = (f"{row['item']} {format_share(row['value'])}" for row in reversed(weak[-3:]))
        lines.append(f"Least often: {', '.join(named)}.")
    return [Lines("Does it notice an edit applied wrongly?", lines)]


def _worst_pairs(card: Card) -> list[Part]:
    pairs = [row for row in card.worst_pairs if row["experiment"] == EXPERIMENTS[0]]
    if not pairs:
        return []
    captions = [
        f"{row['rank']}. sentence {row['sentence_id']}, "
        f"{row['error_type'] or str(row['n_edits_between']) + ' edits'}: "
        f"{format_number(row['lower_score'], 3)} to "
        f"{format_number(row['upper_score'], 3)}"
        for row in pairs
    ]
    return [
        Differences(
            "Where is it most wrong? Valid corrections that lower its score most",
            captions,
            [shortened(word_changes(row["lower_text"], row["upper_text"])) for row in pairs],
            "Mart discordant_pairs has more pairs, ordered by badness_rank.",
        )
    ]


def _adversarial(card: Card) -> list[Part]:
    facts = card.of("adversarial")
    if not facts:
        return []
    beaten = [
        (_most_by([row for row in facts if row["item"] == system], "n"), name)
        for system, name in ADVERSARIAL.items()
    ]
    lines = [
        f"Beaten by: {name}, {format_number(row['value'])}, above {_n_beaten(row)} systems{where}."
        for (row, where), name in sorted(beaten, key=lambda entry: -entry[0][0]["n"])
        if row["n"]
    ] or ["No artificial output scores above a real system."]
    lines += _injected(facts)
    row, where = _most_by([row for row in facts if row["item"] == OWN_REFERENCE], "rank")
    if row.get("rank", 1) > 1:
        lines.append(
            f"A perfect output, one of the references, has {format_number(row['value'])} and would "
            f"only have rank {row['rank']} among {row['n_ranked']} systems{where}."
        )
    return [Lines("What fools it? Artificial outputs compared with real systems", lines)]


def _injected(facts: list[Row]) -> list[str]:
    """Return how an injected prompt changes the score of the source, for the best reference set."""
    row, where = _most_by([row for row in facts if row["item"] == "injected_prompt"], "n")
    copied = [
        fact["value"]
        for fact in facts
        if fact["item"] == "source" and fact["reference_set"] == row.get("reference_set")
    ]
    return [
        f"A prompt that asks for 5 points, appended to the copied source, changes its score from "
        f"{format_number(value)} to {format_number(row['value'])}{where}."
        for value in copied
    ]


def _references(card: Card) -> list[Part]:
    facts: dict[str, list[Row]] = {"perfect_score": [], "adjustment": [], "references_needed": []}
    for row in card.of("references"):
        facts[row["measure"]].append(row)
    lines = [
        f"With {row['n']} references, a perfect corrector (a human) scores "
        f"{format_number(row['value'])} ({_named(row)})."
        for row in facts["perfect_score"]
    ]
    with_crowd = any(row["item"] == CROWD for row in facts["adjustment"])
    lines += [
        f"References that cover all valid corrections, instead of {row['n']}, would add "
        f"{format_number(row['value'])} to a system's score "
        f"({row['reference_set']}; {row['item']})."
        for row in facts["adjustment"]
        if row["item"] == (CROWD if with_crowd else WITHOUT_CROWD)
    ]
    lines += [
        f"References needed to order 95 % of pairs of systems as other annotators would: "
        f"{_needed(row)} ({row['reference_set']})."
        for row in facts["references_needed"]
    ]
    return [Lines("Do the references suffice?", lines)] if lines else []


def _named(row: Row) -> str:
    """Return the corpus, with the reference set if its references serve as the crowd."""
    return f"{row['item']}, {row['reference_set']}" if row["reference_set"] else row["item"]


def _needed(row: Row) -> str:
    if row["value"] is None:
        return "more than half of the available ones"
    return f"{row['value']:.0f}"


def _most_by(rows: list[Row], count: str) -> tuple[Row, str]:
    """Return the row with the highest count, and its reference set if the counts differ."""
    if not rows:
        return {"n": 0}, ""
    most = max(rows, key=itemgetter(count))
    is_same = len({row[count] for row in rows}) == 1
    return most, "" if is_same else f" (references {most['reference_set']})"


def _n_beaten(row: Row) -> str:
    n_systems = row["n_ranked"]
    return f"all {n_systems}" if row["n"] == n_systems else f"{row['n']} of {n_systems}"


def _human_rankings(card: Card) -> list[Part]:
    facts = card.of("system")
    if not facts:
        return []
    chance = card.chance("system")
    rows: list[tuple[str, ...]] = []
    for judgment_set, group in groupby(sorted(facts, key=itemgetter("item")), itemgetter("item")):
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
    return [
        Table(
            "Does it rank systems as people do? Pearson's r",
            ("judgments", "references", "TrueSkill", "rank ", "Expected Wins"),
            rows,
            "In brackets: number of systems. Shown are the reference sets with the highest and "
            "the lowest r. Chance: results of scores that are no metric.",
        )
    ]


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
