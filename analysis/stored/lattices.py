"""Pairs of lattice nodes by source sentence: counts, means and tests."""

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence, Set
from functools import cache
from itertools import compress, groupby
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa
import scipy
from numpy.typing import NDArray

from maege.analysis.edits import Edit
from maege.analysis.lattices import STRATA, SentenceSums, counts_of_size, stratum, sums_by_sentence
from maege.analysis.metrics.own.declared import CHANCE
from maege.analysis.sample_weights import SampleWeights
from maege.analysis.statistics.judgments import ranking
from maege.analysis.statistics.lattice_correlations import tau_samples
from maege.analysis.statistics.pair_agreement import is_tied
from maege.analysis.statistics.randomisation import sign_tests
from maege.analysis.statistics.resampling import (
    Floats,
    cluster_weights,
    estimated_share,
    expanded_level,
    n_effective,
    percentile_intervals,
    ratio_intervals,
    too_few,
    with_width,
)
from maege.analysis.statistics.significance import q_values
from maege.analysis.stored.rows import stored_groups


def counts_by_sentence(
    relation: Any, keys: Sequence[str] = ("corpus", "experiment")
) -> Iterator[tuple[tuple[str, ...], list[str], NDArray[np.float64]]]:
    """Yield the values of the keys, the metrics, and counts of shape (3, sentences, metrics).

    The counts are those of concordant, discordant and tied pairs, 0 for a sentence that a metric
    has not scored.
    """
    names = ("n_concordant", "n_discordant", "n_tied")
    columns = (f"metric, sentence_id, {', '.join(names)}", "metric, sentence_id")
    for key, rows in stored_groups(relation, keys, *columns):
        metrics, metric = np.unique(rows["metric"].to_numpy(), return_inverse=True)
        sentences, sentence = np.unique(rows["sentence_id"].to_numpy(), return_inverse=True)
        by_outcome = np.zeros((len(names), len(sentences), len(metrics)))
        for counts, name in zip(by_outcome, names, strict=True):
            counts[sentence, metric] = rows[name].to_numpy()
        yield key, metrics.tolist(), by_outcome


# --- How metrics order pairs of texts: tests against chance, intervals and ranks ---
#
# The test against chance and the interval of the headline estimate come from random signs of source
# sentences, so that they agree; other intervals and ranks come from a bootstrap over them.

RANKS = ("rank", "rank_low", "rank_high")
# The coefficients of `lattice_taus` after kendall_tau_a.
BOOTSTRAPPED = ("gamma", "tau_b", "macro")

Key = tuple[str, ...]
Row = dict[str, Any]


def order_tests(
    counts: Any,
    ranked: Set[Key],
    n_samples: int,
    n_signs: int,
    level: float,
    seed: int,
) -> Iterator[tuple[Key, Row]]:
    """Yield the key (corpus, question, experiment, metric, stratum) and estimates of every metric.

    Metrics made by chance are not tested. The interval is that of kendall_tau_a if the question is
    `all_pairs`, else that of pairwise_accuracy, Wilson's if that is 0 or 1.
    """
    family = ("corpus", "question", "experiment", "stratum")
    for (*key, group), metrics, by_outcome in counts_by_sentence(counts, family):
        keys = [(*key, metric, group) for metric in metrics]
        concordant, discordant, _ = by_outcome
        pairs = by_outcome.sum(axis=0)
        tests = sign_tests(concordant - discordant, pairs, level, n_signs, seed)
        n_sentences = np.count_nonzero(pairs, axis=0)
        lacking = [
            too_few(sentences=int(n), pairs=int(n_pairs))
            for n, n_pairs in zip(n_sentences, pairs.sum(axis=0), strict=True)
        ]
        tested = [
            missing is None and not metric.startswith(CHANCE)
            for missing, metric in zip(lacking, metrics, strict=True)
        ]
        p_values = np.where(tested, tests.p_value, np.nan)
        rows: list[Row] = [
            {"too_few": missing, "p_value": p, "q_value": q, "n_resamples": n_signs}
            for missing, p, q in zip(lacking, p_values, q_values(p_values), strict=True)
        ]
        if key[1] == "all_pairs":
            bounds: list[Any] = list(zip(tests.low, tests.high, strict=True))
            weights = cluster_weights(len(pairs), n_samples, seed)
            _add_bootstrap(rows, by_outcome, weights, level)
            is_ranked = np.array([key in ranked for key in keys])
            _add_ranks(rows, by_outcome, is_ranked, weights, level)
        else:
            bounds = [((1 + low) / 2, (1 + high) / 2) for low, high in zip(*tests[:2], strict=True)]
            accuracy = (1 + (concordant - discordant).sum(axis=0) / pairs.sum(axis=0)) / 2
            for column in np.flatnonzero((accuracy == 0) | (accuracy == 1)):
                n = int(n_sentences[column])
                _, *bounds[column] = estimated_share(accuracy[column] * n, n, level)
        for metric_key, row, (low, high) in zip(keys, rows, bounds, strict=True):
            if row["too_few"] is None:
                row["ci_low"], row["ci_high"] = with_width(float(low), float(high))
            yield metric_key, row


