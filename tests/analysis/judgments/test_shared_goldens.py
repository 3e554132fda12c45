"""Public judgments against golden values of another implementation; skipped without the data."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from shared_sets import (
    MeanRatings,
    golden,
    judgment_set,
    letters,
    lines,
    numbered,
    references_of_conll14,
    references_of_jfleg,
)

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
from maege.analysis.statistics.pair_agreement import (
    PairAgreement,
    agreement_of_outcomes,
    score_differences,
)
from maege.analysis.statistics.resampling import cluster_weights

INTERVAL = 0.015
# Golden values in the order of `coefficients`.
COEFFICIENTS = ("pearson", "spearman", "kendall_b")


def test_gmeg_pooled_within_and_by_system(repository: Path, shared: Path) -> None:
    gmeg = judgment_set("gmeg_judgments", repository, shared)
    rated = [row for row in gmeg.rows["ratings"] if row[2] == "dev_fce" and row[6] != "ref"]
    item = numbered(row[3] for row in rated)
    output, values = np.array([row[4] for row in rated]), np.array([row[10] for row in rated])
    system = numbered(row[6] for row in rated)
    reference_texts = [lines(shared, f"judgments/gmeg/dev.fce/ref{k}") for k in range(4)]
    references = [
        [reference[int(row[3].rpartition("/")[2])] for reference in reference_texts]
        for row in rated
    ]
    weights = cluster_weights(item.max() + 1, 1000, 1)
    first, means = mean_of(item * 100 + output, values)
    for name in ("gleu", "min_ld", "ld", "green"):
        scores = sentence_scores(
            metric_of_texts(name, outputs=False),
            {"": [gmeg.outputs[row[3], row[4]] for row in rated]},
            [gmeg.sources[row[3]] for row in rated],
            references,
        )[0]
        expected = golden(shared, "gmeg")["dev.fce"]["metrics"][name]
        assert coefficients(scores, values) == pytest.approx(
            [expected["pooled"][key] for key in COEFFICIENTS], abs=1e-6
        )
        by_rule = within_items(item[first], output[first], means, scores[first], weights)
        half, equal = by_rule["ties_half"], by_rule["acc_eq"].agreement
        assert decided(half.agreement) == tuple(expected["within"][key] for key in "CDT")
        assert equal.n_pairs == expected["within"]["n_all"]
        assert equal.accuracy == pytest.approx(expected["within"]["acc_eq"], abs=1e-6)
        assert (half.ci_low, half.ci_high) == pytest.approx(expected["within_ci"], abs=INTERVAL)
        by_system = coefficients(system_means(system, scores), system_means(system, values))
        assert by_system.pearson == pytest.approx(expected["system7"]["pearson"], abs=1e-6)


def decided(agreement: PairAgreement) -> tuple[int, int, int]:
    return agreement.n_concordant, agreement.n_discordant, agreement.n_tied


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
    all_ratings = judgment_set(name, repository, shared).rows["ratings"]
    ratings = [row for row in all_ratings if row[2] == task]
    aspects = sorted({row[9] for row in ratings})
    assert aspects
    for aspect in aspects:
        expected = golden(shared, file)
        for key in place.format(aspect=aspect).split("/"):
            expected = expected[key]
        rows = [row for row in ratings if row[9] == aspect]
        sides = one_against_rest([row[5] for row in rows], [row[10] for row in rows])
        assert coefficients(*sides) == pytest.approx(
            [expected[key] for key in COEFFICIENTS], abs=1e-6
        )


def scores_of(
    name: str,
    texts: list[str],
    sources: list[str],
    tokens: str,
    references: list[list[str]] | None = None,
) -> Any:
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
    tmu_gfm = judgment_set("tmu_gfm", repository, shared)
    rated = [row for row in tmu_gfm.rows["ratings"] if row[9] == "meaning"]
    judged = tmu_gfm.mean_ratings(rated, [row[10] for row in rated])
    texts, sources = judged.texts, judged.sources
    scores = {
        "length": np.array([len(text) for text in texts], np.float64),
        "ld": scores_of("ld", texts, sources, "blanks"),
        "fluency": scores_of("fluency", texts, sources, "contractions"),
        "meaning": scores_of("meaning", texts, sources, "contractions"),
    }
    item = numbered(row[3] for row in judged.rows)
    output = np.array([row[4] for row in judged.rows])
    weights = cluster_weights(item.max() + 1, 1000, 1)
    for name, metric_scores in scores.items():
        expected = golden(shared, "tmu_gfm")["metrics"][name]["meaning"]
        pooled, within = expected["pooled"], expected["within"]
        r = coefficients(metric_scores, judged.means).pearson
        assert r == pytest.approx(pooled["pearson"], abs=1e-6)
        half = within_items(item, output, judged.means, metric_scores, weights)["ties_half"]
        assert decided(half.agreement) == tuple(within[key] for key in "CDT")
        low, high = pearson_interval(item, metric_scores, judged.means, weights)
        assert (low[0], high[0]) == pytest.approx(pooled["ci"], abs=INTERVAL)


def assert_correlations(
    judged: MeanRatings,
    tokens: str,
    references: list[list[str]],
    expected: dict[str, dict[str, float]],
) -> None:
    for name, numbers in expected.items():
        scores = scores_of(name, judged.texts, judged.sources, tokens, references)
        r = coefficients(scores, judged.means).pearson
        assert r == pytest.approx(numbers["pearson"], abs=1e-6), name


def test_metrics_follow_ratings_of_language_models(repository: Path, shared: Path) -> None:
    ratings = judgment_set("llm_gec_2023_ratings", repository, shared)
    expected = golden(shared, "llm_gec_2023")["metrics"]
    gold = {
        row[3]: ratings.outputs[row[3], row[4]]
        for row in ratings.rows["ratings"]
        if row[6] == "gold_reference"
    }
    metrics = ("gleu", "bleu", "sari", "green", "min_ld", "fluency", "meaning")
    for aspect, sign in (("semantics", 1), ("errors_left", -1), ("overcorrection", -1)):
        rated = [
            row
            for row in ratings.rows["ratings"]
            if row[9] == aspect and row[6] != "gold_reference"
        ]
        judged = ratings.mean_ratings(rated, [sign * row[10] for row in rated])
        assert len(judged.rows) == 300
        references = [[gold[row[3]]] for row in judged.rows]
        golden_numbers = {name: expected[name][aspect] for name in metrics}
        assert_correlations(judged, "contractions", references, golden_numbers)


def test_metrics_follow_the_simplicity_of_ten_references(repository: Path, shared: Path) -> None:
    ratings = judgment_set("simplicity_da", repository, shared)
    expected = golden(shared, "simplification")["pooled"]
    parts = ("orig", *(f"simp.{k}" for k in range(10)))
    folder = shared / "data/judgments/asset"
    columns = [(folder / f"test.{part}").read_text(encoding="utf-8").splitlines() for part in parts]
    references = {letters(source): texts for source, *texts in zip(*columns, strict=True)}
    for aspect in ("fluency", "meaning", "simplicity"):
        rated = [
            row for row in ratings.rows["ratings"] if (row[2], row[9]) == ("simplicity_da", aspect)
        ]
        # Standardised by judge, as in the publication.
        judged = ratings.mean_ratings(rated, [row[11] for row in rated])
        assert len(judged.rows) == 600
        golden_numbers = {
            name: expected[name][aspect]
            for name in ("bleu", "gleu", "sari", "green", "min_ld", "ld")
        }
        references_of_outputs = [references[letters(source)] for source in judged.sources]
        assert_correlations(judged, "13a", references_of_outputs, golden_numbers)


def test_ceilings_within_items_of_tmu_gfms_places(repository: Path, shared: Path) -> None:
    ratings = judgment_set("tmu_gfm", repository, shared).rows["ratings"]
    for aspect in ("grammaticality", "fluency", "meaning"):
        rows = [row for row in ratings if row[9] == aspect]
        outcomes = ceiling_outcomes(
            numbered(row[3] for row in rows),
            [row[5] for row in rows],
            [row[8] for row in rows],
            [row[10] for row in rows],
        )
        agreement = agreement_of_outcomes("ties_half", outcomes.sum(axis=0))
        expected = golden(shared, "tmu_gfm")[f"ceiling_within_positional_{aspect}"]
        assert agreement.n_pairs == expected["n_decided"]
        assert agreement.accuracy == pytest.approx(expected["ties_half"], abs=1e-6)


def test_small_edits_of_assets_pairs(repository: Path, shared: Path) -> None:
    asset = judgment_set("asset_judgments", repository, shared)
    sources = [asset.sources[item] for item, _ in asset.outputs]
    copies = scores_of("ld", list(asset.outputs.values()), sources, "13a")
    scores = {("none", "ld"): dict(zip(asset.outputs, copies, strict=True))}
    for aspect in ("fluency", "meaning", "simplicity"):
        preferences = [
            Preference(row[4], row[3], row[6], row[7], row[8])
            for row in asset.rows["preference_pairs"]
            if row[5] == aspect
        ]
        rows = preference_rows(preferences, scores, 1000, 0.95, 1)
        half = next(row for row in rows if row["tie_rule"] == "ties_half")
        counts = [half[f"n_{key}"] for key in ("pairs", "concordant", "discordant", "tied")]
        expected = golden(shared, "simplification")["asset_pairwise"][aspect]["ld"]
        assert counts == [expected[key] for key in ("n_decided", "C", "D", "T")]


def test_pevs_verdicts_by_where_they_are_from(repository: Path, shared: Path) -> None:
    pev, expected = judgment_set("jelv_pev", repository, shared), golden(shared, "pev")
    rows = pev.rows["edit_verdicts"]
    verdicts = [(pev.sources[row[3]], row[9], row[-1] > 0) for row in rows]
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

    def numbers(
        selected: list[tuple[str, str, bool]], references: dict[str, list[str]]
    ) -> tuple[int, int, int]:
        """Return the numbers of verdicts, of valid ones and of those on a reference."""
        n_valid = sum(valid for *_, valid in selected)
        return len(selected), n_valid, n_shared(selected, references)

    assert numbers(jfleg_verdicts, jfleg) == (655, 655, 654)
    assert numbers(conll_verdicts, conll) == (157, 39, 22)
    assert (len({verdict[0] for verdict in jfleg_verdicts}), len(other_verdicts)) == (409, 1930)
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
    source = numbered(verdict[0] for verdict in verdicts)
    weights = cluster_weights(source.max() + 1, 1000, 1)
    low, high = auc_interval(source, valid, differences, weights)
    assert (low[0], high[0]) == pytest.approx(golden_numbers["auc_ci"], abs=INTERVAL)


def test_aquas_classes_ceiling_and_small_edits(repository: Path, shared: Path) -> None:
    aqua, expected = judgment_set("aqua", repository, shared), golden(shared, "aqua_en")
    edits: dict[tuple[str, int], tuple[str, list[float]]] = {}
    for row in aqua.rows["edit_verdicts"]:
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
    assert correlations == pytest.approx([golden_numbers[key] for key in COEFFICIENTS])
    before = [aqua.sources[item] for item, _ in edits]
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
