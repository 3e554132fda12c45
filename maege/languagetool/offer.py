"""Note after a build if LanguageTool is available but not enabled, with the estimated run time.

A build does not use it without being asked: it may have been installed for another purpose.
"""

import math
from dataclasses import dataclass

from maege.analysis.metrics.languagetool import ENABLE, ENABLED_METRICS, GRAMMAR_METRICS
from maege.ingest.warehouse import Warehouse, open_build

# A cautious rate: an idle machine with two cores checks 270 to 400 texts per second, a busy one 20.
TEXTS_A_SECOND = 100
# Number of texts, by version, that LanguageTool would check and that are not in the cache. The
# conditions are those of scoring_requests and grammar_requests.
_TEXTS = """
    select grammar.languagetool, count(distinct (grammar.check_key, inputs.hypothesis_text_id))
    from corpora.metric_registry as registry
    inner join caches.grammar_metrics as grammar on registry.metric = grammar.metric
    inner join raw.corpora as corpora on grammar.language = coalesce(corpora.language, 'en')
    inner join caches.scoring_inputs as inputs on corpora.corpus = inputs.corpus
    left join caches.grammar_checks as checks
        on grammar.check_key = checks.check_key and inputs.hypothesis_text_id = checks.text_id
    where list_contains($metrics, registry.metric)
        and list_contains(registry.languages, split_part(grammar.language, '-', 1))
        and inputs.gold_key is not null
        and inputs.first_draw < registry.n_draws
        and checks.text_id is null
    group by grammar.languagetool
    order by grammar.languagetool desc
"""
_UNSELECTED = """
    select distinct metric from corpora.metric_registry
    where not is_selected and list_contains($metrics, metric)
"""


@dataclass(frozen=True)
class Offer:
    """Metrics that could be scored if they were enabled, and the number of texts by version."""

    metrics: tuple[str, ...]
    texts: dict[str, int]

    @property
    def minutes(self) -> int:
        """The estimated time of the checks in minutes, rounded up."""
        return math.ceil(sum(self.texts.values()) / TEXTS_A_SECOND / 60)

    def __str__(self) -> str:
        texts = " and ".join(f"{n:,} texts by {version}" for version, n in self.texts.items())
        cost = (
            f"It would check {texts}: about {self.minutes} min at {TEXTS_A_SECOND} per second."
            if texts
            else "All results are in the cache."
        )
        return (
            "LanguageTool is available, but not enabled in this project, so these metrics have no "
            f"scores: {', '.join(self.metrics)}. {cost} To use it: {ENABLE}, then maege build"
        )


def find_offer(warehouse: Warehouse) -> Offer | None:
    """Return what LanguageTool would score; None if it is enabled or missing."""
    usable = [
        name
        for name in ENABLED_METRICS
        if name in GRAMMAR_METRICS and GRAMMAR_METRICS[name].missing is None
    ]
    if not usable:
        return None
    with open_build(warehouse, read_only=True) as connection:
        rows = connection.execute(_UNSELECTED, {"metrics": list(ENABLED_METRICS)}).fetchall()
        unselected = {name for (name,) in rows}
        metrics = [name for name in usable if name in unselected]
        if not metrics:
            return None
        texts = dict(connection.execute(_TEXTS, {"metrics": metrics}).fetchall())
    # Scores of `referenceless` need those of `grammaticality` as well.
    if "grammaticality" in metrics and "referenceless" in unselected:
        metrics.append("referenceless")
    return Offer(tuple(metrics), texts)
