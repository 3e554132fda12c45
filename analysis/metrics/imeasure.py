"""The I-measure: how much a hypothesis improves on its source, token by token.

Felice and Briscoe 2015, "Towards a standard evaluation method for grammatical error detection and
correction". Tokens of source, hypothesis and reference are aligned and counted (TP, TN, FP, FN, and
FPN if all three differ, which is both FP and FN):

    WAcc = (w TP + TN) / (w (TP + FP) + TN + FN - (w + 1) FPN / 2)
    I    = floor(WAcc)            if WAcc equals b, the WAcc of the source
           (WAcc - b) / (1 - b)   if WAcc > b
           WAcc / b - 1           if WAcc < b

Each sentence is compared with the reference that gives it the highest WAcc of correction. A corpus
sums the counts with the chosen references. Counts are tp, tn, fp, fn and fpn, in this order.

References, section 2.1: without mixing there is one reference per annotator. With mixing,
overlapping corrections are alternatives of one error, and every combination of alternatives is a
reference. An error that some annotator does not correct may stay uncorrected. If a correction has
alternatives in M2 (`||`), the first one counts. A correction that deletes the whole sentence is
ignored.

M2 files have only single corrections. They are grouped into errors as in the authors' own
converter, from the longest span to the shortest. Each joins the first error that has an overlapping
correction, or starts a new error. Two corrections overlap if their spans are equal or share a
token. An insertion overlaps only a span that strictly contains it. Errors are not merged later, so
two errors may overlap.

As in the authors' converter, a comma is a separate token, and so is the full stop at the end of a
correction. Their tokeniser for English also changes quotation marks into ``, which is omitted here,
because hypotheses do not contain ``.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import groupby, product
from math import prod
from operator import attrgetter
from typing import TYPE_CHECKING, ClassVar, NamedTuple

import numpy as np

from maege.analysis.edits import Annotation, Edit, gold_annotations
from maege.analysis.metrics.families import EditFamily, Family, FloatArray, GoldGroup
from maege.analysis.metrics.formula import (
    QUIET,
    Named,
    Number,
    f_of_shares,
    floor,
    is_equal,
    share,
    where,
)
from maege.analysis.metrics.scores import CountedScore, Reported

if TYPE_CHECKING:  # Its kernels are compiled at import.
    from maege.analysis.metrics.imeasure_alignment import Aligner, Columns

Tokens = tuple[str, ...]

_COMMA = re.compile(r"(?<!\d),|,(?!\d)")
_LAST_STOP = re.compile(r"(?<=[^.\s])\.$")


class Correction(NamedTuple):
    annotator: int
    edit: Edit
    position: int = 0


@dataclass(frozen=True)
class ErrorGroup:
    """One error and its alternatives, one for each annotator who corrects it.

    `required` says whether every annotator of the sentence does (`req` in the XML).
    """

    alternatives: tuple[tuple[Correction, ...], ...]
    error_types: tuple[str, ...]
    required: bool


class Replacement(NamedTuple):
    start: int
    end: int
    tokens: Tokens


Option = tuple[Replacement, ...]
# The possible corrections of an error; an empty one if the error may stay.
GoldError = tuple[Option, ...]


def references(source: Tokens, annotations: Sequence[Annotation | None]) -> list[Tokens]:
    """Return the distinct references, the source last if some annotator corrects nothing."""
    present = [annotation for annotation in annotations if annotation is not None]
    texts = [corrected(source, _replacements(annotation)) for annotation in present if annotation]
    if not all(present) or not texts:
        texts.append(source)
    return list(dict.fromkeys(texts))


def gold_errors(source: Tokens, annotations: Sequence[Annotation | None]) -> list[GoldError]:
    errors = [_gold_error(source, group) for group in grouped(annotations)]
    return [error for *_, error in sorted(errors, key=lambda spanned: spanned[:2])]


def grouped(annotations: Sequence[Annotation | None]) -> list[ErrorGroup]:
    present = sum(annotation is not None for annotation in annotations)
    ungrouped: list[Correction] = []
    stated: dict[str, list[Correction]] = {}
    for correction in listed_corrections(annotations):
        if correction.edit.error_group:
            stated.setdefault(correction.edit.error_group, []).append(correction)
        else:
            ungrouped.append(correction)
    groups = [error_group(corrections, present) for corrections in stated.values()]
    return [*groups, *error_groups(ungrouped, present)]


def listed_corrections(annotations: Sequence[Annotation | None]) -> Iterator[Correction]:
    edits = ((place, edit) for place, edits in enumerate(annotations) for edit in edits or ())
    for position, (place, edit) in enumerate(edits):
        yield Correction(place, edit, position)


def corrected(source: Tokens, replacements: Iterable[Replacement]) -> Tokens:
    """Apply replacements in order, skip overlapping ones; the source replaces an empty text."""
    return _replaced(source, replacements) or source


def _replaced(source: Tokens, replacements: Iterable[Replacement]) -> Tokens:
    text: list[str] = []
    position = 0
    for start, end, tokens in sorted(replacements, key=lambda replacement: replacement[:2]):
        if start < position:
            continue
        text += source[position:start]
        text += tokens
        position = end
    return (*text, *source[position:])


def _gold_error(source: Tokens, group: ErrorGroup) -> tuple[int, int, GoldError]:
    alternatives = [
        _replacements(
            correction.edit for correction in sorted(corrections, key=attrgetter("position"))
        )
        for corrections in group.alternatives
    ]
    start = min(replacement.start for option in alternatives for replacement in option)
    end = max(replacement.end for option in alternatives for replacement in option)
    # Two annotators who produce the same text with different edits have made one reference.
    options: dict[Tokens, Option] = {}
    for option in (*alternatives, *([] if group.required else [()])):
        moved = [Replacement(a - start, b - start, tokens) for a, b, tokens in option]
        options.setdefault(_replaced(source[start:end], moved), option)
    return start, end, tuple(options.values())


def _replacements(edits: Iterable[Edit]) -> Option:
    return tuple(Replacement(edit.start, edit.end, _tokens(edit.corrections[0])) for edit in edits)


# The same annotations occur in many lists.
@lru_cache(maxsize=4096)
def _tokens(correction: str) -> Tokens:
    return tuple(_LAST_STOP.sub(" .", _COMMA.sub(" , ", correction)).split())


def error_groups(corrections: Iterable[Correction], annotators: int) -> list[ErrorGroup]:
    """Return a sentence's errors in the order of the XML, from corrections without no-ops."""
    ordered = sorted(clusters(corrections, overlap), key=lambda cluster: _span(cluster[0].edit))
    return [error_group(cluster, annotators) for cluster in ordered]