def _add_bootstrap(
    rows: list[Row], by_outcome: Floats, weights: SampleWeights, level: float
) -> None:
    pairs = by_outcome.sum(axis=0)
    samples = tau_samples(by_outcome, weights)[1:]
    for column, row in enumerate(rows):
        if row["too_few"] is not None:
            continue
        for name, metric_samples in zip(BOOTSTRAPPED, samples[:, :, column], strict=True):
            sizes = pairs[:, column]
            # Every sentence has the same weight in the macro average.
            n = float(np.count_nonzero(sizes)) if name == "macro" else n_effective(sizes)
            bounds = percentile_intervals(metric_samples[:, None], expanded_level(level, n))
            low, high = (float(bound[0]) for bound in bounds)
            row[f"{name}_ci_low"], row[f"{name}_ci_high"] = with_width(low, high)


def _add_ranks(
    rows: list[Row], by_outcome: Floats, is_ranked: Any, weights: SampleWeights, level: float
) -> None:
    """Add ranks, based on the sentences whose pairs all ranked metrics have scored."""
    comparable = by_outcome.sum(axis=0).max(axis=1)
    ranked = by_outcome[:, :, is_ranked]
    is_common = (ranked.sum(axis=0) == comparable[:, np.newaxis]).all(axis=1)
    n_common_pairs = int(comparable[is_common].sum())
    if not is_ranked.any() or too_few(sentences=int(is_common.sum()), pairs=n_common_pairs):
        return
    common = np.where(is_common[:, np.newaxis], ranked, 0.0)
    estimates = tau_samples(common, np.ones((1, len(is_common))))[0, 0]
    ranks = ranking(tau_samples(common, weights)[0], estimates, level)
    for place, column in enumerate(np.flatnonzero(is_ranked)):
        rows[column] |= {"n_ranked": ranked.shape[2], "n_common_pairs": n_common_pairs}
        rows[column] |= {name: int(getattr(ranks, name)[place]) for name in RANKS}


# --- Means over source sentences with intervals and tests, many means in the same resamples ---


class SentenceMean(NamedTuple):
    """A mean, percentile bounds over source sentences and the two-sided p-value of a mean of 0.

    The test is Student's t of the sums of sentences. Bounds and p-value are NaN if `too_few` is
    set; the bounds also if they are equal.
    """

    key: tuple[str, ...]
    too_few: str | None
    n_sentences: int
    mean: float
    low: float
    high: float
    p_value: float


