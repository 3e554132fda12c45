"""GREEN: counts done by hand, and the numbers of the original program."""

from pathlib import Path

import numpy as np
import pytest
from metric_requests import all_statistics, conll14_groups, golden, score, statistics

from maege.analysis.metrics.green import GecMetricsGreenScore, GreenOfCharactersScore, GreenScore

REFERENCE_SETS = {"nucle_text": "nucle", "bn10": "bn10"}
SYSTEMS = ("AMU", "CAMB", "IITB", "INPUT", "UFC")


def counts(source: str, hypothesis: str, reference: str, order: int) -> tuple[float, ...]:
    row = statistics("green", source, hypothesis, [reference])[0]
    return tuple(row[f"{part}_{order}"] for part in ("tp", "fp", "fn"))


def test_what_is_kept_deleted_and_inserted_alike_is_true() -> None:
    # a and d are kept by both, b is deleted by both, c inserted by both.
    assert counts("a b d", "a c d", "a c d", 1) == (4, 0, 0)


def test_doing_more_is_a_false_positive_and_doing_less_a_false_negative() -> None:
    # b is deleted by the hypothesis alone, c by the reference alone; x and y likewise inserted.
    assert counts("a b c", "a c x", "a b y", 1) == (1, 2, 2)


def test_repeated_ngrams_count_as_often_as_they_occur() -> None:
    # a: source 3, hypothesis 1, reference 2: one is kept by both, one deleted by both, and of one
    # the hypothesis deletes too much.
    assert counts("a a a", "a", "a a", 1) == (2, 1, 0)


def test_a_sentence_without_four_tokens_scores_zero() -> None:
    # No 4-gram is to be found, and recall of nothing is 0.
    assert score("green", "a b c", "a b c", ["a b c"]) == 0
    assert score("green", "a b c d", "a b c d", ["a b c d"]) == 1


def test_to_gec_metrics_recall_of_nothing_is_one() -> None:
    assert score("green_gec_metrics", "a b c", "a b c", ["a b c"]) == 1
    assert score("green_gec_metrics", "a b c", "a b d", ["a b c"]) == 0


def test_to_gec_metrics_a_text_without_words_has_no_n_grams() -> None:
    # Nothing is proposed where something is deleted: P is 1, as is R where the reference is empty.
    assert score("green_gec_metrics", "", "", [""]) == 1
    assert score("green_gec_metrics", "a", "", [""]) == 1
    # Of one unigram that both have, nothing is too much; of the reference's two one is missing.
    assert statistics("green_single_space", "", "a", ["a b"])[0]["fn_1"] == 1
    assert statistics("green_single_space", "", "a", ["a b"])[0]["tp_1"] == 1


def test_to_gec_metrics_spaces_at_the_ends_are_no_words() -> None:
    texts = ("He go home .", "He goes home .", ["He goes home ."])
    spaced = ("He go home .  ", " He goes home .", ["He goes home . "])
    assert statistics("green_single_space", *spaced) == statistics("green_single_space", *texts)


def test_the_reference_is_the_one_with_the_best_score() -> None:
    texts = ("a b c d e", "a b c d f")
    assert score("green", *texts, ["a b c d e", "a b c d f"]) == 1
    assert score("green", *texts, ["a b c d e"]) < 1


SCORES = {"word": GreenScore, "char": GreenOfCharactersScore}


@pytest.mark.parametrize("system", SYSTEMS)
@pytest.mark.parametrize(
    ("tokens", "reference_set"), [("word", "nucle_text"), ("word", "bn10"), ("char", "nucle_text")]
)
def test_scores_and_choices_equal_the_reference_scores(
    shared: Path, tokens: str, reference_set: str, system: str
) -> None:
    # To the program spaces at the end of an output are characters like others.
    groups = conll14_groups(
        shared, REFERENCE_SETS[reference_set], system, normalised=tokens == "word"
    )
    rows = [
        row
        for row in golden(shared, "green_sentence.tsv", system)
        if (row["refset"], row["tokens"]) == (reference_set, tokens)
    ]
    family = SCORES[tokens].family.name
    counted = all_statistics(family, groups)
    for beta, column in ((1.0, "f_b1"), (2.0, "f_b2")):
        theirs = [float(row[column]) for row in rows]
        ours = SCORES[tokens](beta).sentence_scores({family: counted})
        np.testing.assert_allclose(ours, theirs, rtol=0, atol=1e-9)
    chosen = SCORES[tokens]().choose(counted[np.newaxis])[0]
    assert chosen.tolist() == [int(row["chosen_b2"]) for row in rows]
    for row in golden(shared, "green_corpus.tsv", system):
        if (row["refset"], row["tokens"]) == (reference_set, tokens):
            green = SCORES[tokens](float(row["beta"]))
            sums = green.addends(counted[np.newaxis]).sum(axis=1)
            names = [f"{part}{n}" for part in ("tp", "fp", "fn") for n in range(1, 5)]
            assert sums[0].tolist() == [float(row[name]) for name in names]
            assert float(green.of_sums(sums)[0]) == pytest.approx(float(row["f_n1_4"]), abs=1e-9)


@pytest.mark.parametrize("system", ["AMU", "INPUT", "NTHU", "UFC"])
def test_scores_equal_those_of_gec_metrics(shared: Path, system: str) -> None:
    score = GecMetricsGreenScore()
    counted = {
        name: all_statistics("green_single_space", conll14_groups(shared, reference_set, system))
        for name, reference_set in {"nucle": "nucle", "bn": "bn10"}.items()
    }
    theirs = [
        float(row["score"])
        for row in golden(shared, "gecmetrics_sentence.tsv", system)
        if (row["refset"], row["metric"]) == ("nucle", "green")
    ]
    ours = score.sentence_scores({"green_single_space": counted["nucle"]})
    np.testing.assert_allclose(ours, theirs, rtol=0, atol=1e-9)
    rows = [
        row
        for row in golden(shared, "gecmetrics_corpus.tsv", system)
        if row["metric"] == "green" and row["refset"] in counted
    ]
    for row in rows:
        sums = score.addends(counted[row["refset"]][np.newaxis]).sum(axis=1)
        assert float(score.of_sums(sums)[0]) == pytest.approx(float(row["corpus"]), abs=1e-9)
    assert len(rows) == len(counted)