def clusters(
    corrections: Iterable[Correction], are_alternatives: Callable[[Edit, Edit], bool]
) -> list[list[Correction]]:
    """Return corrections by error, from the longest span; `are_alternatives` reads only spans."""
    # Each cluster with one correction per span, because annotators often agree on spans.
    groups: list[tuple[list[Correction], dict[tuple[int, int], Edit]]] = []
    for correction in sorted(corrections, key=lambda c: (c.edit.start - c.edit.end, c.position)):
        edit, span = correction.edit, _span(correction.edit)
        for cluster, spans in groups:
            if span in spans or any(are_alternatives(edit, o) for o in spans.values()):
                cluster.append(correction)
                spans[span] = edit
                break
        else:
            groups.append(([correction], {span: edit}))
    return [cluster for cluster, _ in groups]


def error_group(corrections: Iterable[Correction], annotators: int) -> ErrorGroup:
    by_annotator: dict[int, list[Correction]] = {}
    error_types: dict[str, None] = {}
    for correction in corrections:
        by_annotator.setdefault(correction.annotator, []).append(correction)
        error_types[correction.edit.error_type] = None
    return ErrorGroup(
        alternatives=tuple(tuple(by_annotator[annotator]) for annotator in sorted(by_annotator)),
        error_types=tuple(error_types),
        required=len(by_annotator) == annotators,
    )


def overlap(first: Edit, second: Edit) -> bool:
    if _span(first) == _span(second):
        return True
    if first.start == first.end:
        return second.start < first.start < second.end
    if second.start == second.end:
        return first.start < second.start < first.end
    return first.start < second.end and second.start < first.end


