"""Statistics of the validation: pure functions over arrays, one module a family.

The functions that notebooks ask for most are exported here. TrueSkill is not, because it compiles
its kernels: `from analysis.statistics.trueskill import trueskill_runs`.
"""

from analysis.statistics.bootstrap import cluster_weights, mean_intervals, ratio_intervals
from analysis.statistics.correlation import pearson, spearman
from analysis.statistics.correlation_bootstrap import correlation_intervals
from analysis.statistics.expected_wins import expected_wins
from analysis.statistics.judge_agreement import judge_agreement, overall_agreement
from analysis.statistics.judged_pairs import judgment_counts, resampled_counts, sentence_counts
from analysis.statistics.kendall import tau_ties_concordant, tau_without_ties
from analysis.statistics.metric_comparison import metric_clusters, williams
from analysis.statistics.permutation import perm_both, soft_pairwise_accuracy
from analysis.statistics.rank_ranges import ranking
from analysis.statistics.system_windows import window_correlations
from analysis.statistics.tie_rules import acc_eq, ties_by_name, ties_half, ties_wrong

__all__ = [
    "acc_eq",
    "cluster_weights",
    "correlation_intervals",
    "expected_wins",
    "judge_agreement",
    "judgment_counts",
    "mean_intervals",
    "metric_clusters",
    "overall_agreement",
    "pearson",
    "perm_both",
    "ranking",
    "ratio_intervals",
    "resampled_counts",
    "sentence_counts",
    "soft_pairwise_accuracy",
    "spearman",
    "tau_ties_concordant",
    "tau_without_ties",
    "ties_by_name",
    "ties_half",
    "ties_wrong",
    "williams",
    "window_correlations",
]
