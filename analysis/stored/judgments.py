"""Judged outputs, edits and rankings, with the metrics' scores of them, from the build file."""

import hashlib
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from operator import itemgetter
from types import SimpleNamespace
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from maege.analysis.code import code_behind_module
from maege.analysis.rankings.human_scores import human_score_rows
from maege.analysis.rankings.judged import HumanScores, Judged, ScoredSet, SystemSets, compact
from maege.analysis.statistics.resampling import cluster_weights
from maege.analysis.stored.rows import key_groups, rows_to_table, sql_list, table_schema
from maege.analysis.stored.statistics import selected_signatures, summed_statistics
from maege.analysis.system_scores import StatisticsOfSets
from maege.analysis.workers.pool import give_back


def judged_sets(pairs: Any) -> list[Judged]:
    columns = "corpus, judgment_set, sentence_id, system_a, system_b, preference, is_same_output"
    window = "over (partition by corpus, judgment_set order by"
    outputs = "member, judge, item, least(cell_a, cell_b), greatest(cell_a, cell_b)"
    table = (
        pairs.select(
            f"{columns}, dense_rank() {window} member, judge) - 1 as judge, "
            f"dense_rank() {window} {outputs}) - 1 as output_pair"
        )
        .order(f"{columns}, judge, output_pair")
        .to_arrow_table()
    )
    sets = []
    for (corpus, judgment_set), rows in key_groups(table, 2):
        names = [rows[name].to_pylist() for name in ("system_a", "system_b")]
        systems, places = np.unique(names[0] + names[1], return_inverse=True)
        first, second = np.split(places.astype(np.int64), 2)
        sets.append(
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
    return sets


def judged_corpora(judgments: Sequence[Judged], corpora: Any) -> dict[str, int]:
    names = {judgment_set.corpus for judgment_set in judgments}
    rows = corpora.filter(f"corpus in {sql_list(sorted(names))}").select("corpus, n_sentences")
    return dict(rows.fetchall())


def judged_statistics(
    inputs: Any, cached: Any, registry: Any, n_sentences: Mapping[str, int]
) -> StatisticsOfSets:
    """Return the statistics behind corpus scores of judged systems, in the smallest exact types.

    A sentence is at its position in the corpus; one that a reference set lacks has zeros.
    """
    judged = inputs.filter(f"corpus in {sql_list(n_sentences)}")
    sets = "corpus, reference_set"
    rows = judged.aggregate(f"{sets}, list(distinct sentence_id order by sentence_id)", sets)
    places: dict[tuple[str, ...], list[int]] = {tuple(key): ids for *key, ids in rows.fetchall()}
    statistics: StatisticsOfSets = {}
    # Family by family, because all statistics together need much memory.
    for name, key in sorted(selected_signatures(registry).items()):
        for family, by_set in summed_statistics(judged, cached, {name: key}).items():
            statistics[family] = {
                names: _all_sentences(compact(array), places[names], n_sentences[names[0]])
                for names, array in by_set.items()
            }
    give_back()
    return statistics


def _all_sentences(statistics: NDArray[Any], places: list[int], n_sentences: int) -> NDArray[Any]:
    if len(places) == n_sentences:
        return statistics
    n_systems, _, *shape = statistics.shape
    placed = np.zeros((n_systems, n_sentences, *shape), statistics.dtype)
    placed[:, places] = statistics
    return placed


def system_sets(judged_systems: Any) -> SystemSets:
    sets: SystemSets = defaultdict(lambda: defaultdict(list))
    rows = judged_systems.order("corpus, judgment_set, system_set, system").select(
        "corpus, judgment_set, system_set, system"
    )
    for corpus, judgment_set, system_set, system in rows.fetchall():
        sets[corpus, judgment_set][system_set].append(system)
    return sets


def human_scores(samples: Any, judged_systems: Any) -> dict[tuple[str, str], list[HumanScores]]:
    """Return the human scores of all systems with an output, by corpus and judgment set.

    Systems of a selection have the scores from the comparison of all systems, as in published
    correlations.
    """
    all_systems_scores = samples.filter("system_set = 'all'").select(
        "corpus, judgment_set, system, method, score, samples, halves"
    )
    rows = (
        judged_systems.filter("has_output")
        .join(all_systems_scores, "corpus, judgment_set, system")
        .order("corpus, judgment_set, system_set, method, system")
        .select("corpus, judgment_set, system_set, method, system, score, samples, halves")
        .fetchall()
    )
    scores_by_set: dict[tuple[str, str], list[HumanScores]] = defaultdict(list)
    for (*key, system_set, method), selection in groupby(rows, key=itemgetter(0, 1, 2, 3)):
        _, _, _, _, systems, scores, columns_of_samples, halves = zip(*selection, strict=True)
        scores_by_set[key[0], key[1]].append(
            HumanScores(
                system_set,
                method,
                list(systems),
                np.array(scores),
                # NULL becomes NaN.
                np.array(columns_of_samples, dtype=np.float64).T,
                np.array(halves, dtype=np.float64).T.reshape(2, -1, len(systems)),
            )
        )
    return scores_by_set


def scored_sets(scores: Any, n_sentences: Mapping[str, int]) -> dict[str, list[ScoredSet]]:
    sets: dict[str, list[ScoredSet]] = defaultdict(list)
    keys = "corpus, reference_set, metric, system"
    # One row per system: four names next to every score take more memory than the rest.
    sentence_scores = "list(struct_pack(sentence_id, score)) as scored"
    table: pa.Table = (
        scores.filter(f"corpus in {sql_list(n_sentences)}")
        .aggregate(f"{keys}, {sentence_scores}", keys)
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
        sets[corpus].append(ScoredSet(reference_set, metric, systems, matrix))
    return sets


# --- Human scores of systems, cached by the content of a judgment set ---

METHODS = 2
# `judgments_key` is the key of the judgments, the selections of systems, the settings and the code.
# `samples` are the same bootstrap resamples as for metrics; `halves` the scores by half of the
# judges: the first halves of all splits, then the second halves. Published ranks are over resamples
# of single judgments for Expected Wins, over runs of TrueSkill.
SCHEMA = table_schema(
    "judgments_key varchar, corpus varchar, judgment_set varchar, system_set varchar, "
    "method varchar, system varchar, score double, ci_low double, ci_high double, rank integer, "
    "rank_low integer, rank_high integer, cluster integer, published_rank_low integer, "
    "published_rank_high integer, n_judgments integer, n_empty_pairs integer, samples double[], "
    "halves double[], n_sentences integer, n_resamples integer, too_few varchar"
)


class Settings(NamedTuple):
    """Number of bootstrap resamples, confidence level, runs of TrueSkill, and the seed."""

    samples: int
    level: float
    runs: int
    seed: int


@dataclass(frozen=True)
class JudgedScores:
    judgments: Judged
    choices: Mapping[str, Sequence[str]]
    n_sentences: int
    settings: Settings

    @property
    def key(self) -> str:
        digest = hashlib.sha256(code_behind_module(human_score_rows.__module__).encode())
        inputs = (self.settings, self.n_sentences, sorted(self.choices.items()))
        digest.update(repr(inputs).encode())
        for part in self.judgments:
            text = part if isinstance(part, str | list) else (part.dtype.str, part.tobytes())
            digest.update(repr(text).encode())
        return digest.hexdigest()

    @property
    def n_rows(self) -> int:
        selections = [self.judgments.among(systems) for systems in self.choices.values()]
        return METHODS * sum(
            len(selection.systems) for selection in selections if selection.sentence.size
        )

    def rows(self) -> pa.Table:
        samples, level, runs, seed = self.settings
        weights = cluster_weights(self.n_sentences, samples, seed)
        rows = human_score_rows(self.judgments, self.choices, weights, level, runs, seed)
        return rows_to_table(({"judgments_key": self.key} | row for row in rows), SCHEMA)


def judged_scores(
    pairs: Any, judged_systems: Any, corpora: Any, settings: SimpleNamespace
) -> Iterator[JudgedScores]:
    """Yield the judgment sets that have judgments; `settings` has the variables of the model."""
    chosen = Settings(
        settings.bootstrap_samples,
        settings.confidence_level,
        settings.trueskill_runs,
        settings.seed,
    )
    n_sentences = dict(corpora.select("corpus, n_sentences").fetchall())
    systems_by_set = system_sets(judged_systems)
    for judgments in judged_sets(pairs):
        choices = systems_by_set[judgments.corpus, judgments.judgment_set]
        judged_set = JudgedScores(judgments, choices, n_sentences[judgments.corpus], chosen)
        if judged_set.n_rows:
            yield judged_set


# --- Judged edits for models: by task, and by the corpus of their sentences ---

Task = tuple[str, str]


class JudgedEdit(NamedTuple):
    """A placed edit with the values of its verdicts; `is_gold` if its text is a reference."""

    item: str
    source_id: int
    edited_id: int
    is_gold: bool
    values: list[float]


def judged_edits(relation: Any) -> dict[Task, list[JudgedEdit]]:
    edits_by_task: dict[Task, dict[tuple[str, int], JudgedEdit]] = defaultdict(dict)
    for name, task, item, edit, source_id, edited_id, is_gold, value in (
        relation.filter("source_output_id is not null and output_id is not null")
        .order("judgment_set, task, item, edit, line, slot")
        .select(
            "judgment_set, task, item, edit, source_output_id, output_id, "
            "provenance = 'taken_from_gold', value"
        )
        .fetchall()
    ):
        judged_edit = JudgedEdit(item, source_id, edited_id, is_gold, [])
        edits_by_task[name, task].setdefault((item, edit), judged_edit).values.append(value)
    return {key: list(task_edits.values()) for key, task_edits in edits_by_task.items()}


def linked_items(relation: Any) -> dict[str, dict[str, set[str]]]:
    """Return the items of each set by the corpus that contains their sentences."""
    linked: dict[str, dict[str, set[str]]] = defaultdict(lambda: defaultdict(set))
    for name, corpus, item in relation.select("judgment_set, corpus, item").fetchall():
        linked[name][corpus].add(item)
    return linked


def parts(
    edits: list[JudgedEdit], linked: dict[str, set[str]]
) -> Iterator[tuple[str | None, str, list[JudgedEdit]]]:
    """Yield the edits of each corpus and of no corpus, both all and those that are not gold."""
    in_a_corpus = {item for items in linked.values() for item in items}
    edits_by_corpus: dict[str | None, list[JudgedEdit]] = {
        corpus: [edit for edit in edits if edit.item in items]
        for corpus, items in sorted(linked.items())
    }
    edits_by_corpus[None] = [edit for edit in edits if edit.item not in in_a_corpus]
    for corpus, part in edits_by_corpus.items():
        non_gold = [edit for edit in part if not edit.is_gold]
        if part:
            yield corpus, "all", part
        if non_gold and len(non_gold) < len(part):
            yield corpus, "without_gold", non_gold


# --- Scores of judged outputs, and their references, for models ---

Key = tuple[str | None, str | None, str]
Output = tuple[str, int]


def scores_of_outputs(relation: Any) -> dict[str, dict[Key, dict[Output, float]]]:
    """Return scores by set, by corpus, reference set and metric, and by item and output."""
    scores: dict[str, dict[Key, dict[Output, float]]] = defaultdict(dict)
    for name, item, output_id, corpus, reference_set, metric, score in relation.order(
        "judgment_set, corpus nulls first, reference_set, metric, item, output_id"
    ).fetchall():
        scores[name].setdefault((corpus, reference_set, metric), {})[item, output_id] = score
    return scores


def references_of_items(
    links: Any, listed: Any
) -> dict[str, dict[tuple[str, str], dict[str, list[str]]]]:
    """Return the references of linked items, by set, by corpus and reference set, and by item."""
    joined = links.set_alias("links").join(
        listed.set_alias("listed"),
        "links.corpus = listed.corpus and links.sentence_id = listed.sentence_id",
    )
    references: dict[str, dict[tuple[str, str], dict[str, list[str]]]] = defaultdict(dict)
    for name, linked, reference_set, item, _, text in (
        joined.select("judgment_set, listed.corpus as linked, reference_set, item, position, text")
        .order("judgment_set, linked, reference_set, item, position")
        .fetchall()
    ):
        by_item = references[name].setdefault((linked, reference_set), {})
        by_item.setdefault(item, []).append(text)
    return references
