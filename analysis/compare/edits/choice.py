"""Whom each sentence is compared with, as metrics/scores/annotators.py has it, without numba.

The kernel there takes half a second to be there, which is more than a comparison of texts takes
altogether once their edits are known.
"""

from collections.abc import Iterable, Sequence

# tp, proposed and gold of one sentence beside one annotator.
Sizes = tuple[float, float, float]


def chosen(sentences: Iterable[Sequence[Sizes]], beta: float, *, by_shares: bool) -> list[int]:
    """Return the position of the annotator of every sentence.

    Args:
        sentences: for each, the sizes beside each annotator with a line, at least one, in the
            order in which they stand in the file.
        beta: the weight of recall.
        by_shares: by ERRANT's arithmetic, else by M2's.

    """
    squared = beta * beta
    tp = size = gold = 0.0
    positions = []
    for of_annotators in sentences:
        best = (-1.0, 0.0, 0.0, 0.0)
        position = 0
        for place, (more_tp, more_size, more_gold) in enumerate(of_annotators):
            new_tp, new_size, new_gold = tp + more_tp, size + more_size, gold + more_gold
            if by_shares:
                p = new_tp / new_size if new_size else 1.0
                r = new_tp / new_gold if new_gold else 1.0
                weighted = squared * p + r
                f = round((1 + squared) * p * r / weighted, 4) if weighted else 0.0
                found = (f, new_tp, -new_size, -new_gold)
            else:
                weighted = squared * new_gold + new_size
                f = (1 + squared) * new_tp / weighted if weighted else 1.0
                found = (f, new_tp, -weighted, 0.0)
            if found > best:
                best, position = found, place
        tp, size, gold = (
            total + more
            for total, more in zip((tp, size, gold), of_annotators[position], strict=True)
        )
        positions.append(position)
    return positions
