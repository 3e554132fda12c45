"""The tasks that metrics are evaluated for, by the values of `level` in mart `best_metrics`."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Task:
    """A task of metrics, and the headline statistic that says how well a metric does it.

    `name` is for sentences, `title` for headings, `short` for tables. `unit` is what the data are a
    sample of.
    """

    name: str
    title: str
    short: str
    measure: str
    unit: str = "sentences"
    is_share: bool = False

    @property
    def chance(self) -> float:
        """The value of the statistic for random scores."""
        return 0.5 if self.is_share else 0.0


TASKS = {
    "sentence": Task(
        "ordering corrections of one sentence",
        "Order corrections of one sentence",
        "corrections of one sentence: tau",
        "Kendall's tau",
    ),
    "corpus": Task(
        "ranking corpora of known quality",
        "Rank corpora of known quality",
        "corpora: rho",
        "Spearman's rho, mean of draws",
    ),
    "edit": Task(
        "noticing wrong edits",
        "Notice wrong edits",
        "wrong edits: pairs",
        "share of pairs",
        is_share=True,
    ),
    "system": Task(
        "ranking systems as judges do",
        "Rank systems as judges do",
        "systems: r",
        "Pearson's r",
        "systems",
    ),
    "output": Task(
        "ordering outputs as judges do",
        "Order outputs as judges do",
        "outputs: pairs",
        "share of pairs",
        is_share=True,
    ),
}
# The levels whose evidence is from human judgments.
JUDGED = ("system", "output")
