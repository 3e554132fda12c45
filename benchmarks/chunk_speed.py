"""Speed of CLEME against a plain port, in one run: 13 systems, both assumptions and levels.

Run with `python benchmarks/chunk_speed.py`; it needs CoNLL-2014 in ../shared. From stored edits,
one process, CPU time. The plain port cuts every sentence anew for each hypothesis and assumption,
makes all chunks, and chooses references sentence by sentence; all scores must be equal. The
original takes 3.7 s for one system, one assumption and one level.
"""

import time
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
from m2_corpus import SYSTEMS, annotations_of

from maege.analysis.edits import Annotation, parse_annotation
from maege.analysis.metrics.base import FloatArray, GoldGroup
from maege.analysis.metrics.cleme.family import ClemeDependent, ClemeIndependent
from maege.analysis.metrics.cleme.score import ClemeIndependentScore, ClemeScore

FOLDER = Path(__file__).resolve().parents[2] / "shared" / "data" / "conll14"
ASKED_SECONDS = 2.0
REPETITIONS = 3
BETA = 0.5

# Of one system: corpus score and mean of sentences, dependent, then the same independent.
Scores = tuple[float, float, float, float]
# tp, fp, fn, tn.
Counts = tuple[int, int, int, int]
Texts = list[tuple[list[str], bool]]


def load() -> list[GoldGroup]:
    """Return one group a sentence: two annotators, the edits of all systems as hypotheses."""
    folder = FOLDER / "errant"
    paths = [folder / f"conll14-{system}.errant" for system in SYSTEMS]
    outputs = [[texts[0] or "" for _, texts in annotations_of([path], 1)] for path in paths]
    gold = annotations_of([folder / "conll14.errant"], 2)
    return [
        GoldGroup(source, annotations, hypotheses)
        for (source, annotations), hypotheses in zip(gold, zip(*outputs, strict=True), strict=True)
    ]


def ours(groups: Sequence[GoldGroup]) -> list[Scores]:
    """Return the scores of all systems."""
    dependent = np.stack(ClemeDependent().compute_gold(groups), axis=1)
    independent = np.stack(ClemeIndependent().compute_gold(groups), axis=1)
    columns = [
        *_levels(ClemeScore(), dependent),
        *_levels(ClemeIndependentScore(), independent),
    ]
    return [(float(a), float(b), float(c), float(d)) for a, b, c, d in zip(*columns, strict=True)]


def _levels(score: ClemeScore, statistics: FloatArray) -> tuple[FloatArray, FloatArray]:
    sentences = score.sentence_scores(
        {score.family.name: statistics.reshape(-1, *statistics.shape[2:])}
    )
    corpus = score.of_sums(score.addends(statistics).sum(axis=1))
    return corpus, sentences.reshape(len(SYSTEMS), -1).mean(axis=1)


def plain(groups: Sequence[GoldGroup]) -> list[Scores]:
    """Return the same by the steps of the definition, one sentence after the other."""
    return [_plain_system(groups, number) for number in range(len(SYSTEMS))]


def _plain_system(groups: Sequence[GoldGroup], number: int) -> Scores:
    dependent, independent = [], []
    for group in groups:
        source = group.source.split()
        edits = parse_annotation(group.hypotheses[number])
        lines = [parse_annotation(text) for text in group.gold if text is not None]
        gold = [line for line in lines if _applied(source, 0, len(source), line)[0]] or lines[:1]
        dependent.append(
            [_plain_counts(source, edits, gold, [place]) for place in range(len(gold))]
        )
        independent.append([_plain_counts(source, edits, gold, None)])
    return (*_plain_levels(dependent), *_plain_levels(independent))


def _plain_levels(counted: list[list[Counts]]) -> tuple[float, float]:
    """Return the score of the corpus, with references chosen one by one, and of its sentences."""
    sums: Counts = (0, 0, 0, 0)
    for sentence in counted:

        def key(counts: Counts, so_far: Counts = sums) -> tuple[float, ...]:
            tp, fp, fn, tn = counts
            return (_plain_f(_added(so_far, counts)), tp, -fp, -fn, tn)

        sums = _added(sums, max(sentence, key=key))
    best = [max(_plain_f(counts) for counts in sentence) for sentence in counted]
    return _plain_f(sums), sum(best) / len(best)


