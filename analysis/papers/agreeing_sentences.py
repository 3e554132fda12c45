"""Sentences whose annotators agree where errors are, as an approximation of the paper's 711.

Felice and Briscoe 2015, Tables 10 and 11, exclude sentences of CoNLL-2014 whose corrections could
not be clustered automatically. They neither list these sentences nor describe the rule; probably
they were selected by hand. By the rule `agreeing`, corrections that all annotators share are
dropped, and the others are clustered as the authors' converter does, with insertions at the edge of
a span in its cluster. A sentence agrees if every cluster is shared by all annotators, or if the
remaining clusters come from one set of annotators while all other annotators correct the same
spans.
"""

from collections import defaultdict
from collections.abc import Sequence

from maege.analysis.edits import Annotation, Edit
from maege.analysis.metrics.imeasure.gold import Correction, clusters, listed_corrections, overlap

Span = tuple[int, int]


def agree(annotations: Sequence[Annotation | None]) -> bool:
    """Return whether the annotators of a sentence agree; None for one without a line."""
    annotators = frozenset(n for n, annotation in enumerate(annotations) if annotation is not None)
    corrections = [*listed_corrections(annotations)]
    sharing: dict[tuple[int, int, str], set[int]] = defaultdict(set)
    for correction in corrections:
        sharing[_identity(correction.edit)].add(correction.annotator)
    disputed = [one for one in corrections if sharing[_identity(one.edit)] != annotators]
    shared, others = [], set()
    for cluster in clusters(disputed, _touch):
        spans = _spans(cluster)
        if spans.keys() == annotators:
            shared.append(spans)
        else:
            others.add(frozenset(spans))
    return not others or (len(others) == 1 and all(map(_are_equal, shared)))


def _identity(edit: Edit) -> tuple[int, int, str]:
    return edit.start, edit.end, edit.corrections[0].lower()


def _touch(first: Edit, second: Edit) -> bool:
    """Return whether two edits overlap, or one inserts at the edge of the other."""
    inserted, other = sorted((first, second), key=lambda edit: edit.end > edit.start)
    is_at_edge = inserted.start == inserted.end and other.start <= inserted.start <= other.end
    return is_at_edge or overlap(first, second)


def _spans(cluster: Sequence[Correction]) -> dict[int, set[Span]]:
    spans: dict[int, set[Span]] = defaultdict(set)
    for correction in cluster:
        spans[correction.annotator].add((correction.edit.start, correction.edit.end))
    return spans


def _are_equal(spans: dict[int, set[Span]]) -> bool:
    return len({frozenset(of_annotator) for of_annotator in spans.values()}) == 1
