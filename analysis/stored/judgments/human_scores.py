"""Human scores of systems, cached by the content of a judgment set."""

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import pyarrow as pa

from maege.analysis.code import code_behind_module
from maege.analysis.rankings.human_scores import human_score_rows
from maege.analysis.rankings.judged import Judged
from maege.analysis.statistics.resampling import cluster_weights
from maege.analysis.stored.judgments.rankings import judged_sets, system_sets
from maege.analysis.stored.rows import rows_to_table

METHODS = 2
SCHEMA = pa.schema(
    {
        # Key of the judgments, the selections of systems, the settings and the code.
        "judgments_key": pa.string(),
        "corpus": pa.string(),
        "judgment_set": pa.string(),
        "system_set": pa.string(),
        "method": pa.string(),
        "system": pa.string(),
        "score": pa.float64(),
        "ci_low": pa.float64(),
        "ci_high": pa.float64(),
        "rank": pa.int32(),
        "rank_low": pa.int32(),
        "rank_high": pa.int32(),
        "cluster": pa.int32(),
        # As published: over resamples of single judgments for Expected Wins, over runs of
        # TrueSkill.
        "published_rank_low": pa.int32(),
        "published_rank_high": pa.int32(),
        "n_judgments": pa.int32(),
        "n_empty_pairs": pa.int32(),
        # In each bootstrap resample, the same resamples as for metrics; NULL without a score.
        "samples": pa.list_(pa.float64()),
        # Scores by half of the judges: the first halves of all splits, then the second halves.
        "halves": pa.list_(pa.float64()),
        "n_sentences": pa.int32(),
        "n_resamples": pa.int32(),
        "too_few": pa.string(),
    }
)


class Settings(NamedTuple):
    """Number of bootstrap resamples, confidence level, runs of TrueSkill, and the seed."""

    samples: int
    level: float
    runs: int
    seed: int


@dataclass(frozen=True)
class JudgedScores:
    """The scores to compute for one judgment set of a corpus with `n_sentences` sentences."""

    judged: Judged
    choices: Mapping[str, Sequence[str]]
    n_sentences: int
    settings: Settings

    @property
    def key(self) -> str:
        """Key of everything that the rows depend on."""
        digest = hashlib.sha256(code_behind_module(human_score_rows.__module__).encode())
        digest.update(
            repr((self.settings, self.n_sentences, sorted(self.choices.items()))).encode()
        )
        for part in self.judged:
            text = part if isinstance(part, str | list) else (part.dtype.str, part.tobytes())
            digest.update(repr(text).encode())
        return digest.hexdigest()

    @property
    def n_rows(self) -> int:
        """The number of rows: none for a selection without a judgment."""
        chosen = [self.judged.among(systems) for systems in self.choices.values()]
        return METHODS * sum(len(among.systems) for among in chosen if among.sentence.size)

    def rows(self) -> pa.Table:
        """Return one row per selection of systems, method and system."""
        weights = cluster_weights(self.n_sentences, self.settings.samples, self.settings.seed)
        rows = human_score_rows(
            self.judged,
            self.choices,
            weights,
            self.settings.level,
            self.settings.runs,
            self.settings.seed,
        )
        return rows_to_table(({"judgments_key": self.key} | row for row in rows), SCHEMA)


def judged_scores(
    pairs: Any, judged_systems: Any, corpora: Any, settings: Settings
) -> Iterator[JudgedScores]:
    """Yield every judgment set with a judgment.

    Args:
        pairs: the relation judged_pairs.
        judged_systems: the relation of that name.
        corpora: the relation of corpora.
        settings: settings of the scores.

    """
    n_sentences = dict(corpora.select("corpus, n_sentences").fetchall())
    chosen = system_sets(judged_systems)
    for judged in judged_sets(pairs):
        choices = chosen[judged.corpus, judged.judgment_set]
        found = JudgedScores(judged, choices, n_sentences[judged.corpus], settings)
        if found.n_rows:
            yield found
