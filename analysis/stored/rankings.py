"""Judgments and metric scores of one corpus, as arrays, from the build file."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from analysis.metrics.base import FloatArray
from analysis.statistics.judged_pairs import Integers, JudgmentCounts, sentence_counts
from analysis.stored.rows import key_groups, sql_list
from analysis.stored.statistics import Statistics, selected_signatures, summed_statistics

Flags = NDArray[np.bool_]
# By corpus and judgment set, then by the name of the choice.
SystemSets = dict[tuple[str, str], dict[str, list[str]]]


class Judged(NamedTuple):
    """The judged pairs of one judgment set; systems are positions in `systems`, sorted by name."""

    corpus: str
    judgment_set: str
    systems: list[str]
    sentence: Integers
    first: Integers
    second: Integers
    preference: Integers
    is_same_output: Flags

    def among(self, chosen: Sequence[str]) -> "Judged":
        """Return the pairs of two chosen systems, with positions among those, sorted by name."""
        names = sorted(set(chosen) & set(self.systems))
        place = np.full(len(self.systems), -1)
        for position, name in enumerate(names):
            place[self.systems.index(name)] = position
        kept = (place[self.first] >= 0) & (place[self.second] >= 0)
        return self._replace(
            systems=names,
            sentence=self.sentence[kept],
            first=place[self.first[kept]],
            second=place[self.second[kept]],
            preference=self.preference[kept],
            is_same_output=self.is_same_output[kept],
        )

    def counts(self, n_sentences: int) -> JudgmentCounts:
        """Return the judgments of each sentence, shape (n_sentences, systems, systems)."""
        return sentence_counts(
            self.sentence,
            self.first,
            self.second,
            self.preference,
            n_sentences,
            len(self.systems),
        )

    def is_judged(self, n_sentences: int) -> Flags:
        """Return whether each sentence of the corpus has a judgment."""
        return np.isin(np.arange(n_sentences), self.sentence)


class HumanScores(NamedTuple):
    """Human scores of a choice of systems by one method: (systems,) and (samples, systems).

    NaN in samples that draw no judgment of a system.
    """

    system_set: str
    method: str
    systems: list[str]
    scores: FloatArray
    samples: FloatArray


class ScoredSet(NamedTuple):
    """Sentence scores of one metric on one reference set: shape (systems, sentences of the corpus).

    NaN where a sentence has no score; all systems lack the same sentences. Larger is better.
    """

    reference_set: str
    metric: str
    systems: list[str]
    scores: FloatArray

    def is_scored(self) -> Flags:
        """Return whether each sentence of the corpus has a score of every system."""
        return np.asarray(~np.isnan(self.scores).any(axis=0))


def judged_sets(pairs: Any) -> list[Judged]:
    """Return every judgment set of the relation judged_pairs."""
    columns = "corpus, judgment_set, sentence_id, system_a, system_b, preference, is_same_output"
    table = pairs.select(columns).order(columns).to_arrow_table()
    found = []
    for (corpus, judgment_set), rows in key_groups(table, 2):
        names = [rows[name].to_pylist() for name in ("system_a", "system_b")]
        systems, places = np.unique(names[0] + names[1], return_inverse=True)
        first, second = np.split(places.astype(np.int64), 2)
        found.append(
            Judged(
                corpus,
                judgment_set,
                systems.tolist(),
                rows["sentence_id"].to_numpy().astype(np.int64),
                first,
                second,
                rows["preference"].to_numpy().astype(np.int64),
                np.array(rows["is_same_output"].to_pylist(), dtype=np.bool_),
            )
        )
    return found


def judged_corpora(judged: Sequence[Judged], corpora: Any) -> dict[str, int]:
    """Return the number of sentences of every corpus with a judgment set.

    Args:
        judged: all judgment sets.
        corpora: the relation corpora.

    """
    names = {one.corpus for one in judged}
    rows = corpora.filter(f"corpus in {sql_list(sorted(names))}").select("corpus, sentences")
    return dict(rows.fetchall())


def judged_statistics(
    inputs: Any, cached: Any, registry: Any, corpora: Iterable[str]
) -> Statistics:
    """Return the statistics that corpus scores of judged systems sum.

    Args:
        inputs: the relation system_inputs.
        cached: the relation metric_statistics.
        registry: the relation metric_registry.
        corpora: whose systems were judged.

    """
    return summed_statistics(
        inputs, cached, selected_signatures(registry), f"corpus in {sql_list(corpora)}"
    )


def system_sets(judged_systems: Any) -> SystemSets:
    """Return the systems of every choice in the relation, or what a filter left of it."""
    found: SystemSets = defaultdict(lambda: defaultdict(list))
    rows = judged_systems.order("corpus, judgment_set, system_set, system").select(
        "corpus, judgment_set, system_set, system"
    )
    for corpus, judgment_set, system_set, system in rows.fetchall():
        found[corpus, judgment_set][system_set].append(system)
    return found


def human_scores(samples: Any, judged_systems: Any) -> dict[tuple[str, str], list[HumanScores]]:
    """Return the human scores of all systems with an output, by corpus and judgment set.

    A choice of systems keeps the scores that they got among all, as published correlations do.

    Args:
        samples: the relation human_score_samples.
        judged_systems: the relation of that name.

    """
    among_all = samples.filter("system_set = 'all'").select(
        "corpus, judgment_set, system, method, score, samples"
    )
    columns = "corpus, judgment_set, system_set, method, system, score, samples"
    rows = (
        judged_systems.filter("has_output")
        .join(among_all, "corpus, judgment_set, system")
        .order("corpus, judgment_set, system_set, method, system")
        .select(columns)
    )
    grouped: dict[tuple[str, str, str, str], list[tuple[Any, ...]]] = defaultdict(list)
    for *key, system, score, of_system in rows.fetchall():
        grouped[key[0], key[1], key[2], key[3]].append((system, score, of_system))
    found: dict[tuple[str, str], list[HumanScores]] = {}
    for (corpus, judgment_set, system_set, method), of_choice in grouped.items():
        systems, scores, drawn = zip(*of_choice, strict=True)
        found.setdefault((corpus, judgment_set), []).append(
            HumanScores(
                system_set,
                method,
                list(systems),
                np.array(scores),
                # NULL is NaN again.
                np.array(drawn, dtype=np.float64).T,
            )
        )
    return found


def scored_sets(scores: Any, n_sentences: Mapping[str, int]) -> dict[str, list[ScoredSet]]:
    """Return the sentence scores of system outputs, by corpus.

    Args:
        scores: relation with columns corpus, reference_set, metric, system, sentence_id, score.
        n_sentences: of each corpus that is asked for.

    """
    found: dict[str, list[ScoredSet]] = defaultdict(list)
    table: pa.Table = (
        scores.filter(f"corpus in {sql_list(n_sentences)}")
        .order("corpus, reference_set, metric, system, sentence_id")
        .select("corpus, reference_set, metric, system, sentence_id, score")
        .to_arrow_table()
    )
    for (corpus, reference_set, metric), rows in key_groups(table, 3):
        encoded = rows["system"].combine_chunks().dictionary_encode()
        systems = encoded.dictionary.to_pylist()
        matrix = np.full((len(systems), n_sentences[corpus]), np.nan)
        places = (encoded.indices.to_numpy(), rows["sentence_id"].to_numpy())
        matrix[places] = rows["score"].to_numpy()
        found[corpus].append(ScoredSet(reference_set, metric, systems, matrix))
    return found
