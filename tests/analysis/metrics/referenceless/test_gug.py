"""Grammaticality learned from GUG: its features, its training and its formula."""

import csv
import json
import math
from pathlib import Path

import duckdb
import numpy as np
import pytest
from metric_requests import golden
from small_corpus import maege

from maege.analysis.metrics.fluency import PUBLISHED
from maege.analysis.metrics.gug import (
    ERROR_FEATURES,
    FREEDOMS,
    STATISTICS,
    TEXT_FEATURES,
    UNKNOWN,
    GugModel,
    GugScore,
    error_features,
    evaluate,
    fold_numbers,
    load_reader,
    probabilities,
    split,
    text_features,
    train,
)
from maege.analysis.metrics.registry import metrics_with

# The names of the features in the program behind the golden coefficients.
GOLDEN = dict(
    zip(
        (*TEXT_FEATURES, *ERROR_FEATURES["lt37"]),
        (
            *("num_miss", "log_miss", "prop_miss", "ps_p", "ps_oov"),
            *(f"ps_{kind}_s_{n}" for n in (1, 2, 3) for kind in ("min", "max", "sum")),
            *("lt", "lt_log", "lt_prop"),
        ),
        strict=True,
    )
)


def statistics(text: str) -> dict[str, float]:
    return dict(zip(STATISTICS, load_reader().read([text.split()])[0].tolist(), strict=True))


def unigram(word: str) -> float:
    return statistics(word)["lm_min_1"]


def test_words_with_a_fault_and_unknown_ones_are_counted() -> None:
    row = statistics("He wrotte qxzz 3 Londn letters .")
    # `3` and `.` have no letters; `Londn`, `wrotte` and `qxzz` are not in the dictionary.
    assert (row["tokens"], row["letter_tokens"], row["misspelt"]) == (7, 5, 3)
    assert statistics("london")["misspelt"] == 0


def test_ngrams_have_their_least_and_largest_and_the_sum_of_distinct_ones() -> None:
    row = statistics("the cat the")
    the, cat = unigram("the"), unigram("cat")
    assert (row["lm_min_1"], row["lm_max_1"]) == (min(the, cat), max(the, cat))
    assert row["lm_mean_1"] == pytest.approx((the + cat) / 3)
    assert row["lm_min_3"] == row["lm_max_3"] == row["lm_mean_3"]
    # After an unknown word, n-grams are single words.
    row = statistics("qxzz cat")
    assert row["lm_unknown"] == 1
    assert row["lm_mean_2"] == pytest.approx(UNKNOWN + cat)
    assert statistics("cat")["lm_mean_2"] == 0


def test_score_is_the_logistic_function_of_a_weighted_sum() -> None:
    model = GugModel((("misspelt", -0.5), ("misspelt_log", 1.0), ("errors", -1.0)), 2.0)
    of = {name: np.zeros(1) for name in STATISTICS} | {"misspelt": np.array([3.0])}
    text = model.sum_of(text_features(of)) + model.intercept
    # lt is 1 - errors / tokens: 2 errors in 8 tokens.
    score = GugScore(model).combine(
        {"gug_text": text, "lt": np.array([0.75]), "gug_tokens": np.array([8.0])}
    )
    assert score == pytest.approx([1 / (1 + math.exp(-(2 - 1.5 + math.log(4) - 2)))])


def test_errors_are_read_only_by_a_model_that_was_trained_with_them() -> None:
    without, with_errors = GugModel((("misspelt", 1.0),)), GugModel((("errors_share", 1.0),))
    assert GugScore(without).scored_elsewhere == ()
    assert GugScore(with_errors).scored_elsewhere == ("lt",)
    assert GugScore(GugModel((("lt37_errors", -1.0),))).scored_elsewhere == ("lt37",)
    untrained, trained = (
        metrics_with(PUBLISHED, model)["grammaticality_gug"] for model in (None, without)
    )
    assert untrained.missing is not None
    assert "maege train grammaticality" in untrained.missing.remedy
    assert trained.missing is None
    assert trained.signature() != untrained.signature()
    assert GugModel.of(without.coefficients) == without
    assert GugModel.of({}) is None


def test_at_the_optimum_the_penalised_gradient_is_zero() -> None:
    generator = np.random.default_rng(3)
    features = {"misspelt": generator.normal(5, 2, 200), "errors": generator.normal(0, 9, 200)}
    grammatical = features["misspelt"] + generator.normal(0, 2, 200) > 5
    model = train(features, grammatical)
    residuals = grammatical - probabilities(model, features)
    assert residuals.sum() == pytest.approx(0, abs=1e-5)
    # At the optimum, the gradient of each slope is proportional to the slope, with one value of the
    # grid.
    freedoms = [
        slope * values.std() / (residuals @ values / values.std())
        for (_, slope), values in zip(model.slopes, features.values(), strict=True)
    ]
    assert freedoms[0] == pytest.approx(freedoms[1], rel=1e-3)
    assert min(abs(FREEDOMS / freedoms[0] - 1)) < 1e-3
    evaluation = evaluate(model, features, np.where(grammatical, 4.0, 2.0))
    assert evaluation.accuracy == np.mean((probabilities(model, features) >= 0.5) == grammatical)
    assert evaluation.larger_class == max(grammatical.mean(), 1 - grammatical.mean())


def test_folds_share_out_both_classes_in_order() -> None:
    # Seven sentences are grammatical: the first two folds get two each. Six are not: the third
    # fold, which is next, gets two.
    grammatical = np.array([*"yyynynnynyynn"]) == "y"
    assert fold_numbers(grammatical).tolist() == [0, 0, 1, 0, 1, 1, 2, 2, 2, 3, 4, 3, 4]


