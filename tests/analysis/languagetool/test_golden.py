"""Counts of the real LanguageTool 3.1 and 3.7, and disabled rules compared with filtered rules.

A few hundred texts in which counts differ and change; all of them with `make replicate`.
"""

import csv
import random
from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Iterable, Sequence
from itertools import pairwise
from pathlib import Path
from typing import TypeVar

import pytest
from published_chains import published_chains

from maege.analysis.languagetool.checking import check_texts
from maege.analysis.languagetool.matches import Match

# Napoles et al. (2016): rules that fire on any tokenised text.
OFF = {"COMMA_PARENTHESIS_WHITESPACE", "EN_QUOTES", "EN_UNPAIRED_BRACKETS", "WHITESPACE_RULE"}
COUNTS = ("lt31_all", "lt31_napoles", "lt37_all", "lt37_napoles")
WORKERS = {"6.6": 4, "3.7": 2, "3.1": 2}
# One process checks this number of texts before another one has started.
FEW = 500
EXTENTS = [
    pytest.param(False, id="chosen"),
    pytest.param(True, id="all", marks=pytest.mark.replicate),
]

Item = TypeVar("Item")
_known: dict[str, dict[str, tuple[Match, ...]]] = defaultdict(dict)


def matches(
    version: str, texts: Sequence[str], disabled_rules: Iterable[str] = ()
) -> list[tuple[Match, ...]]:
    workers = WORKERS[version] if version == "6.6" or len(texts) > FEW else 1
    checked = check_texts(version, texts, workers, disabled_rules=set(disabled_rules))
    checked_texts = [text_result for chunk in checked for text_result in chunk]
    assert [text_result.error for text_result in checked_texts] == [None] * len(texts)
    return [text_result.matches for text_result in checked_texts]


def cached_matches(version: str, texts: Iterable[str]) -> dict[str, tuple[Match, ...]]:
    new = [text for text in dict.fromkeys(texts) if text not in _known[version]]
    _known[version].update(zip(new, matches(version, new), strict=True))
    return _known[version]


def showing_every_kind(
    items: Iterable[Item], kinds: Callable[[Item], Iterable[Hashable]], times: int = 1
) -> list[Item]:
    """Return the items of each kind, at most `times` of each."""
    n_seen: Counter[Hashable] = Counter()
    selected = []
    for item in items:
        item_kinds = set(kinds(item))
        if any(n_seen[kind] < times for kind in item_kinds):
            n_seen.update(item_kinds)
            selected.append(item)
    return selected


def changes(counts: list[int]) -> set[tuple[int, int]]:
    """Return how much each edit changes the count, and from which count; six equals more."""
    return {(min(before, 6), after - before) for before, after in pairwise(counts)}


def remaining(matches: Iterable[Match]) -> list[Match]:
    return [match for match in matches if match.rule_id not in OFF]


def output(shared: Path, system: str) -> list[str]:
    # The original counts are those of lines without blanks at their ends.
    text = (shared / "data/conll14/outputs" / system).read_text(encoding="utf-8")
    return [line.strip() for line in text.split("\n")[:1312]]


@pytest.mark.usefixtures("session_home")
@pytest.mark.parametrize("version", ["3.1", "3.7"])
@pytest.mark.parametrize("is_whole", EXTENTS)
def test_counts_of_four_outputs_with_all_rules_and_with_four_filtered(
    version: str, is_whole: bool, shared: Path
) -> None:
    name = f"lt{version.replace('.', '')}"
    with (shared / "golden/peers/lt_maven_sentence.tsv").open(encoding="utf-8") as lines:
        rows = list(csv.DictReader(lines, delimiter="\t"))
    assert len(rows) == 5248
    if not is_whole:
        rows = showing_every_kind(rows, lambda row: [tuple(row[name] for name in COUNTS)], times=2)
        assert len(rows) == 127
    outputs = {system: output(shared, system) for system in {row["system"] for row in rows}}
    texts = [outputs[row["system"]][int(row["sentence_index"])] for row in rows]
    matches_of_texts = cached_matches(version, texts)
    assert [len(matches_of_texts[text]) for text in texts] == [
        int(row[f"{name}_all"]) for row in rows
    ]
    assert [len(remaining(matches_of_texts[text])) for text in texts] == [
        int(row[f"{name}_napoles"]) for row in rows
    ]


@pytest.mark.usefixtures("session_home")
@pytest.mark.parametrize("is_whole", EXTENTS)
def test_counts_of_every_position_of_the_published_chains(is_whole: bool, shared: Path) -> None:
    with (shared / "golden/maege/lt37_errors.tsv").open(encoding="utf-8") as lines:
        rows = list(csv.DictReader(lines, delimiter="\t"))
    chains = [
        # LanguageTool was given texts with single spaces.
        (str(chain["sid"]), str(chain["annotator"]), [" ".join(text.split()) for text in texts])
        for chain, texts in published_chains(shared)
    ]
    assert [(row["sid"], row["annotator"]) for row in rows] == [chain[:2] for chain in chains]
    assert sum(len(texts) for _, _, texts in chains) == 7936
    chain_counts = [
        (texts, [int(count) for count in row["errors_per_position"].split(",")])
        for row, (_, _, texts) in zip(rows, chains, strict=True)
    ]
    if not is_whole:
        chain_counts = showing_every_kind(chain_counts, lambda chain: changes(chain[1]))
        assert sum(len(texts) for texts, _ in chain_counts) == 140
    matches_of_texts = cached_matches("3.7", (text for texts, _ in chain_counts for text in texts))
    assert [[len(matches_of_texts[text]) for text in texts] for texts, _ in chain_counts] == [
        counts for _, counts in chain_counts
    ]


@pytest.mark.usefixtures("session_home")
@pytest.mark.parametrize("version", ["3.7", "3.1"])
@pytest.mark.parametrize("number", [40, pytest.param(200, marks=pytest.mark.replicate)])
def test_rules_that_are_off_are_rules_filtered_afterwards(version: str, number: int) -> None:
    texts = noise(number)
    everything = matches(version, texts)
    assert (
        sum(map(len, everything))
        > sum(len(remaining(text_matches)) for text_matches in everything)
        > 0
    )
    assert [list(text_matches) for text_matches in matches(version, texts, OFF)] == [
        remaining(text_matches) for text_matches in everything
    ]


@pytest.mark.usefixtures("session_home")
def test_a_rule_that_is_off_lets_6_6_see_what_it_overlaps() -> None:
    text = "He came  , and left."
    comma = Match("COMMA_PARENTHESIS_WHITESPACE", "Typography", 8, 2)
    spaces = Match("CONSECUTIVE_SPACES", "Typography", 7, 2)
    assert matches("6.6", [text]) == [(comma,)]
    assert matches("6.6", [text], OFF) == [(spaces,)]


def noise(number: int) -> list[str]:
    draw = random.Random(3)  # noqa: S311 - no secret
    words = "the an apple teh dont , . ; : ( ) [ ] \" ' '' `` ! ? .. -- and but However I 's a lot"
    return [
        "".join(
            draw.choice(words.split()) + draw.choice((" ", " ", "", "  "))
            for _ in range(draw.randint(3, 14))
        )
        for _ in range(number)
    ]