def _added(left: Counts, right: Counts) -> Counts:
    tp, fp, fn, tn = (a + b for a, b in zip(left, right, strict=True))
    return tp, fp, fn, tn


def _plain_f(counts: Counts) -> float:
    tp, fp, fn, _ = counts
    p, r = tp / (tp + fp) if tp + fp else 1.0, tp / (tp + fn) if tp + fn else 1.0
    return round((1 + BETA**2) * p * r / (BETA**2 * p + r), 4) if p + r else 0.0


def _plain_counts(
    source: list[str], hypothesis: Annotation, gold: list[Annotation], compared: list[int] | None
) -> Counts:
    """Return the counts beside one reference, or beside all of them at once."""
    counts = {"tp": 0, "fp": 0, "fn": 0, "tn": 0}
    for start, end, is_stretch in _plain_spans(source, [hypothesis, *gold]):
        # An insertion beside a stretch that nobody changes is not inside.
        (text, is_changed), *texts = (
            (source[start:end], False) if is_stretch else _applied(source, start, end, edits)
            for edits in (hypothesis, *gold)
        )
        counts[_plain_outcome(source[start:end], text, is_changed, texts, compared)] += 1
    return counts["tp"], counts["fp"], counts["fn"], counts["tn"]


def _plain_outcome(
    source: list[str], text: list[str], is_changed: bool, texts: Texts, compared: list[int] | None
) -> str:
    if compared is not None:
        ((reference, _),) = (texts[place] for place in compared)
        if is_changed:
            return "tp" if text == reference else "fp"
        return "tn" if source == reference else "fn"
    if is_changed:
        return "tp" if any(text == reference for reference, _ in texts) else "fp"
    return "fn" if all(changed for _, changed in texts) else "tn"


def _plain_spans(source: list[str], annotations: list[Annotation]) -> list[tuple[int, int, bool]]:
    """Return the spans of all chunks, and whether they are stretches that nobody changes."""
    joined: list[list[int]] = []
    for edit in sorted((edit for edits in annotations for edit in edits), key=lambda e: e.start):
        if joined and edit.start <= joined[-1][1]:
            joined[-1][1] = max(joined[-1][1], edit.end)
        else:
            joined.append([edit.start, edit.end])
    spans, position = [], 0
    for start, end in joined:
        if position < start:
            spans.append((position, start, True))
        spans.append((start, end, False))
        position = end
    return [*spans, (position, len(source), True)] if position < len(source) else spans


def _applied(source: list[str], start: int, end: int, edits: Annotation) -> tuple[list[str], bool]:
    """Return the tokens of the span after the edits in it, and whether there are any."""
    inside = [edit for edit in edits if start <= edit.start and edit.end <= end]
    tokens = source[start:end]
    # From the last to the first, so that places do not shift.
    for edit in reversed(sorted(inside, key=lambda e: e.start)):  # noqa: C413
        tokens[edit.start - start : edit.end - start] = "||".join(edit.corrections).split()
    return tokens, bool(inside)


def seconds(work: Callable[[], object]) -> float:
    """Return the shortest CPU time of some runs."""
    durations = []
    for _ in range(REPETITIONS):
        started = time.process_time()
        work()
        durations.append(time.process_time() - started)
    return min(durations)


def main() -> None:
    """Print both times and their ratio; stop where scores differ."""
    groups = load()
    np.testing.assert_allclose(ours(groups), plain(groups), rtol=0, atol=1e-12)
    our_seconds, plain_seconds = seconds(lambda: ours(groups)), seconds(lambda: plain(groups))
    print(f"CLEME: {len(SYSTEMS)} systems x {len(groups)} sentences, both assumptions and levels")
    print(f"plain port {plain_seconds:6.2f} s")
    print(f"ours       {our_seconds:6.2f} s, asked for {ASKED_SECONDS:.0f} s")
    print(f"ratio      {plain_seconds / our_seconds:6.1f}x")


if __name__ == "__main__":
    main()
