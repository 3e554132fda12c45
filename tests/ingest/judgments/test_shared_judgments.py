"""The public sets of human judgments, as released: counts, positions and orders of each.

Skipped if the data are missing.
"""

from collections import Counter, defaultdict
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest
from human_rankings import GJG15_SYSTEMS
from shared_sets import judgment_set

from maege.ingest.findings import Findings
from maege.ingest.formats.rankings import Rankings, Scope, parse_cells

# Items, outputs and judgments of each set.
COUNTS = {
    "aqua": (220, 709, {"aqua_en": 1534}),
    "asset_judgments": (359, 1469, {"ratings": 4500, "pairs": 2154}),
    "gmeg_judgments": (
        5919,
        32583,
        {
            "dev_fce": 7696,
            "test_fce": 7704,
            "dev_wiki": 7840,
            "test_wiki": 7840,
            "dev_yahoo": 7768,
            "test_yahoo": 7784,
        },
    ),
    "jelv_pev": (2224, 4809, {"pev": 2585}),
    "jfleg_codes": (100, 588, {"jfleg_codes": 3600}),
    "llm_gec_2023_ratings": (100, 285, {"llm_gec_2023": 3600}),
    "multigec_ratings": (100, 700, {"english": 700, "swedish": 700}),
    "simplicity_da": (
        372,
        1580,
        {
            "simplicity_da": 1800,
            "simplicity_da_ratings": 9000,
            "structural_simplicity": 7000,
            "structural_simplicity_ratings": 5250,
        },
    ),
    "swedish_ratings": (212, 1040, {"balanced": 3045, "round1": 240, "round2": 240}),
    "tmu_gfm": (1378, 4217, {"tmu_gfm": 63315}),
}
KINDS = ("ratings", "preference_pairs", "edit_verdicts", "post_edits")
REFERENCES = ["refNUCLE", "refExptFluent", "refExptMinimal", "refCrwdFluent", "refCrwdMinimal"]


@pytest.mark.parametrize("name", COUNTS)
def test_a_set_holds_what_was_released(name: str, repository: Path, shared: Path) -> None:
    rows = judgment_set(name, repository, shared).rows
    items, outputs, judgments = COUNTS[name]
    assert (len(rows["judged_items"]), len(rows["judged_outputs"])) == (items, outputs)
    assert Counter(row[2] for kind in KINDS for row in rows[kind]) == judgments


def test_of_aquas_edits_all_but_one_are_placed(repository: Path, shared: Path) -> None:
    aqua = judgment_set("aqua", repository, shared)
    edits = {row[3:5]: row[5] for row in aqua.rows["edit_verdicts"]}
    assert (len(edits), sum(start is not None for start in edits.values())) == (512, 511)
    kinds = Counter(row[3] for row in aqua.rows["judgment_findings"])
    assert kinds == {"no_edit": 23, "not_placed": 1, "blank": 1}
    words = Counter(row[-2] for row in aqua.rows["edit_verdicts"])
    assert words == {"TP": 845, "FP3": 571, "FP1": 67, "FP2": 51}


@pytest.mark.parametrize(
    ("part", "first", "counts", "wins"),
    [
        ("main", 0, (599, 5338, 489), {"refExptFluent": 0.6730, "INPUT": 0.0996}),
        ("ctrl", -1, (588, 5680, 1220), {"AMU": 0.5983, "CAMB": 0.5713, "NTHU": 0.3862}),
    ],
)
def test_rankings_of_cells_give_the_published_order(
    shared: Path, part: str, first: int, counts: tuple[int, int, int], wins: dict[str, float]
) -> None:
    path = shared / "data" / "judgments" / "sakaguchi16" / "rankings.tsv"
    scope = Scope((*GJG15_SYSTEMS, *REFERENCES), 1312, first, {"src": "INPUT"}, documents=(part,))
    findings = Findings()
    rankings = parse_cells(path.read_text().splitlines(), scope, findings.about("rankings.tsv"))
    assert not len(findings)
    assert counts_of(rankings) == counts
    order = expected_wins(rankings)
    assert {name: round(order[name], 4) for name in wins} == wins


def counts_of(rankings: Rankings) -> tuple[int, int, int]:
    """Return items, pairs of cells and ties among them."""
    cells: dict[int, dict[int, int]] = defaultdict(dict)
    for judgment in rankings.judgments:
        cells[judgment.item_position][judgment.cell] = judgment.rank
    pairs = [pair for ranks in cells.values() for pair in combinations(ranks.values(), 2)]
    return len(cells), len(pairs), sum(a == b for a, b in pairs)


def expected_wins(rankings: Rankings) -> dict[str, float]:
    """Return for each system the mean share of its decided pairs with each other system."""
    items: dict[int, dict[str, int]] = defaultdict(dict)
    for judgment in rankings.judgments:
        items[judgment.item_position][judgment.system] = judgment.rank
    wins: dict[str, Counter[str]] = defaultdict(Counter)
    for ranks in items.values():
        for a, b in combinations(ranks, 2):
            if ranks[a] != ranks[b]:
                better, worse = (a, b) if ranks[a] < ranks[b] else (b, a)
                wins[better][worse] += 1
    names = list(wins)
    shares: dict[str, Any] = {
        a: [wins[a][b] / (wins[a][b] + wins[b][a]) for b in names if wins[a][b] + wins[b][a]]
        for a in names
    }
    return {name: sum(of) / len(of) for name, of in shares.items()}