def _span(edit: Edit) -> tuple[int, int]:
    return edit.start, edit.end


CORRECTION, DETECTION = "correction", "detection"
BASE = "base_"
COUNTS = ("tp", "tn", "fp", "fn", "fpn")
STATISTICS = (
    *(
        f"{base}{aspect}_{name}"
        for aspect in (CORRECTION, DETECTION)
        for base in ("", BASE)
        for name in COUNTS
    ),
    "n_references",
    "approximated",
)
WEIGHT = 2
BETA = 1.0

# A hypothesis is compared with every mixture of a sentence that has at most this many.
MOST_MIXTURES = 1000


class IMeasure(EditFamily):
    name: ClassVar[str] = "imeasure"
    version = "3"
    parameters = (("w", str(WEIGHT)),)
    statistics = STATISTICS
    cost: ClassVar[int] = 8

    def compute_gold(self, groups: Sequence[GoldGroup]) -> list[FloatArray]:
        from maege.analysis.metrics.imeasure_alignment import Aligner

        results = []
        for source, same_source in groupby(groups, key=attrgetter("source")):
            aligner = Aligner(source)
            results += [self._statistics(group, aligner) for group in same_source]
        return results

    def _statistics(self, group: GoldGroup, aligner: "Aligner") -> FloatArray:
        texts = references(aligner.source, gold_annotations(group.gold, group.source))
        # Groups of a source have many pairs in common.
        rows = [
            _row(*best_reference(aligner.stored_columns, text, texts), len(texts))
            for text in group.hypotheses
        ]
        return np.array(rows, np.float64)[:, np.newaxis]


@dataclass(frozen=True)
class IMeasureMix(IMeasure):
    name = "imeasure_mix"
    version = "5"
    cost: ClassVar[int] = 7

    def _statistics(self, group: GoldGroup, aligner: "Aligner") -> FloatArray:
        annotations = gold_annotations(group.gold, group.source)
        errors = gold_errors(aligner.source, annotations)
        n_mixtures = prod(map(len, errors))
        if n_mixtures <= MOST_MIXTURES:
            mixtures = (mixture(aligner.source, choice) for choice in product(*errors))
            texts = list(dict.fromkeys(mixtures))
            best = [best_reference(aligner.columns, text, texts) for text in group.hypotheses]
        else:
            texts = references(aligner.source, annotations)
            best = [_best_found(aligner, text, errors, texts) for text in group.hypotheses]
        return np.array([_row(*counts, n_mixtures) for counts in best], np.float64)[:, np.newaxis]


def mixture(source: Tokens, options: Iterable[Option]) -> Tokens:
    return corrected(source, [replacement for option in options for replacement in option])


def best_reference(
    align: Callable[[str, Tokens], tuple["Columns", bool]],
    hypothesis: str,
    texts: Sequence[Tokens],
) -> tuple["Columns", bool]:
    """Return the columns with the first of the best references, and whether all are exact."""
    columns = [align(hypothesis, text) for text in texts]
    best, *candidates = dict.fromkeys(counts for counts, _ in columns)
    for candidate in candidates:
        if _is_better(candidate, best):
            best = candidate
    return best, all(exact for _, exact in columns)


def _best_found(
    aligner: "Aligner",
    hypothesis: str,
    errors: Sequence[GoldError],
    texts: Sequence[Tokens],
) -> tuple["Columns", bool]:
    """Change one error of a mixture at a time while it becomes better; compare `texts`, too."""
    best, _ = best_reference(aligner.columns, hypothesis, texts)
    compared = set(texts)
    for start in (0, -1):
        options = [error[start] for error in errors]
        columns, _ = aligner.columns(hypothesis, mixture(aligner.source, options))
        improved = True
        while improved:
            improved = False
            for place, error in enumerate(errors):
                for option in error:
                    changed = [*options[:place], option, *options[place + 1 :]]
                    text = mixture(aligner.source, changed)
                    if text in compared:
                        continue
                    compared.add(text)
                    other, _ = aligner.columns(hypothesis, text)
                    if _is_better(other, columns):
                        options, columns, improved = changed, other, True
        if _is_better(columns, best):
            best = columns
    return best, False


