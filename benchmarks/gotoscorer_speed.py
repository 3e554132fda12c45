"""Speed of GoToScorer against a plain port, in one run: 13 systems, two annotators.

Run with `python benchmarks/gotoscorer_speed.py`; it needs CoNLL-2014 in ../shared. From stored
edits, one process, CPU time. The plain port compares all chunks of the gold with all chunks of
every system; all sums must be equal, also those of random edits that overlap and stand in any
order. The original takes 8.7 s for 12 systems and one annotator.
"""

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

import numpy as np
from chunk_speed import load, seconds
from m2_corpus import SYSTEMS

from maege.analysis.edits import Annotation, Edit, format_annotation, parse_annotation
from maege.analysis.metrics.base import FloatArray, GoldGroup
from maege.analysis.metrics.gotoscorer.family import GoToScorer

ASKED_SECONDS = 1.5
RANDOM_CASES = 3000

# Start, end, text, and whether it is an edit.
PlainChunk = tuple[int, int, str, bool]


# Fewer texts are kept than a corpus has, so that no run finds what the one before has left.
ours = GoToScorer().compute_gold


def plain(groups: Sequence[GoldGroup]) -> list[FloatArray]:
    """Return the statistics by the steps of the definition."""
    return [_plain_group(group) for group in groups]


def _plain_group(group: GoldGroup) -> FloatArray:
    tokens = group.source.split()
    systems = [_plain_cut(tokens, parse_annotation(text)) for text in group.outputs]
    of_annotators = []
    for text in group.gold:
        gold = _plain_cut(tokens, parse_annotation(text or ""))
        outcomes = [[_plain_outcome(chunk, system) for chunk in gold] for system in systems]
        wrong = [sum(not right for _, right in column) for column in zip(*outcomes, strict=True)]
        ones = [1] * len(gold)
        of_annotators.append(
            [
                [
                    *_plain_sums(gold, of_system, wrong),
                    sum(wrong),
                    *_plain_sums(gold, of_system, ones),
                    len(systems),
                ]
                for of_system in outcomes
            ]
        )
    return np.array(of_annotators, dtype=np.float64).swapaxes(0, 1)


def _plain_cut(tokens: list[str], edits: Annotation) -> list[PlainChunk]:
    covering: list[PlainChunk] = []
    place = 0
    for edit in edits:
        covering += [(i, i + 1, tokens[i], False) for i in range(place, edit.start)]
        covering.append((edit.start, edit.end, "||".join(edit.corrections), True))
        place = edit.end
    covering += [(i, i + 1, tokens[i], False) for i in range(place, len(tokens))]
    chunks = []
    for before, chunk in pairwise([(0, 1, "", False), *covering]):
        if chunk[0] < chunk[1] and before[0] < before[1]:
            chunks.append((chunk[0], chunk[0], "", False))
        chunks.append(chunk)
    if chunks[-1][0] < chunks[-1][1]:
        chunks.append((len(tokens), len(tokens), "", False))
    return chunks


def _plain_outcome(gold: PlainChunk, system: list[PlainChunk]) -> tuple[bool, bool]:
    """Return whether the system edits the chunk, and whether it is right."""
    start, end, text, is_gold_edit = gold
    met = edited = False
    for first, last, words, is_edit in system:
        if (first, last, words) == (start, end, text):
            return is_edit, True
        is_same = (first, last) == (start, end)
        if is_same or (start < end and (start <= first < end or first <= start < last)):
            met = True
            edited = edited or is_edit
    return edited, not met and not is_gold_edit


def _plain_sums(
    gold: list[PlainChunk], outcomes: list[tuple[bool, bool]], weights: list[int]
) -> list[int]:
    tp = fp = fn = tn = 0
    for (*_, is_gold_edit), (edited, right), weight in zip(gold, outcomes, weights, strict=True):
        tp += weight * (edited and right)
        fp += weight * (edited and not right)
        fn += weight * (not right and (is_gold_edit or not edited))
        tn += weight * (right and not edited)
    return [tp, fp, fn, tn]


def _random_groups() -> list[GoldGroup]:
    generator = np.random.default_rng()

    def annotation(n_tokens: int) -> str:
        edits = []
        for _ in range(generator.integers(0, 4)):
            start, end = sorted(generator.integers(0, n_tokens + 1, 2).tolist())
            words = generator.choice(["a", "b", "c", ""], generator.integers(0, 3))
            edits.append(Edit(start, min(end, start + 2), "", (" ".join(filter(None, words)),)))
        return format_annotation(edits)

    groups = []
    for _ in range(RANDOM_CASES):
        n_tokens = int(generator.integers(1, 7))
        source = " ".join(generator.choice(["a", "b", "c"], n_tokens))
        gold = tuple(annotation(n_tokens) for _ in range(2))
        outputs = tuple(annotation(n_tokens) for _ in range(4))
        groups.append(GoldGroup(source, gold, outputs, outputs))
    return groups


def main() -> None:
    """Print both times and their ratio; stop where sums differ."""
    groups = [replace(group, outputs=group.hypotheses) for group in load()]
    for of_both in (_random_groups(), groups):
        for left, right in zip(ours(of_both), plain(of_both), strict=True):
            np.testing.assert_array_equal(left, right)
    our_seconds, plain_seconds = seconds(lambda: ours(groups)), seconds(lambda: plain(groups))
    print(f"GoToScorer: {len(SYSTEMS)} systems x {len(groups)} sentences, two annotators")
    print(f"plain port {plain_seconds:6.2f} s")
    print(f"ours       {our_seconds:6.2f} s, asked for {ASKED_SECONDS} s")
    print(f"ratio      {plain_seconds / our_seconds:6.1f}x")


if __name__ == "__main__":
    main()
