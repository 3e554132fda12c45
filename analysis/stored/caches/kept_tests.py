"""Tests of two systems that stay as long as neither changes: a system more costs its own pairs."""

import hashlib
from collections import defaultdict
from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import Any

from maege.analysis.metrics.families.base import FloatArray
from maege.analysis.metrics.scores.score import Pair, Statistics
from maege.analysis.stored.caches.changed_scores import ChangedScores
from maege.analysis.stored.rows import sql_list

_TESTED = """
    select firsts.scores_key, firsts.contents, seconds.contents, firsts.test.p_value
    from (select *, unnest(compared) as test from had) as firsts
    inner join had as seconds
        on firsts.scores_key = seconds.scores_key and firsts.test.system = seconds.system
    where firsts.test.p_value is not null
"""


class KeptTests:
    """The p-values in the rows that a model has of scores that changed."""

    def __init__(self, dbt: Any, session: Any, changed: ChangedScores) -> None:
        """Read them.

        Args:
            dbt: as the model gets it. Its table has the columns scores_key, system, contents (as
                named below) and compared, a list of tests with later systems.
            session: likewise.
            changed: which scores changed.

        """
        self._p_values: dict[str, dict[frozenset[str], float]] = defaultdict(dict)
        had = session.sql(f"from {dbt.this}") if dbt.is_incremental else None
        if had is None or "contents" not in had.columns:
            return
        rows = (
            had.filter(f"scores_key in {sql_list(changed.versions)}")
            .query("had", _TESTED)
            .fetchall()
        )
        for key, first, second, p_value in rows:
            self._p_values[key][frozenset((first, second))] = p_value

    def of(self, key: str, contents: Sequence[str]) -> Mapping[Pair, float]:
        """Return the p-values of those pairs, by position, that were tested as they are.

        Args:
            key: the scores_key.
            contents: of each system.

        """
        kept = self._p_values[key]
        named = {
            (a, b): frozenset((contents[a], contents[b]))
            for a, b in combinations(range(len(contents)), 2)
        }
        return {pair: kept[names] for pair, names in named.items() if names in kept}


def contents(settings: str, sentence_scores: FloatArray, statistics: Statistics) -> list[str]:
    """Return a name for all that a test of a system depends on, one a system.

    Args:
        settings: whatever else tests depend on.
        sentence_scores: shape (systems, sentences).
        statistics: what the metric sums of these, by family: systems come first.

    """
    arrays = [sentence_scores, *(statistics[name] for name in sorted(statistics))]
    named = []
    for system in range(len(sentence_scores)):
        digest = hashlib.blake2b(settings.encode(), digest_size=16)
        for array in arrays:
            digest.update(repr(array[system].shape).encode())
            digest.update(array[system].tobytes())
        named.append(digest.hexdigest())
    return named
