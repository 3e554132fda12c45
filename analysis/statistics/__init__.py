"""Statistics of the validation: pure functions over arrays, one module a family.

The functions that notebooks ask for most can be had from here, each imported with its module when
it is asked for. Were they imported here at once, two threads of a build that need two modules could
each wait for the other. TrueSkill's are not among them, because it compiles its kernels: `from
maege.analysis.statistics.judgments.trueskill import trueskill_runs`.
"""

from importlib import import_module
from typing import Any

_MODULE_OF = {
    name: module
    for module, names in {
        "samples.bootstrap": ("cluster_weights", "mean_intervals", "ratio_intervals"),
        "correlations.correlation": ("pearson", "spearman"),
        "correlations.correlation_bootstrap": ("correlation_intervals",),
        "judgments.wins": ("expected_wins",),
        "judgments.judges": ("judge_agreement", "overall_agreement"),
        "judgments.judged_pairs": ("judgment_counts", "resampled_counts", "sentence_counts"),
        "correlations.kendall": (
            "goodman_kruskal_gamma",
            "kendall_tau_a",
            "kendall_tau_b",
            "kendall_tau_maege",
        ),
        "significance.metric_comparison": ("williams", "zou_interval"),
        "significance.permutation": ("perm_both", "soft_pairwise_accuracy"),
        "judgments.rank_ranges": ("ranking",),
        "correlations.system_windows": ("window_correlations",),
        "correlations.tie_rules": ("acc_eq", "ties_by_name", "ties_half", "ties_wrong"),
    }.items()
    for name in names
}


__all__ = sorted(_MODULE_OF)


def __getattr__(name: str) -> Any:  # noqa: ANN401 (a function of any of these modules)
    """Return a function that is exported.

    Raises AttributeError for any other name.
    """
    if name not in _MODULE_OF:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_MODULE_OF[name]}"), name)


def __dir__() -> list[str]:
    """Return the names that are exported."""
    return __all__
