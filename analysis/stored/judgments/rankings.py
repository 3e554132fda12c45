"""Judgments and metric scores of one corpus, as arrays, from the build file."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from maege.analysis.rankings.judged import HumanScores, Judged, ScoredSet, SystemSets, compact
from maege.analysis.stored.rows import key_groups, sql_list
from maege.analysis.stored.statistics import selected_signatures, summed_statistics
from maege.analysis.system_scores import StatisticsOfSets
from maege.analysis.workers.pool import give_back


def judged_sets(pairs: Any) -> list[Judged]:
    """Return every judgment set of the relation judged_pairs."""
    columns = "corpus, judgment_set, sentence_id, system_a, system_b, preference, is_same_output"
    of_set = "over (partition by corpus, judgment_set order by"
    outputs = "member, judge, item, least(cell_a, cell_b), greatest(cell_a, cell_b)"
    table = (
        pairs.select(
            f"{columns}, dense_rank() {of_set} member, judge) - 1 as judge, "
            f"dense_rank() {of_set} {outputs}) - 1 as output_pair"
        )
        .order(f"{columns}, judge, output_pair")
        .to_arrow_table()
    )
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
                rows["judge"].to_numpy().astype(np.int64),
                rows["output_pair"].to_numpy().astype(np.int64),
            )
        )
    return found


def judged_corpora(judged: Sequence[Judged], corpora: Any) -> dict[str, int]:
    """Return the number of sentences of every corpus with a judgment set.

    Args:
        judged: all judgment sets.
        corpora: the relation of corpora.

    """
    names = {one.corpus for one in judged}
    rows = corpora.filter(f"corpus in {sql_list(sorted(names))}").select("corpus, n_sentences")
    return dict(rows.fetchall())


def judged_statistics(
    inputs: Any, cached: Any, registry: Any, n_sentences: Mapping[str, int]
) -> StatisticsOfSets:
    """Return the statistics behind the corpus scores of judged systems, in compact types.

    Args:
        inputs: the relation system_inputs.
        cached: the relation metric_statistics.
        registry: the relation metric_registry.
        n_sentences: number of sentences of each corpus whose systems were judged.

    """
    return compact_statistics(
        inputs,
        cached,
        selected_signatures(registry),
        f"corpus in {sql_list(n_sentences)}",
        n_sentences,
    )


def compact_statistics(
    inputs: Any,
    cached: Any,
    signatures: dict[str, int],
    condition: str,
    n_sentences: Mapping[str, int],
) -> StatisticsOfSets:
    """Return `summed_statistics` of many sets at once, in the smallest types that hold them.

    A sentence is at its position in the corpus; one that a reference set lacks has zeros.

    Args:
        inputs: the relation system_inputs.
        cached: the relation metric_statistics.
        signatures: signatures of the families.
        condition: SQL that selects rows of `inputs`.
        n_sentences: number of sentences of each corpus of these rows.

    """
    places = _places(inputs.filter(condition))
    found: StatisticsOfSets = {}
    for name in sorted(signatures):
        of_family = summed_statistics(inputs, cached, {name: signatures[name]}, condition)
        for family, of_sets in of_family.items():
            found[family] = {
                key: _in_place(compact(array), places[key], n_sentences[key[0]])
                for key, array in of_sets.items()
            }
    give_back()
    return found


def _places(inputs: Any) -> dict[tuple[str, ...], list[int]]:
    """Return the sentences of each corpus and reference set, in order."""
    sets = "corpus, reference_set"
    rows = inputs.aggregate(f"{sets}, list(distinct sentence_id order by sentence_id)", sets)
    return {(corpus, name): sentences for corpus, name, sentences in rows.fetchall()}


def _in_place(statistics: NDArray[Any], places: list[int], n_sentences: int) -> NDArray[Any]:
    """Return statistics of all sentences of a corpus, from those of some."""
    if len(places) == n_sentences:
        return statistics
    n_systems, _, *shape = statistics.shape
    placed = np.zeros((n_systems, n_sentences, *shape), statistics.dtype)
    placed[:, places] = statistics
    return placed


def system_sets(judged_systems: Any) -> SystemSets:
    """Return the systems of every selection in the relation, which may be filtered."""
    found: SystemSets = defaultdict(lambda: defaultdict(list))
    rows = judged_systems.order("corpus, judgment_set, system_set, system").select(
        "corpus, judgment_set, system_set, system"
    )
    for corpus, judgment_set, system_set, system in rows.fetchall():
        found[corpus, judgment_set][system_set].append(system)
    return found


def human_scores(samples: Any, judged_systems: Any) -> dict[tuple[str, str], list[HumanScores]]:
    """Return the human scores of all systems with an output, by corpus and judgment set.

    Systems of a selection have the scores from the comparison of all systems, as in published
    correlations.

    Args:
        samples: the relation human_score_samples.
        judged_systems: the relation of that name.

    """
    among_all = samples.filter("system_set = 'all'").select(
        "corpus, judgment_set, system, method, score, samples, halves"
    )
    columns = "corpus, judgment_set, system_set, method, system, score, samples, halves"
    rows = (
        judged_systems.filter("has_output")
        .join(among_all, "corpus, judgment_set, system")
        .order("corpus, judgment_set, system_set, method, system")
        .select(columns)
    )
    grouped: dict[tuple[str, str, str, str], list[tuple[Any, ...]]] = defaultdict(list)
    for *key, system, score, of_system, of_halves in rows.fetchall():
        grouped[key[0], key[1], key[2], key[3]].append((system, score, of_system, of_halves))
    found: dict[tuple[str, str], list[HumanScores]] = {}
    for (corpus, judgment_set, system_set, method), of_choice in grouped.items():
        systems, scores, drawn, halves = zip(*of_choice, strict=True)
        found.setdefault((corpus, judgment_set), []).append(
            HumanScores(
                system_set,
                method,
                list(systems),
                np.array(scores),
                # NULL becomes NaN.
                np.array(drawn, dtype=np.float64).T,
                np.array(halves, dtype=np.float64).T.reshape(2, -1, len(systems)),
            )
        )
    return found


def scored_sets(scores: Any, n_sentences: Mapping[str, int]) -> dict[str, list[ScoredSet]]:
    """Return the sentence scores of system outputs, by corpus.

    Args:
        scores: relation with columns corpus, reference_set, metric, system, sentence_id, score.
        n_sentences: number of sentences of each requested corpus.

    """
    found: dict[str, list[ScoredSet]] = defaultdict(list)
    keys = "corpus, reference_set, metric, system"
    # One row per system: four names next to every score take more memory than the rest.
    scored = "list(struct_pack(sentence_id, score)) as scored"
    table: pa.Table = (
        scores.filter(f"corpus in {sql_list(n_sentences)}")
        .aggregate(f"{keys}, {scored}", keys)
        .order(keys)
        .to_arrow_table()
    )
    for (corpus, reference_set, metric), rows in key_groups(table, 3):
        systems = rows["system"].to_pylist()
        lists = rows["scored"].combine_chunks()
        system = np.repeat(np.arange(len(systems)), lists.value_lengths().to_numpy())
        values = lists.flatten()
        matrix = np.full((len(systems), n_sentences[corpus]), np.nan)
        sentence = values.field("sentence_id").to_numpy()
        matrix[system, sentence] = values.field("score").to_numpy(zero_copy_only=False)
        found[corpus].append(ScoredSet(reference_set, metric, systems, matrix))
    return found
