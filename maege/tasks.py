"""The tasks that metrics are evaluated for, by the values of `level` in mart `best_metrics`."""

from dataclasses import dataclass
from types import MappingProxyType


@dataclass(frozen=True)
class Task:
    """A task of metrics, and the headline statistic that says how well a metric does it.

    `name` is for sentences, `title` for headings, `data` and `symbol` (of the measure) for tables.
    `unit` is what the data are a sample of.
    """

    name: str
    title: str
    data: str
    measure: str
    symbol: str
    unit: str = "sentences"
    is_share: bool = False

    @property
    def short(self) -> str:
        """The data and the symbol of the measure, such as `systems: r`."""
        return f"{self.data}: {self.symbol}"


TASKS = {
    "sentence": Task(
        "ordering corrections of one sentence",
        "Order corrections of one sentence",
        "corrections of one sentence",
        "Kendall's tau",
        "tau",
    ),
    "corpus": Task(
        "ranking corpora of known quality",
        "Rank corpora of known quality",
        "corpora",
        "Spearman's rho, mean of draws",
        "rho",
    ),
    "edit": Task(
        "noticing wrong edits",
        "Notice wrong edits",
        "wrong edits",
        "share of pairs",
        "pairs",
        is_share=True,
    ),
    "system": Task(
        "ranking systems as judges do",
        "Rank systems as judges do",
        "systems",
        "Pearson's r",
        "r",
        "systems",
    ),
    "output": Task(
        "ordering outputs as judges do",
        "Order outputs as judges do",
        "outputs",
        "share of pairs",
        "pairs",
        is_share=True,
    ),
}
# The levels whose evidence is from human judgments.
JUDGED = ("system", "output")

# Built-in metrics that differ from another one in a detail: lists show them on request.
VARIANT_OF = MappingProxyType({
    "cleme2_independent": "cleme2",
    "cleme_independent": "cleme",
    "cleme_length": "cleme",
    "cleme_length_declared": "cleme",
    "cleme_length_independent": "cleme",
    "cleme_length_independent_declared": "cleme",
    "errant_no_error": "errant",
    "gleu_equation": "gleu",
    "gotoscorer_unweighted": "gotoscorer",
    "green_f1": "green",
    "ibleu_minus": "ibleu",
    "imeasure_mix": "imeasure",
    "lt37": "lt",
    "lt_maege2018": "lt",
    "lt_napoles2016": "lt",
    "m2_no_error": "m2",
    "max_sari": "sari",
    "meaning_meteor": "meaning",
    "sari_easse": "sari",
    "sari_hf": "sari",
})  # fmt: skip