def _is_better(columns: "Columns", other: "Columns") -> bool:
    if columns == other:
        return False
    first, second = (_weighted_accuracy(compared) for compared in (columns, other))
    if first != second:
        return first > second
    return _priorities(columns) > _priorities(other)


def _priorities(columns: "Columns") -> list[Fraction]:
    agreed, missed, hit, false, other, base, base_missed = columns
    base_accuracy = _ratio(base, base + base_missed)
    measures = []
    for right, wrong in ((hit, other), (hit + other, 0)):
        weighted = _weighted_accuracy((agreed, missed, right, false, wrong))
        if weighted > base_accuracy:
            improved = (weighted - base_accuracy) / (1 - base_accuracy)
        elif weighted < base_accuracy:
            improved = weighted / base_accuracy - 1
        else:
            improved = Fraction(weighted // 1)
        accurate = _ratio(right + agreed, agreed + missed + hit + false + other)
        measures += [weighted, improved, accurate]
    return measures


def _weighted_accuracy(columns: Sequence[int]) -> Fraction:
    agreed, missed, hit, false, other = columns[:5]
    right = 2 * (WEIGHT * hit + agreed)
    return _ratio(right, right + 2 * (WEIGHT * false + missed) + (WEIGHT + 1) * other)


def _ratio(part: int, total: int) -> Fraction:
    return Fraction(part, total) if total else Fraction(1)


def _row(columns: "Columns", exact: bool, n_references: int) -> list[float]:
    agreed, missed, hit, false, other, base, base_missed = columns
    return [
        *(hit, agreed, false + other, missed + other, other),
        *(0, base, 0, base_missed, 0),
        *(hit + other, agreed, false, missed, 0),
        *(0, base, 0, base_missed, 0),
        *(n_references, not exact),
    ]


def weighted_accuracy(counts: Iterable[Number]) -> Number:
    tp, tn, fp, fn, fpn = counts
    right = WEIGHT * tp + tn
    return share(right, right + WEIGHT * fp + fn - (WEIGHT + 1) * fpn / 2)


def measures(counts: Iterable[Number]) -> dict[str, Number]:
    tp, tn, fp, fn, fpn = counts
    p, r = share(tp, tp + fp), share(tp, tp + fn)
    return {
        "p": p,
        "r": r,
        "f": f_of_shares(p, r, BETA),
        "acc": share(tp + tn, tp + tn + fp + fn - fpn),
        "wacc": weighted_accuracy((tp, tn, fp, fn, fpn)),
    }


@QUIET
def improvement(system: Number, base: Number) -> Number:
    above, below = (system - base) / (1 - base), system / base - 1
    return where(is_equal(system, base), floor(system), where(system > base, above, below))


class IMeasureScore(CountedScore):
    family: ClassVar[Family] = IMeasure()

    def sentence_score(self, of: Named) -> Number:
        return improvement(_accuracy(of, CORRECTION), _accuracy(of, BASE + CORRECTION))

    def published_score(self, of: Named, score: Number) -> Number:
        """Return the weighted accuracy; the published run did not compare it with the source's."""
        del score
        return _accuracy(of, CORRECTION)

    def reported(self, sums: FloatArray) -> Reported:
        of = dict(zip(self.family.statistics, np.moveaxis(sums, -1, 0), strict=True))
        return {aspect: _measures(of, aspect) for aspect in (CORRECTION, DETECTION)}


class IMeasureMixScore(IMeasureScore):
    family = IMeasureMix()


def _accuracy(of: Named, aspect: str) -> Number:
    return weighted_accuracy(_counts(of, aspect))


def _counts(of: Named, aspect: str) -> list[Number]:
    return [of[f"{aspect}_{count}"] for count in COUNTS]


def _measures(of: Named, aspect: str) -> dict[str, FloatArray]:
    counts = _counts(of, aspect)
    measured, base_wacc = measures(counts), _accuracy(of, BASE + aspect)
    return {
        **dict(zip(COUNTS, counts, strict=True)),
        **measured,
        "base_wacc": base_wacc,
        "improvement": improvement(measured["wacc"], base_wacc),
    }