def sentence_means(
    relation: Any, keys: Sequence[str], samples: int, level: float, seed: int
) -> Iterator[SentenceMean]:
    """Yield the mean of every combination of corpus and keys, which are columns of strings.

    `relation` has the columns corpus, sentence_id, the keys, n_values and total (their sum). All
    means of a corpus use the same resamples of its sentences.
    """
    *outer, last = keys
    columns = (f"{last}, sentence_id, n_values, total", f"{last}, sentence_id")
    listed = "corpus, list(distinct sentence_id order by sentence_id)"
    sentence_ids = dict(relation.aggregate(listed, "corpus").fetchall())
    groups = stored_groups(relation, ("corpus", *outer), *columns)
    for corpus, corpus_groups in groupby(groups, key=lambda group: group[0][0]):
        corpus_ids = np.array(sentence_ids[corpus])
        weights = cluster_weights(len(corpus_ids), samples, seed)
        for key, rows in corpus_groups:
            values, column = np.unique(rows[last].to_numpy(), return_inverse=True)
            sentence = np.searchsorted(corpus_ids, rows["sentence_id"].to_numpy())
            sums = np.zeros((len(corpus_ids), len(values)))
            counts = np.zeros_like(sums)
            sums[sentence, column] = rows["total"].to_numpy()
            counts[sentence, column] = rows["n_values"].to_numpy()
            bounds = ratio_intervals(sums, counts, weights, level)
            means = zip(values, sums.T, counts.T, *bounds, strict=True)
            for value, total, n_values, *interval in means:
                has_value = n_values > 0
                yield _mean((*key, value), total[has_value], n_values[has_value], *interval)


def _mean(key: tuple[str, ...], sums: Any, counts: Any, low: float, high: float) -> SentenceMean:
    mean = float(sums.sum() / counts.sum())
    n, deviation = len(sums), float(sums.std())
    if missing := too_few(sentences=n, pairs=int(counts.sum())):
        return SentenceMean(key, missing, n, mean, np.nan, np.nan, np.nan)
    t = float(sums.mean()) / deviation * (n - 1) ** 0.5 if deviation else np.nan
    p_value = float(2 * scipy.special.stdtr(n - 1, -abs(t)))
    return SentenceMean(key, None, n, mean, *with_width(low, high), p_value)


# --- The lattices that compare corpora, and each metric's scores of them, as arrays ---

CorpusMode = tuple[str, str]
Places = NDArray[np.int64]


class ShownLattice(NamedTuple):
    """`is_identical`: a reference has exactly the same edits. `is_first`: all metrics score it."""

    sentence_id: int
    strata: tuple[int, ...]
    is_identical: bool
    is_first: bool


def shown_lattices(
    compared: Any, references: Any, edits: Any
) -> dict[CorpusMode, dict[int, ShownLattice]]:
    """Return lattices by corpus and mode, then by annotation (no strata without gold edits)."""
    by_annotator: dict[tuple[str, int, str], list[Edit]] = defaultdict(list)
    for corpus, sentence, annotator, start, end, correction in (
        edits.order("edit_index")
        .select("corpus, sentence_id, annotator, start_token, end_token, correction")
        .fetchall()
    ):
        by_annotator[corpus, sentence, annotator].append(Edit(start, end, "", (correction,)))
    annotator_by_annotation = dict(compared.select("annotation_id, annotator").fetchall())
    lattices: dict[CorpusMode, dict[int, ShownLattice]] = defaultdict(dict)
    for corpus, mode, sentence, annotation, annotators, is_first, has_own_text in references.select(
        "corpus, references_mode, sentence_id, annotation_id, annotators, has_edit_metrics, "
        "has_own_text"
    ).fetchall():
        mine = by_annotator[corpus, sentence, annotator_by_annotation[annotation]]
        theirs = [by_annotator[corpus, sentence, name] for name in annotators or ()]
        strata = tuple(
            STRATA.index(stratum(edit, theirs)) if annotators else len(STRATA) for edit in mine
        )
        is_identical = has_own_text or any(set(mine) == set(others) for others in theirs)
        lattices[corpus, mode][annotation] = ShownLattice(sentence, strata, is_identical, is_first)
    return lattices


class MetricSums(NamedTuple):
    """`lattices` are those whose nodes all have a score, of `n_asked` requested ones."""

    corpus: str
    references_mode: str
    metric: str
    lattices: list[ShownLattice]
    n_asked: int
    sums: SentenceSums