def test_a_penalty_is_chosen_that_keeps_noise_out() -> None:
    generator = np.random.default_rng(11)
    signal = generator.normal(0, 1, 300)
    grammatical = signal + generator.normal(0, 1, 300) > 0
    noise = {f"lm_min_{n}": generator.normal(0, 1, 300) for n in (1, 2, 3)}
    bound = dict(train({"misspelt": signal, **noise}, grammatical).slopes)
    assert bound["misspelt"] > 5 * max(abs(bound[name]) for name in noise)


def test_raw_text_is_split_as_corpora_are() -> None:
    assert split(['He did n\'t say "no".']) == [
        ["He", "did", "n't", "say", '"', "no", '"', "."],
    ]


def test_probabilities_equal_the_golden_ones_by_their_coefficients(shared: Path) -> None:
    path = shared / "golden" / "reference_less" / "gug_model.tsv"
    with path.open(encoding="utf-8", newline="") as file:
        rows = {row["feature"]: row for row in csv.DictReader(file, delimiter="\t")}
    slopes = tuple(
        (ours, float(rows[name]["coefficient"]) / float(rows[name]["scale"]))
        for ours, name in GOLDEN.items()
    )
    model = GugModel(slopes, float(rows["(intercept)"]["coefficient"]))
    expected = golden(shared, "sentence_scores.tsv", "AMU", "reference_less")
    outputs = shared / "data" / "conll14" / "outputs" / "AMU"
    texts = [line.split() for line in outputs.read_text(encoding="utf-8").splitlines()]
    of = dict(zip(STATISTICS, load_reader().read(texts).T, strict=True))
    lt = np.array([float(row["s_g_lt37"]) for row in expected])
    # Scores are stored with six decimals, from which whole numbers of errors are recovered.
    lt = 1 - np.rint((1 - lt) * of["tokens"]) / of["tokens"]
    predicted = probabilities(model, text_features(of) | error_features("lt37", lt, of["tokens"]))
    np.testing.assert_allclose(
        predicted, [float(row["s_g_gug37"]) for row in expected], rtol=0, atol=1e-6
    )


HEADING = "Id\tSentence\tExpert Judgement\tCrowd Flower Judgements\tAverage\tDataset\n"
GOOD, BAD = "The children go to school every day.", "He go at skool yesterday have."


def gug(folder: Path) -> Path:
    rows = [
        f"{place}\t{text}\t{expert}\t[4, 4]\t{average}\t{part}\n"
        for place, (text, expert, average, part) in enumerate(
            [(GOOD, 4, 3.8, "train"), (BAD, 1, 1.4, "train"), (GOOD, 4, 3.5, "dev")] * 4
            + [("skool skool", 0, 4, "none"), (GOOD, 4, 4, "test"), (BAD, 2, 2, "test")]
        )
    ]
    folder.mkdir()
    (folder / "gug_annotations.tsv").write_text(HEADING + "".join(rows))
    return folder


@pytest.fixture(autouse=True)
def without_languagetool(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LANGUAGETOOL_HOME", "/none")
    monkeypatch.setenv("XDG_CACHE_HOME", "/none")
    monkeypatch.delenv("LANGUAGETOOL_URL", raising=False)


def test_training_reports_the_test_part_and_keeps_coefficients_in_the_warehouse(
    tmp_path: Path,
) -> None:
    folder, warehouse = gug(tmp_path / "gug"), tmp_path / "warehouse"
    result = maege(warehouse, "train", "grammaticality", "--gug", str(folder))
    assert result.exit_code == 0, result.stderr
    assert result.stdout.splitlines() == [
        "Trained on 12 sentences, without LanguageTool's errors (LanguageTool 6.6 is not "
        "installed).",
        "Test part, 2 sentences: accuracy 1.000 (the larger class 0.500), r with the average "
        "judgment 1.000",
        "Next: maege build",
    ]
    again = maege(warehouse, "train", "grammaticality", "--gug", str(folder), "--json")
    report = json.loads(again.stdout)
    assert (report["sentences"], report["languagetool"], report["test"]["accuracy"]) == (
        12,
        False,
        1,
    )
    with duckdb.connect(warehouse / "build.duckdb", read_only=True) as connection:
        stored = dict(connection.sql("from raw.grammaticality_coefficients").fetchall())
    assert stored == report["coefficients"]
    assert len(stored) == 15


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("Average", "Mean", ":1 found no column Average"),
        ("\t3.8\t", "\tgood\t", ':2 found the judgment "good" expected a number 0 to 4'),
        ("\t1.4\ttrain", "\t1.4\tTrain", ':3 found the part "Train" expected train, dev, test'),
        ("\ttest\n", "\tdev\n", "found no sentence of the part test"),
        ("0\tThe ", "0The ", ":2 found 5 columns"),
        (None, "", "found no such file expected the annotations of GUG"),
    ],
)
def test_a_folder_with_faults_is_refused_and_nothing_is_stored(
    old: str | None, new: str, message: str, tmp_path: Path
) -> None:
    folder = gug(tmp_path / "gug")
    path = folder / "gug_annotations.tsv"
    if old is None:
        path.unlink()
    else:
        path.write_text(path.read_text().replace(old, new))
    result = maege(tmp_path / "warehouse", "train", "grammaticality", "--gug", str(folder))
    assert result.exit_code == 2
    message_text = " ".join(result.stderr.split())
    assert f"gug_annotations.tsv{'' if message[0] == ':' else ' '}{message}" in message_text
    assert "The stored coefficients are unchanged." in message_text
    assert not (tmp_path / "warehouse").exists()
