"""Results across corpora and languages, and results for a single language."""

from collections import Counter
from collections.abc import Sequence
from itertools import groupby
from typing import Any

import numpy as np

from maege.analysis.statistics.correlations import concordance
from maege.numbers import estimate
from maege.report.exhibits import Row
from maege.report.marts import Marts

# Measures that are comparable between corpora, with their names.
MEASURES = {
    "standardised_tau": "standardised tau",
    "tau": "tau",
    "over_corrupted": "valid over corrupted",
}
STRATA = ("endorsed", "touched", "untouched")
# A baseline that is not a useful metric: similarity to the source (Levenshtein distance).
BASELINE = "ld"


def values(marts: Marts) -> dict[str, Any]:
    """Return the agreement of corpora for each measure; for a language, each corpus's results."""
    rows = marts.ask("across")
    if marts.language is None:
        return {"agreements": [each for name in MEASURES if (each := _agreement(rows, name))]}
    rows = [row for row in rows if row["language"] == marts.language]
    by_corpus = groupby(rows, key=lambda row: row["compared"])
    return {
        "language": marts.language,
        "groups": [_results(corpus, list(group)) for corpus, group in by_corpus],
    }


def _results(corpus: str, rows: list[Row]) -> dict[str, Any]:
    baseline = next((row["over_corrupted"] for row in rows if row["metric"] == BASELINE), None)
    return {
        "corpus_name": corpus,
        "language": rows[0]["language"],
        "n": max(row["n_sentences"] for row in rows),
        "best": {label: _best_estimates(rows, measure) for measure, label in MEASURES.items()},
        "baseline": baseline,
        "identical_share": rows[0]["identical_share"],
    }


def _best_estimates(rows: list[Row], measure: str) -> list[str]:
    ranked = sorted(
        (row for row in rows if row[measure] is not None and row["metric"] != BASELINE),
        key=lambda row: (-row[measure], row["metric"]),
    )
    return [f"{row['metric']} {estimate(row | _values(row, measure))}" for row in ranked[:3]]


def _values(row: Row, measure: str) -> Row:
    names = {"value": measure, "ci_low": f"{measure}_ci_low", "ci_high": f"{measure}_ci_high"}
    return {name: row[column] for name, column in names.items()}


def _agreement(rows: Sequence[Row], measure: str) -> dict[str, Any] | None:
    """Return how similarly corpora order the metrics that all have, without the baseline."""
    scores = {
        (row["compared"], row["metric"]): row[measure]
        for row in rows
        if row[measure] is not None and row["metric"] != BASELINE
    }
    corpora = sorted({corpus for corpus, _ in scores})
    n_corpora = Counter(name for _, name in scores)
    names = sorted(name for name, n in n_corpora.items() if n == len(corpora))
    table = np.array([[scores[corpus, name] for name in names] for corpus in corpora])
    agreed = concordance(table) if names else None
    about = {"label": MEASURES[measure], "n_corpora": len(corpora), "n_metrics": len(names)}
    return about | {"w": agreed.w, "mean_rho": agreed.mean_rho} if agreed else None


def metrics(marts: Marts, rows: list[Row]) -> list[Row]:
    """Return a row for each measure of each metric on each corpus."""
    shown = [
        row
        | _values(row, measure)
        | {
            "measure": label,
            # From -1, all against it, to 1; a share of 0.5 is 0.
            "shade": 2 * row[measure] - 1 if measure == "over_corrupted" else row[measure],
        }
        for measure, label in MEASURES.items()
        for row in _ordered(marts, rows)
        if row[measure] is not None
    ]
    return sorted(shown, key=lambda row: (row["measure"], row["order"], row["compared"]))


def strata(marts: Marts, rows: list[Row]) -> list[Row]:
    """Return a row for each kind of edits of each metric on each corpus."""
    shown = [
        row | {"stratum": stratum, "value": tau, "shade": tau}
        for stratum in STRATA
        for row in _ordered(marts, rows)
        if (tau := row[f"{stratum}_tau"]) is not None
    ]
    return sorted(shown, key=lambda row: (row["stratum"], row["order"], row["compared"]))


def _ordered(marts: Marts, rows: list[Row]) -> list[Row]:
    """Return the rows of the page's language with the order of metrics by their mean."""
    rows = [row for row in rows if marts.language in (None, row["language"])]
    taus: dict[str, list[float]] = {}
    for row in rows:
        value = row["standardised_tau"]
        taus.setdefault(row["metric"], []).append(row["tau"] if value is None else value)
    names = sorted(taus, key=lambda name: (-float(np.mean(taus[name])), name))
    order = {name: number for number, name in enumerate(names)}
    for row in rows:
        row["order"] = order[row["metric"]]
        # These pages have no filter for groups of metrics.
        row.pop("metric_group", None)
    return rows


def shares(marts: Marts, rows: list[Row]) -> list[Row]:  # noqa: ARG001 - as the others
    """Return a row for the share of each kind of edits in each corpus."""
    corpora = {row["compared"]: row for row in rows if row["endorsed_share"] is not None}
    fields = ("compared", "language", "n_edits", "n_sentences")
    return [
        {name: row[name] for name in fields}
        | {"stratum": stratum, "part": part, "share": row[f"{stratum}_share"], "order": order}
        for order, row in enumerate(corpora.values())
        for part, stratum in enumerate(STRATA)
    ]
