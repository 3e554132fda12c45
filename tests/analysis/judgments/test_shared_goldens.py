"""Public judgments against golden values of another implementation; skipped without the data."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from shared_sets import golden, letters, lines, references_of_conll14, references_of_jfleg, rows_of

from maege.analysis.direct.scores import metric_of_texts, sentence_scores
from maege.analysis.judgments.ratings import (
    Preference,
    ceiling_outcomes,
    coefficients,
    mean_of,
    one_against_rest,
    pearson_interval,
    preference_rows,
    system_means,
    within_items,
)
from maege.analysis.judgments.verdicts import auc, auc_interval, edit_class, shares, split_text
from maege.analysis.statistics.pair_agreement import agreement_of_outcomes, score_differences
from maege.analysis.statistics.resampling import cluster_weights

INTERVAL = 0.015


def test_gmeg_pooled_within_and_by_system(repository: Path, shared: Path) -> None:
    rows, expected = rows_of("gmeg_judgments", repository, shared), golden(shared, "gmeg")
    sources = {item: source for item, source, *_ in rows["judged_items"]}
    texts = {(item, output): text for item, output, text, _ in rows["judged_outputs"]}
    rated = [row for row in rows["ratings"] if row[2] == "dev_fce" and row[6] != "ref"]
    numbers: dict[str, int] = {}
    item = np.array([numbers.setdefault(row[3], len(numbers)) for row in rated])
    output, values = np.array([row[4] for row in rated]), np.array([row[10] for row in rated])
    systems = sorted({row[6] for row in rated})
    system = np.array([systems.index(row[6]) for row in rated])
    reference_texts = [lines(shared, f"judgments/gmeg/dev.fce/ref{k}") for k in range(4)]
    references = [
        [reference[int(row[3].rpartition("/")[2])] for reference in reference_texts]
        for row in rated
    ]
    weights = cluster_weights(len(numbers), 1000, 1)
    first, means = mean_of(item * 100 + output, values)
    for name in ("gleu", "min_ld", "ld", "green"):
        scores = sentence_scores(
            metric_of_texts(name, outputs=False),
            {"": [texts[row[3], row[4]] for row in rated]},
            [str(sources[row[3]]) for row in rated],
            references,
        )[0]
        golden_numbers = expected["dev.fce"]["metrics"][name]
        pooled = coefficients(scores, values)
        assert pooled.pearson == pytest.approx(golden_numbers["pooled"]["pearson"], abs=1e-6)
        assert pooled.spearman == pytest.approx(golden_numbers["pooled"]["spearman"], abs=1e-6)
        assert pooled.kendall_tau_b == pytest.approx(
            golden_numbers["pooled"]["kendall_b"], abs=1e-6
        )
        half, equal = (
            rule_agreement
            for rule_agreement in within_items(
                item[first], output[first], means, scores[first], weights
            )
            if rule_agreement.rule in ("ties_half", "acc_eq")
        )
        outcomes = half.agreement
        counts = (outcomes.n_concordant, outcomes.n_discordant, outcomes.n_tied)
        assert counts == tuple(golden_numbers["within"][key] for key in "CDT")
        assert equal.agreement.n_pairs == golden_numbers["within"]["n_all"]
        assert equal.agreement.accuracy == pytest.approx(
            golden_numbers["within"]["acc_eq"], abs=1e-6
        )
        assert (half.ci_low, half.ci_high) == pytest.approx(
            golden_numbers["within_ci"], abs=INTERVAL
        )
        system_correlations = coefficients(
            system_means(system, scores), system_means(system, values)
        )
        assert system_correlations.pearson == pytest.approx(
            golden_numbers["system7"]["pearson"], abs=1e-6
        )


@pytest.mark.parametrize(
    ("name", "task", "file", "place"),
    [
        ("tmu_gfm", "tmu_gfm", "tmu_gfm", "ceiling_{aspect}"),
        ("llm_gec_2023_ratings", "llm_gec_2023", "llm_gec_2023", "ceiling/{aspect}"),
        ("asset_judgments", "ratings", "simplification", "asset_ratings/{aspect}/ceiling"),
        (
            "simplicity_da",
            "simplicity_da_ratings",
            "simplification",
            "ceiling_simplicity/pooled_one_vs_rest",
        ),
    ],
)
def test_ceilings(
    repository: Path, shared: Path, name: str, task: str, file: str, place: str
) -> None:
    ratings = [row for row in rows_of(name, repository, shared)["ratings"] if row[2] == task]
    for aspect in sorted({row[9] for row in ratings}):
        golden_numbers = golden(shared, file)
        for key in place.format(aspect=aspect).split("/"):
            golden_numbers = golden_numbers[key]
        aspect_ratings = [row for row in ratings if row[9] == aspect]
        correlations = coefficients(
            *one_against_rest(
                [row[5] for row in aspect_ratings], [row[10] for row in aspect_ratings]
            )
        )
        for key, value in zip(("pearson", "spearman", "kendall_b"), correlations, strict=True):
            assert value == pytest.approx(golden_numbers[key], abs=1e-6)


def scores_of(
    name: str,
    texts: list[str],
    sources: list[str],
    tokens: str,
    references: list[list[str]] | None = None,
) -> Any:
    """Return the scores of texts with these tokens; larger is better."""
    metric = metric_of_texts(name, outputs=False)
    split = [
        [split_text(text, tokens) for text in text_references]
        for text_references in references or []
    ]
    return sentence_scores(
        metric,
        {"": [split_text(text, tokens) for text in texts]},
        [split_text(text, tokens) for text in sources],
        split if metric.reference_based else None,
    )[0]


def test_reference_less_metrics_agree_with_tmu_gfm(repository: Path, shared: Path) -> None:
    rows, expected = rows_of("tmu_gfm", repository, shared), golden(shared, "tmu_gfm")
    sources = {item: str(source) for item, source, *_ in rows["judged_items"]}
    texts = {(item, output): text for item, output, text, _ in rows["judged_outputs"]}
    rated = [row for row in rows["ratings"] if row[9] == "meaning"]
    first, means = mean_of([row[5] for row in rated], [row[10] for row in rated])
    shown = [rated[place] for place in first]
    output_texts, source_texts = (
        [texts[row[3], row[4]] for row in shown],
        [sources[row[3]] for row in shown],
    )
    scores = {
        "length": np.array([len(text) for text in output_texts], np.float64),
        "ld": scores_of("ld", output_texts, source_texts, "blanks"),
        "fluency": scores_of("fluency", output_texts, source_texts, "contractions"),
        "meaning": scores_of("meaning", output_texts, source_texts, "contractions"),
    }
    numbers: dict[str, int] = {}
    item = np.array([numbers.setdefault(row[3], len(numbers)) for row in shown])
    output = np.array([row[4] for row in shown])
    weights = cluster_weights(len(numbers), 1000, 1)
    for name, metric_scores in scores.items():
        golden_numbers = expected["metrics"][name]["meaning"]
        assert coefficients(metric_scores, means).pearson == pytest.approx(
            golden_numbers["pooled"]["pearson"], abs=1e-6
        )
        half = within_items(item, output, means, metric_scores, weights)[2]
        assert half.rule == "ties_half"
        counts = (half.agreement.n_concordant, half.agreement.n_discordant, half.agreement.n_tied)
        assert counts == tuple(golden_numbers["within"][key] for key in "CDT")
        low, high = pearson_interval(item, metric_scores, means, weights)
        assert (low[0], high[0]) == pytest.approx(golden_numbers["pooled"]["ci"], abs=INTERVAL)


def test_metrics_follow_ratings_of_language_models(repository: Path, shared: Path) -> None:
    rows = rows_of("llm_gec_2023_ratings", repository, shared)
    expected = golden(shared, "llm_gec_2023")["metrics"]
    sources = {item: str(source) for item, source, *_ in rows["judged_items"]}
    texts = {(item, output): text for item, output, text, _ in rows["judged_outputs"]}
    gold = {row[3]: texts[row[3], row[4]] for row in rows["ratings"] if row[6] == "gold_reference"}
    for aspect, sign in (("semantics", 1), ("errors_left", -1), ("overcorrection", -1)):
        rated = [row for row in rows["ratings"] if row[9] == aspect and row[6] != "gold_reference"]
        first, means = mean_of([row[5] for row in rated], [sign * row[10] for row in rated])
        shown = [rated[place] for place in first]
        assert len(shown) == 300
        for name in ("gleu", "bleu", "sari", "green", "min_ld", "fluency", "meaning"):
            scores = scores_of(
                name,
                [texts[row[3], row[4]] for row in shown],
                [sources[row[3]] for row in shown],
                "contractions",
                [[gold[row[3]]] for row in shown],
            )
            golden_numbers = expected[name][aspect]
            assert coefficients(scores, means).pearson == pytest.approx(
                golden_numbers["pearson"], abs=1e-6
            )


def test_metrics_follow_the_simplicity_of_ten_references(repository: Path, shared: Path) -> None:
    rows, expected = rows_of("simplicity_da", repository, shared), golden(shared, "simplification")
    sources = {item: str(source) for item, source, *_ in rows["judged_items"]}
    texts = {(item, output): text for item, output, text, _ in rows["judged_outputs"]}
    folder = shared / "data" / "judgments" / "asset"
    text_columns = [
        (folder / f"test.{part}").read_text(encoding="utf-8").split("\n")
        for part in ("orig", *(f"simp.{k}" for k in range(10)))
    ]
    references = {
        letters(columns[0]): list(columns[1:]) for columns in zip(*text_columns, strict=False)
    }
    for aspect in ("fluency", "meaning", "simplicity"):
        rated = [row for row in rows["ratings"] if (row[2], row[9]) == ("simplicity_da", aspect)]
        # Standardised by judge, as in the publication.
        first, means = mean_of([row[5] for row in rated], [row[11] for row in rated])
        shown = [rated[place] for place in first]
        assert len(shown) == 600
        for name in ("bleu", "gleu", "sari", "green", "min_ld", "ld"):
            scores = scores_of(
                name,
                [texts[row[3], row[4]] for row in shown],
                [sources[row[3]] for row in shown],
                "13a",
                [references[letters(sources[row[3]])] for row in shown],
            )
            golden_numbers = expected["pooled"][name][aspect]
            assert coefficients(scores, means).pearson == pytest.approx(
                golden_numbers["pearson"], abs=1e-6
            )


def test_ceilings_within_items_of_tmu_gfms_places(repository: Path, shared: Path) -> None:
    rows, expected = rows_of("tmu_gfm", repository, shared), golden(shared, "tmu_gfm")
    for aspect in ("grammaticality", "fluency", "meaning"):
        aspect_ratings = [row for row in rows["ratings"] if row[9] == aspect]
        numbers: dict[str, int] = {}
        outcomes = ceiling_outcomes(
            [numbers.setdefault(row[3], len(numbers)) for row in aspect_ratings],
            [row[5] for row in aspect_ratings],
            [row[8] for row in aspect_ratings],
            [row[10] for row in aspect_ratings],
        )
        agreement = agreement_of_outcomes("ties_half", outcomes.sum(axis=0))
        golden_numbers = expected[f"ceiling_within_positional_{aspect}"]
        assert agreement.n_pairs == golden_numbers["n_decided"]
        assert agreement.accuracy == pytest.approx(golden_numbers["ties_half"], abs=1e-6)


def test_small_edits_of_assets_pairs(repository: Path, shared: Path) -> None:
    rows = rows_of("asset_judgments", repository, shared)
    expected = golden(shared, "simplification")["asset_pairwise"]
    sources = {item: str(source) for item, source, *_ in rows["judged_items"]}
    outputs = [(item, output, text) for item, output, text, _ in rows["judged_outputs"]]
    copies = scores_of(
        "ld", [text for *_, text in outputs], [sources[item] for item, *_ in outputs], "13a"
    )
    by_output = {output[:2]: score for output, score in zip(outputs, copies, strict=True)}
    for aspect in ("fluency", "meaning", "simplicity"):
        preferences = [
            Preference(row[4], row[3], row[6], row[7], row[8])
            for row in rows["preference_pairs"]
            if row[5] == aspect
        ]
        agreement_of_rules = preference_rows(
            preferences, {("none", "ld"): by_output}, 1000, 0.95, 1
        )
        half = next(row for row in agreement_of_rules if row["tie_rule"] == "ties_half")
        counts = [half[f"n_{key}"] for key in ("pairs", "concordant", "discordant", "tied")]
        assert counts == [expected[aspect]["ld"][key] for key in ("n_decided", "C", "D", "T")]


def test_pevs_verdicts_by_where_they_are_from(repository: Path, shared: Path) -> None:
    rows, expected = rows_of("jelv_pev", repository, shared), golden(shared, "pev")
    sources = {item: str(source) for item, source, *_ in rows["judged_items"]}
    verdicts = [(sources[row[3]], row[9], row[-1] > 0) for row in rows["edit_verdicts"]]
    jfleg, conll = references_of_jfleg(shared), references_of_conll14(shared)
    jfleg_verdicts = [verdict for verdict in verdicts if letters(verdict[0]) in jfleg]
    conll_verdicts = [verdict for verdict in verdicts if letters(verdict[0]) in conll]
    other_verdicts = [verdict for verdict in verdicts if letters(verdict[0]) not in jfleg]

    def n_shared(selected: list[tuple[str, str, bool]], references: dict[str, list[str]]) -> int:
        return sum(
            "".join(edited.split())
            in {"".join(text.split()) for text in references[letters(source)]}
            for source, edited, _ in selected
        )

    assert (
        len(jfleg_verdicts),
        sum(verdict[2] for verdict in jfleg_verdicts),
        n_shared(jfleg_verdicts, jfleg),
    ) == (
        655,
        655,
        654,
    )
    assert (len({verdict[0] for verdict in jfleg_verdicts}), len(other_verdicts)) == (409, 1930)
    assert (
        len(conll_verdicts),
        sum(verdict[2] for verdict in conll_verdicts),
        n_shared(conll_verdicts, conll),
    ) == (157, 39, 22)
    for name in ("green", "min_ld", "fluency", "meaning"):
        check_area(conll_verdicts, conll, name, expected["conll14"][name])
    check_area(other_verdicts, {}, "fluency", expected["not_jfleg"]["fluency"])


def check_area(
    verdicts: list[tuple[str, str, bool]],
    references: dict[str, list[str]],
    name: str,
    golden_numbers: dict[str, Any],
) -> None:
    before = [split_text(verdict[0], "words") for verdict in verdicts]
    after = [split_text(verdict[1], "words") for verdict in verdicts]
    reference_texts = [
        [split_text(text, "words") for text in references.get(letters(verdict[0]), [])]
        for verdict in verdicts
    ]
    longest = max(map(len, reference_texts))
    lists: list[list[str | None]] = [
        [*texts, *[None] * (longest - len(texts))] for texts in reference_texts
    ]
    metric = metric_of_texts(name, outputs=False)
    scores = sentence_scores(
        metric,
        {"before": before, "after": after},
        before,
        lists if metric.reference_based else None,
    )
    differences = score_differences(scores[1], scores[0])
    valid = np.array([verdict[2] for verdict in verdicts])
    assert auc(differences[valid], differences[~valid]) == pytest.approx(
        golden_numbers["auc"], abs=1e-6
    )
    assert shares(differences[valid]) == pytest.approx(
        golden_numbers["valid_up_tie_down"], abs=1e-6
    )
    numbers: dict[str, int] = {}
    source = np.array([numbers.setdefault(verdict[0], len(numbers)) for verdict in verdicts])
    low, high = auc_interval(source, valid, differences, cluster_weights(len(numbers), 1000, 1))
    assert (low[0], high[0]) == pytest.approx(golden_numbers["auc_ci"], abs=INTERVAL)


def test_aquas_classes_ceiling_and_small_edits(repository: Path, shared: Path) -> None:
    rows, expected = rows_of("aqua", repository, shared), golden(shared, "aqua_en")
    sources = {item: str(source) for item, source, *_ in rows["judged_items"]}
    edits: dict[tuple[str, int], tuple[str, list[float]]] = {}
    for row in rows["edit_verdicts"]:
        if row[9] is not None:
            edits.setdefault((row[3], row[4]), (row[9], []))[1].append(row[-1])
    kinds = np.array([edit_class(values) for _, values in edits.values()])
    counts = {"ok": "valid", "opt": "optional", "bad": "invalid"}
    assert {key: int((kinds == kind).sum()) for key, kind in counts.items()} == expected["classes"]
    place = [number for number, (_, values) in enumerate(edits.values()) for _ in values]
    correlations = coefficients(
        *one_against_rest(place, [v for _, edit_values in edits.values() for v in edit_values])
    )
    golden_numbers = expected["ceiling_one_vs_rest"]
    assert correlations == pytest.approx(
        [golden_numbers[key] for key in ("pearson", "spearman", "kendall_b")]
    )
    before = [sources[item] for item, _ in edits]
    after = [edited for edited, _ in edits.values()]
    severity = [sum(values) / len(values) for _, values in edits.values()]
    for name, tokens in (
        ("ld", "blanks"),
        ("fluency", "contractions"),
        ("meaning", "contractions"),
    ):
        differences = score_differences(
            scores_of(name, after, before, tokens), scores_of(name, before, before, tokens)
        )
        golden_numbers = expected["metrics"][name]
        assert auc(differences[kinds == "valid"], differences[kinds == "invalid"]) == pytest.approx(
            golden_numbers["auc_ok_vs_bad"], abs=1e-6
        )
        assert coefficients(differences, severity).pearson == pytest.approx(
            golden_numbers["severity"]["pearson"], abs=1e-6
        )
