"""The rows of the mart of edit verdicts: shares, area under the curve and severity of a metric."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from maege.analysis.judgments.clustered import area_p_value
from maege.analysis.judgments.ratings import coefficients
from maege.analysis.judgments.verdicts import (
    INVALID,
    OPTIONAL,
    VALID,
    auc,
    auc_interval,
    edit_class,
    shares,
)
from maege.analysis.statistics.resampling import (
    LEAST_PAIRS,
    Floats,
    Integers,
    cluster_weights,
    too_few,
)


class Edits(NamedTuple):
    """Judged edits: the number of the source of each, and what its verdicts are worth."""

    source: Integers
    values: Sequence[Sequence[float]]


def verdict_row(
    edits: Edits, differences: Floats, n_samples: int, level: float, seed: int
) -> dict[str, Any] | None:
    """Return what a metric makes of edits; None where it has no difference.

    Args:
        edits: the edits.
        differences: score with the edit minus score without, NaN where there is none.
        n_samples: how often sources are drawn.
        level: the share of samples between bounds.
        seed: of the draws.

    """
    known = np.flatnonzero(~np.isnan(differences))
    if not known.size:
        return None
    d = differences[known]
    values = [edits.values[place] for place in known.tolist()]
    _, source = np.unique(edits.source[known], return_inverse=True)
    kinds = np.array([edit_class(of_edit) for of_edit in values])
    valid, invalid = kinds == VALID, kinds == INVALID
    n_sources = int(source.max()) + 1
    missing = too_few(sentences=n_sources)
    if missing is None and min(valid.sum(), invalid.sum()) < LEAST_PAIRS:
        missing = "edits"
    row: dict[str, Any] = {
        "n_edits": int(known.size),
        "n_sources": n_sources,
        "n_valid": int(valid.sum()),
        "n_optional": int((kinds == OPTIONAL).sum()),
        "n_invalid": int(invalid.sum()),
        "auc": auc(d[valid], d[invalid]),
        "too_few": missing,
    }
    for name, chosen in (("valid", valid), ("invalid", invalid)):
        found = shares(d[chosen])
        row |= {f"{name}_up": found.up, f"{name}_tied": found.tied, f"{name}_down": found.down}
    severity = coefficients(d, [sum(of_edit) / len(of_edit) for of_edit in values])
    row |= {"severity_r": severity.pearson, "severity_rho": severity.spearman}
    if missing is None:
        decided = valid | invalid
        weights = cluster_weights(n_sources, n_samples, seed)
        bounds = auc_interval(source[decided], valid[decided], d[decided], weights, level)
        row["p_value"] = area_p_value(source[decided], valid[decided], d[decided])
        if bounds.low[0] < bounds.high[0]:
            row |= {"ci_low": float(bounds.low[0]), "ci_high": float(bounds.high[0])}
    return row