class _Layout:
    """Scores of the nodes of all lattices in one array, grouped by number of edits."""

    def __init__(self, lattices: Mapping[int, ShownLattice]) -> None:
        ids = sorted(lattices, key=lambda name: (len(lattices[name].strata), name))
        self.lattices = [lattices[name] for name in ids]
        self._sorter = np.argsort(np.array(ids, np.int64))
        self._ids = np.array(ids, np.int64)[self._sorter]
        self._sizes = np.array([len(lattice.strata) for lattice in self.lattices], np.int64)
        self._starts = np.concatenate([[0], np.cumsum(1 << self._sizes)])
        # One row per lattice, to look up the valid nodes of corrupted edits.
        widest = int(self._sizes.max())
        self._strata = np.full((len(ids), widest), len(STRATA), np.int64)
        for row, lattice in zip(self._strata, self.lattices, strict=True):
            row[: len(lattice.strata)] = lattice.strata

    def sums(self, rows: pa.Table) -> tuple[list[ShownLattice], SentenceSums]:
        annotation, mask, edit, score = (
            rows[name].to_numpy() for name in ("annotation_id", "mask", "corrupted_edit", "score")
        )
        position_of_row = np.searchsorted(self._ids, annotation).clip(max=len(self._ids) - 1)
        is_asked = self._ids[position_of_row] == annotation
        lattice, mask, edit, score = (
            values[is_asked] for values in (self._sorter[position_of_row], mask, edit, score)
        )
        is_valid = edit < 0
        scores = np.full(self._starts[-1], np.nan)
        node = self._starts[lattice] + mask
        scores[node[is_valid]] = score[is_valid]
        corrupted = self._corrupted(
            lattice[~is_valid], edit[~is_valid], scores[node[~is_valid]], score[~is_valid]
        )
        parts = [self._size_counts(size, scores) for size in np.unique(self._sizes).tolist()]
        is_kept_lattice, chains, steps = (
            np.concatenate(values, axis=-1) for values in zip(*parts, strict=True)
        )
        complete = list(compress(self.lattices, is_kept_lattice))
        sentences = [values.sentence_id for values in complete]
        names, place = np.unique(np.array(sentences, np.int64), return_inverse=True)
        kept_counts = (counts[..., is_kept_lattice] for counts in (chains, steps, corrupted))
        return complete, sums_by_sentence(place, len(names), *kept_counts)

    def _size_counts(self, size: int, scores: Floats) -> tuple[NDArray[np.bool_], Floats, Floats]:
        is_size = self._sizes == size
        first = int(np.flatnonzero(is_size)[0])
        n_lattices = int(is_size.sum())
        size_scores = scores[self._starts[first] :][: n_lattices << size].reshape(n_lattices, -1)
        strata = self._strata[is_size][:, :size]
        counts = counts_of_size(size_scores, strata)
        # A sum over NaN is NaN.
        is_scored = np.isfinite(size_scores.sum(axis=1))
        return is_scored, counts.expected_chain, counts.expected_steps

    def _corrupted(self, lattice: Places, edit: Places, valid: Floats, score: Floats) -> Floats:
        tied = is_tied(valid, score)
        outcome = np.where(tied, 2, np.where(valid > score, 0, 1))
        counts = np.zeros((3, len(STRATA) + 1, len(self.lattices)))
        np.add.at(counts, (outcome, self._strata[lattice, edit], lattice), 1.0)
        return counts


def metric_sums(
    scores: Any,
    lattices: Mapping[CorpusMode, Mapping[int, ShownLattice]],
    first_alone: Collection[str],
) -> Iterator[MetricSums]:
    """Yield each metric's counts; larger `scores` are better.

    `corrupted_edit` is -1 for a valid node. `first_alone` are metrics that score only lattices with
    `is_first`.
    """

    @cache
    def layout(key: CorpusMode, is_few: bool) -> _Layout | None:
        shown = {
            name: lattice
            for name, lattice in lattices[key].items()
            if lattice.is_first or not is_few
        }
        return _Layout(shown) if shown else None

    groups = stored_groups(
        scores,
        ("corpus", "references_mode", "metric"),
        "annotation_id, mask, corrupted_edit, score",
        "annotation_id, corrupted_edit, mask",
    )
    for (corpus, mode, metric), rows in groups:
        corpus_layout = layout((corpus, mode), metric in first_alone)
        if corpus_layout is not None:
            complete, sums = corpus_layout.sums(rows)
            yield MetricSums(corpus, mode, metric, complete, len(corpus_layout.lattices), sums)
