"""Verdicts on edits."""

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from shared_sets import golden, judgment_set, letters, references_of_conll14, references_of_jfleg

from maege.analysis.extraction.plain_alignment import Shared, shared_edits
from maege.analysis.judgments.verdicts import (
    SharedVerdict,
    auc,
    auc_interval,
    edit_class,
    shares,
    split_text,
    validity_rows,
    verdict_row,
)

# --- Metrics against verdicts on edits, computed by hand ---


def test_area_and_shares_by_hand() -> None:
    # Six pairs: 2 > 1, 2 > 0 and 1 > 0 are concordant, 1 = 1 and 0 = 0 are tied, 0 < 1 is
    # discordant.
    assert auc([2, 1, 0], [1, 0]) == pytest.approx((3 + 2 / 2) / 6)
    assert auc([0, 0], [0, 0, 0]) == 0.5
    assert np.isnan(auc([1], []))

    assert shares([1, 0, 0, -2]) == (0.25, 0.5, 0.25)


def test_edit_has_the_majority_verdict() -> None:
    assert [edit_class(values) for values in ([1, 1, -2], [0, 0, 1], [-1, -2], [1, -2])] == [
        "valid",
        "optional",
        "invalid",
        "split",
    ]


def test_sources_are_sampled_as_clusters() -> None:
    source = np.array([0, 0, 1, 1])
    valid = np.array([True, False, True, False])
    differences = np.array([1.0, 0.0, 0.0, 1.0])
    # One resample has only the first source, in which all pairs are concordant. One has both
    # sources, with half of the pairs concordant.
    weights = np.array([[2, 0], [1, 1]], np.uint16)
    low, high = auc_interval(source, valid, differences, weights, level=1.0)
    assert (low[0], high[0]) == (0.5, 1.0)


def test_few_edits_or_sources_have_no_interval() -> None:
    differences = np.array([0.5, -0.5, np.nan])
    row = verdict_row(np.array([0, 1, 2]), [[1.0], [-1.0], [0.0]], differences, 100, 0.95, 1)
    assert row is not None
    assert (row["n_edits"], row["auc"], row["too_few"]) == (2, 1.0, "sentences")
    assert "ci_low" not in row

    shared = [SharedVerdict("a", [1, 1, -1], "1"), SharedVerdict("a", [-1], "untouched")]
    rows = {row["made_by"]: row for row in validity_rows(shared, 0.95)}
    assert [rows[key]["validity"] for key in ("1", "untouched", None)] == [1, 0, 0.5]
    assert rows[None]["n_sources"] == 1
    assert rows[None]["too_few"] == "sentences"
    assert "ci_low" not in rows[None]


# --- Validity of edits ---


def test_edits_of_one_source_count_as_one() -> None:
    # Two edits for each of 25 sources, one of them approved: Wilson's interval of a share of 1/2
    # with n = 25.
    edits = [SharedVerdict(str(n // 2), [(-1) ** n], "1") for n in range(50)]
    row = next(iter(validity_rows(edits, 0.95)))
    assert (row["n_edits"], row["n_sources"], row["n_valid"], row["n_invalid"]) == (50, 25, 25, 25)
    z = 1.959963984540054
    reach = z * (25 / 4 + z * z / 4) ** 0.5 / (25 + z * z)
    assert (row["ci_low"], row["ci_high"]) == pytest.approx((0.5 - reach, 0.5 + reach))


def pev(
    repository: Path, shared: Path, references: dict[str, list[str]]
) -> Iterator[tuple[Shared, bool]]:
    """Yield each edit of PEVData compared with the references, and whether its verdict is valid."""
    pev_set = judgment_set("jelv_pev", repository, shared)
    for row in pev_set.rows["edit_verdicts"]:
        source, edited = pev_set.sources[row[3]], row[9]
        reference_texts = references.get(letters(source))
        if reference_texts is not None:
            (edit_shares,) = shared_edits(
                split_text(source, "words"),
                [split_text(edited, "words")],
                [split_text(text, "words") for text in reference_texts],
            )
            yield edit_shares, row[-1] > 0


def by_number(edits: list[tuple[Shared, bool]]) -> dict[str, list[int]]:
    counts = Counter((shared.n_making, valid) for shared, valid in edits)
    return {str(n): [counts[n, True], counts[n, False]] for n in sorted({n for n, _ in counts})}


def test_pevs_edits_by_how_many_references_of_conll14_make_them(
    repository: Path, shared: Path
) -> None:
    edits = list(pev(repository, shared, references_of_conll14(shared)))
    golden_numbers = golden(shared, "pev")
    assert by_number(edits) == golden_numbers["conll14_n_refs_with_edit"]
    kinds = Counter((edit_shares.made_by, valid) for edit_shares, valid in edits)
    places = {"untouched": "untouched", "otherwise": "touch"}
    assert {
        f"{place}_{int(valid)}": kinds[made_by, valid]
        for made_by, place in places.items()
        for valid in (False, True)
    } == {
        key: n for key, n in golden_numbers["conll14_gold_by_verdict"].items() if "gold" not in key
    }
    # 14 of 20 edits in at least four of ten references are valid, and 7 of 93 edits in no
    # reference.
    assert (kinds["4+", True], kinds["4+", False]) == (14, 6)


def test_pevs_edits_by_how_many_references_of_jfleg_make_them(
    repository: Path, shared: Path
) -> None:
    numbers = by_number(list(pev(repository, shared, references_of_jfleg(shared))))
    golden_numbers = golden(shared, "pev")["jfleg_n_refs_with_edit"]
    assert numbers.keys() == golden_numbers.keys()
    # One of 655 edits is made by one reference here and by none in the published data.
    assert sum(abs(numbers[n][0] - golden_numbers[n][0]) for n in golden_numbers) == 2
    assert all(invalid == 0 for _, invalid in numbers.values())
