"""GLEU with a weight, by hand and by the ranking that its authors print."""

from pathlib import Path

import numpy as np
import pytest
from metric_requests import all_statistics, conll14_groups, group, score, statistics

from maege.analysis.metrics.gleu_lambda import GleuLambdaScore

# "GLEU Without Tuning" (Napoles et al. 2016), column GLEU_0.
PRINTED = [
    *("CUUI", "AMU", "UFC", "CAMB", "INPUT", "IITB", "SJTU"),
    *("PKU", "UMC", "NTHU", "POST", "RAC", "IPN"),
]


def test_new_ngrams_count_twice_and_unchanged_ones_are_weighed() -> None:
    source, reference = "a b c d e f", "a b c d e g"
    assert score("gleu_lambda", source, reference, [reference]) == pytest.approx(1)
    # Of 6 5 4 3 n-grams 5 4 3 2 match, one is left unchanged, and one of the reference is lacking.
    unchanged = 5 / 7 * 4 / 6 * 3 / 5 * 2 / 4
    assert score("gleu_lambda", source, source, [reference]) == pytest.approx(unchanged**0.25)
    computed = {"gleu_lambda": all_statistics("gleu_lambda", [group(source, source, [reference])])}
    weighed = 4 / 7 * 3 / 6 * 2 / 5 * 1 / 4
    assert GleuLambdaScore(1).sentence_scores(computed) == pytest.approx(weighed**0.25)


def test_ngrams_of_all_references_count_by_their_largest_number() -> None:
    (row,) = statistics("gleu_lambda", "a a b", "a c c", ["c a", "c c d b"])
    # Of a, c, c, d, b the hypothesis has a and both c; c and d are not in the source. No reference
    # has `a a`, `a b` or `a a b`, and the hypothesis has kept none of them.
    assert [row[f"overlap_{n}"] for n in (1, 2, 3, 4)] == [3, 1, 0, 0]
    assert [row[f"added_{n}"] for n in (1, 2, 3, 4)] == [2, 1, 0, 0]
    assert [row[f"to_add_{n}"] for n in (1, 2, 3, 4)] == [3, 4, 2, 1]
    assert [row[f"unchanged_{n}"] for n in (1, 2, 3, 4)] == [0, 0, 0, 0]


def test_source_ngram_that_a_reference_has_at_all_is_not_left_unchanged() -> None:
    (row,) = statistics("gleu_lambda", "a a b", "a a b", ["a c"])
    # Only b, `a a`, `a b` and `a a b` are in no reference.
    assert [row[f"unchanged_{n}"] for n in (1, 2, 3, 4)] == [1, 2, 1, 0]


def test_shortest_reference_decides_whether_a_text_is_too_short() -> None:
    # Each order lacks one n-gram of the longer reference.
    precision = (4 / 5 * 3 / 4 * 2 / 3 * 1 / 2) ** 0.25
    short = "a b c d"
    longer = score("gleu_lambda", short, short, ["a b c d e"])
    assert longer == pytest.approx(precision * np.exp(1 - 5 / 4))
    assert score("gleu_lambda", short, short, ["a b c d e", short]) == pytest.approx(precision)


def test_too_short_a_text_scores_nothing() -> None:
    assert score("gleu_lambda", "a b c", "a b c", ["a b c"]) == 0
    assert score("gleu_lambda", "a b c d", "", ["a b c d"]) == 0


def test_printed_ranking_of_gleu_0_comes_out(shared: Path) -> None:
    metric = GleuLambdaScore()
    systems = np.stack(
        [
            all_statistics("gleu_lambda", conll14_groups(shared, "nucle", system))
            for system in PRINTED
        ]
    )
    scores = metric.of_sums(metric.addends(systems).sum(axis=1))
    assert [PRINTED[place] for place in np.argsort(-scores)] == PRINTED
