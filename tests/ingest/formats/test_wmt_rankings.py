"""Rankings in the CSV format of WMT's scripts: two or more systems per row, and its variants."""

import pytest

from maege.ingest.findings import Findings
from maege.ingest.formats.rankings import Rankings, Scope, parse_pairwise

SCOPE = Scope(("A", "B", "C", "D", "E"), 3, first_sentence_id=1)
FIVE = "srcIndex,judgeId," + ",".join(f"system{i}Id" for i in range(1, 6))
FIVE += "," + ",".join(f"system{i}rank" for i in range(1, 6))
TWO = "srcIndex,JudgeID,system1Number,system2Number,system1Id,system2Id,system1rank,system2rank"


def read(*lines: str) -> tuple[Rankings, list[str]]:
    findings = Findings()
    rankings = parse_pairwise(lines, SCOPE, findings.about("x.csv"))
    return rankings, [finding.found for finding in findings]


def ranks(rankings: Rankings) -> list[tuple[int, str, int]]:
    return [(j.sentence_id, j.system, j.rank) for j in rankings.judgments]


def test_rows_have_two_to_five_systems() -> None:
    rankings, findings = read(FIVE, "1,ann,A,B,C,D,E,1,2,3,4,5", "2,ann,E,D,C,B,A,1,1,2,2,3")
    assert (rankings.items, findings) == (2, [])
    assert ranks(rankings)[:5] == [(0, "A", 1), (0, "B", 2), (0, "C", 3), (0, "D", 4), (0, "E", 5)]
    assert ranks(rankings)[5:] == [(1, "E", 1), (1, "D", 1), (1, "C", 2), (1, "B", 2), (1, "A", 3)]

    rankings, findings = read(FIVE, "1,ann,A,B,C,,,1,2,3,-1,-1", "1,bob,A,B,C,-1,-1,2,1,3,-1,-1")
    assert (rankings.items, findings, rankings.conflicts) == (2, [], [])
    assert ranks(rankings)[:3] == [(0, "A", 1), (0, "B", 2), (0, "C", 3)]

    rankings, findings = read(FIVE, "1,ann,A,B,C,D,E,1,2,-1,4,5", "2,ann,A,B,C,D,E,-1,-1,-1,-1,-1")
    assert (len(rankings.judgments), findings) == (4, [])
    assert [(c.line, c.kind) for c in rankings.conflicts] == [(2, "unranked"), (3, "skipped")]


def test_pairs_are_read_whatever_the_capitals_of_the_columns() -> None:
    rows = ("1,ann,-1,-1,A,B,1,2", "1,ann,-1,-1,A,C,1,3", "1,ann,-1,-1,B,C,2,3")
    rankings, findings = read(TWO, *rows)
    assert (rankings.items, findings) == (1, [])
    assert ranks(rankings) == [(0, "A", 1), (0, "B", 2), (0, "C", 3)]


@pytest.mark.parametrize(
    ("header", "found"),
    [
        (TWO.replace("JudgeID", "worker"), "no column judgeID in"),
        (FIVE.replace("system4rank", "x"), "no column system4rank in"),
        (TWO.replace("srcIndex", "x").replace("system2Id", "y"), "no column srcIndex, system2Id"),
        (TWO.replace("srcIndex", "srcIndex,srcIndex"), "no column srcIndex in"),
        (TWO.replace(",", "\t"), "no column srcIndex, judgeID"),
    ],
)
def test_a_column_that_is_missing_is_named_once(header: str, found: str) -> None:
    rankings, (first,) = read(header, *["1,ann,A,B,C,D,E,1,2,3,4,5"] * 30)
    assert first.startswith(found)
    assert rankings.judgments == []
