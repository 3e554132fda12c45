"""The lattices that compare corpora, and each metric's scores of them, as arrays."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from maege.analysis.edits import Edit
from maege.analysis.lattices.agreement import counts_of_size
from maege.analysis.lattices.comparison import SentenceSums, sums_by_sentence
from maege.analysis.lattices.strata import STRATA, stratum
from maege.analysis.statistics.pair_agreement import is_tied
from maege.analysis.statistics.resampling import Floats
from maege.analysis.stored.rows import stored_groups

Key = tuple[str, str]
Places = NDArray[np.int64]
Bools = NDArray[np.bool_]


class ShownLattice(NamedTuple):
    """A lattice and the stratum of each of its edits, from the edits of the references.

    `is_identical`: a reference has exactly the same edits. `is_first`: all metrics score it.
    """

    sentence_id: int
    strata: tuple[int, ...]
    is_identical: bool
    is_first: bool


def shown_lattices(
    compared: Any, references: Any, edits: Any
) -> dict[Key, dict[int, ShownLattice]]:
    """Return the lattices by corpus and mode of references, and then by annotation.

    References that are only texts have no edits, and their steps have no stratum.

    Args:
        compared: the model `compared_lattices`.
        references: the model `compared_references`.
        edits: annotators' edits, with corpus, sentence_id, annotator, edit_index, start_token,
            end_token and correction.

    """
    by_annotator: dict[tuple[str, int, str], list[Edit]] = defaultdict(list)
    for corpus, sentence, annotator, start, end, correction in (
        edits.order("edit_index")
        .select("corpus, sentence_id, annotator, start_token, end_token, correction")
        .fetchall()
    ):
        by_annotator[corpus, sentence, annotator].append(Edit(start, end, "", (correction,)))
    own = {row[0]: row[1] for row in compared.select("annotation_id, annotator").fetchall()}
    found: dict[Key, dict[int, ShownLattice]] = defaultdict(dict)
    for corpus, mode, sentence, annotation, annotators, whole, has_own_text in references.select(
        "corpus, references_mode, sentence_id, annotation_id, annotators, has_edit_metrics, "
        "has_own_text"
    ).fetchall():
        mine = by_annotator[corpus, sentence, own[annotation]]
        theirs = [by_annotator[corpus, sentence, name] for name in annotators or ()]
        strata = tuple(
            STRATA.index(stratum(edit, theirs)) if annotators else len(STRATA) for edit in mine
        )
        is_identical = has_own_text or any(set(mine) == set(each) for each in theirs)
        found[corpus, mode][annotation] = ShownLattice(sentence, strata, is_identical, whole)
    return found


class MetricSums(NamedTuple):
    """A metric's counts on a corpus with one mode of references, by sentence.

    `lattices` are those whose nodes all have a score, `n_asked` is the number of requested
    lattices.
    """

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
        self._sizes = np.array([len(each.strata) for each in self.lattices], np.int64)
        self._starts = np.concatenate([[0], np.cumsum(1 << self._sizes)])
        # One row per lattice, to look up the valid nodes of corrupted edits.
        widest = int(self._sizes.max())
        self._strata = np.full((len(ids), widest), len(STRATA), np.int64)
        for row, each in zip(self._strata, self.lattices, strict=True):
            row[: len(each.strata)] = each.strata

    def counted(self, rows: pa.Table) -> tuple[list[ShownLattice], SentenceSums]:
        """Return the lattices whose nodes all have a score, and the counts of their sentences."""
        annotation, mask, edit, score = (
            rows[name].to_numpy() for name in ("annotation_id", "mask", "corrupted_edit", "score")
        )
        found = np.searchsorted(self._ids, annotation).clip(max=len(self._ids) - 1)
        is_asked = self._ids[found] == annotation
        lattice, mask, edit, score = (
            each[is_asked] for each in (self._sorter[found], mask, edit, score)
        )
        is_valid = edit < 0
        scores = np.full(self._starts[-1], np.nan)
        node = self._starts[lattice] + mask
        scores[node[is_valid]] = score[is_valid]
        corrupted = self._corrupted(
            lattice[~is_valid], edit[~is_valid], scores[node[~is_valid]], score[~is_valid]
        )
        parts = [self._of_size(size, scores) for size in np.unique(self._sizes).tolist()]
        kept, chains, steps = (np.concatenate(each, axis=-1) for each in zip(*parts, strict=True))
        whole = [each for each, is_kept in zip(self.lattices, kept, strict=True) if is_kept]
        sentences = [each.sentence_id for each in whole]
        names, place = np.unique(np.array(sentences, np.int64), return_inverse=True)
        of_kept = (chains[:, kept], steps[..., kept], corrupted[..., kept])
        return whole, sums_by_sentence(place, len(names), *of_kept)

    def _of_size(self, size: int, scores: Floats) -> tuple[Bools, Floats, Floats]:
        """Return which lattices of this size are scored, and the counts of all."""
        is_size = self._sizes == size
        first = int(np.flatnonzero(is_size)[0])
        n_lattices = int(is_size.sum())
        of_size = scores[self._starts[first] :][: n_lattices << size].reshape(n_lattices, -1)
        strata = self._strata[is_size][:, :size]
        counts = counts_of_size(of_size, strata)
        # A sum over NaN is NaN.
        is_scored = np.isfinite(of_size.sum(axis=1))
        return is_scored, counts.expected_chain, counts.expected_steps

    def _corrupted(self, lattice: Places, edit: Places, valid: Floats, score: Floats) -> Floats:
        """Return the outcomes of valid edits against corrupted ones by stratum and lattice."""
        tied = is_tied(valid, score)
        outcome = np.where(tied, 2, np.where(valid > score, 0, 1))
        counts = np.zeros((3, len(STRATA) + 1, len(self.lattices)))
        np.add.at(counts, (outcome, self._strata[lattice, edit], lattice), 1.0)
        return counts


def metric_sums(
    scores: Any, lattices: Mapping[Key, Mapping[int, ShownLattice]], first_alone: Iterable[str]
) -> Iterator[MetricSums]:
    """Yield each metric's counts on each corpus and mode of references.

    Args:
        scores: of nodes, with corpus, references_mode, metric, annotation_id, mask, corrupted_edit
            (-1 if none is) and score, larger is better.
        lattices: result of `shown_lattices`.
        first_alone: metrics that score only the first sentences.

    """
    few = set(first_alone)

    @cache
    def layout(key: Key, is_few: bool) -> _Layout | None:
        asked = {name: each for name, each in lattices[key].items() if each.is_first or not is_few}
        return _Layout(asked) if asked else None

    groups = stored_groups(
        scores,
        ("corpus", "references_mode", "metric"),
        "annotation_id, mask, corrupted_edit, score",
        "annotation_id, corrupted_edit, mask",
    )
    for (corpus, mode, metric), rows in groups:
        found = layout((corpus, mode), metric in few)
        if found is not None:
            whole, sums = found.counted(rows)
            yield MetricSums(corpus, mode, metric, whole, len(found.lattices), sums)
