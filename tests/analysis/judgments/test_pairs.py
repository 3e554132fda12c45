"""Metrics against pairwise preferences, by counts done by hand."""

from maege.analysis.judgments.pairs import Preference, preference_rows


def test_metric_is_compared_with_pairwise_preferences() -> None:
    said = [
        Preference("ann", "bus", 0, 1, 1),
        Preference("ann", "bus", 0, 2, 0),
        Preference("ben", "cat", 1, 0, 1),
    ]
    scores = {("none", "length"): {("bus", 0): 3.0, ("bus", 1): 2.0, ("bus", 2): 3.0}}
    scores["none", "length"] |= {("cat", 0): 1.0, ("cat", 1): 1.0}
    found = {row["tie_rule"]: row for row in preference_rows(said, scores, 40, 0.95, 1)}
    half = found["ties_half"]
    # Of two decided pairs in separate items, one is in order and one is tied.
    counts = ("n_pairs", "n_concordant", "n_discordant", "n_tied", "n_sentences")
    assert [half[name] for name in counts] == [2, 1, 0, 1, 2]
    assert (half["accuracy"], half["too_few"]) == (0.75, "sentences")
    assert found["ties_wrong"]["accuracy"] == 0.5
    assert (found["acc_eq"]["n_tied_by_both"], found["acc_eq"]["accuracy"]) == (1, 2 / 3)


def test_pairs_without_scores_have_no_row() -> None:
    said = [Preference("ann", "bus", 0, 1, 1)]
    assert list(preference_rows(said, {("none", "x"): {("bus", 0): 1.0}}, 40, 0.95, 1)) == []
