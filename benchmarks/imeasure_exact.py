"""How often the I-measure differs from plain enumeration, in fresh random cases: never.

Run with `python benchmarks/imeasure_exact.py [SEED] [CASES]`; another seed, other cases. Sources
and hypotheses of up to seven tokens of few kinds, so that most tokens occur again; one to three
annotators; in a quarter of the cases some corrections are in stated error groups, which may
overlap. Every reference is written out and aligned by benchmarks/imeasure_plain.py, with mixing
where there are at most a hundred. Each case is computed twice: as it is, and as where states are
many, with those given up that cannot lead to the best reference. Exits with 1 if any count differs.
"""

import random
import sys

import numpy as np
from imeasure_plain import counts as plain_counts

from maege.analysis.edits import Annotation, Edit, format_annotation
from maege.analysis.metrics.base import GoldGroup
from maege.analysis.metrics.imeasure import best
from maege.analysis.metrics.imeasure.alignment import COUNTS
from maege.analysis.metrics.imeasure.gold import Tokens, gold_errors, reference_count
from maege.analysis.metrics.imeasure.measure import IMeasure, IMeasureMix

CASES = 20_000
DEFAULT_SEED = 1
MOST_MIXTURES = 100
MOST_TOKENS = 7
SHOWN = 5
# As it is, and as where states are many.
WORK = ((best.FEW_WORK, best.FEW_WORK_A_CELL, best.MOST_BASE_WORK), (0, 0, 0))


def tokens(rng: random.Random, kinds: str, fewest: int) -> Tokens:
    """Return a text."""
    return tuple(rng.choices(kinds, k=rng.randint(fewest, MOST_TOKENS)))


def annotation(rng: random.Random, source: Tokens, kinds: str, stated: float) -> Annotation:
    """Return up to three corrections without overlap, some of them in stated groups."""
    edits = []
    position = 0
    for _ in range(rng.randint(0, 3)):
        if position > len(source):
            break
        start = rng.randint(position, len(source))
        end = rng.randint(start, min(start + 2, len(source)))
        text = " ".join(rng.choices(kinds + "e", k=rng.randint(0, 2)))
        if start < end or text:
            group = rng.choice("12") if rng.random() < stated else ""
            edits.append(Edit(start, end, "", (text,), group))
            position = end + (start == end)
    return tuple(edits)


def main() -> None:
    """Print how many cases there were, and how many of them differ."""
    seed = int(sys.argv[1]) if len(sys.argv) > 1 else DEFAULT_SEED
    cases = int(sys.argv[2]) if len(sys.argv) > 2 else CASES
    rng = random.Random(seed)  # noqa: S311 - cases, not secrets
    done = {False: 0, True: 0}
    different = stated_cases = 0
    for case in range(cases):
        kinds = "abcd"[: rng.randint(2, 4)]
        stated = 0.5 if case % 4 == 0 else 0.0
        source, hypothesis = tokens(rng, kinds, 1), tokens(rng, kinds, 0)
        gold = [annotation(rng, source, kinds, stated) for _ in range(rng.randint(1, 3))]
        stated_cases += any(edit.error_group for each in gold for edit in each)
        texts = tuple(map(format_annotation, gold))
        group = GoldGroup(" ".join(source), texts, (" ".join(hypothesis),))
        for family, mix in ((IMeasure(), False), (IMeasureMix(), True)):
            if mix and reference_count(gold_errors(source, gold)) > MOST_MIXTURES:
                continue
            expected, _ = plain_counts(source, hypothesis, gold, mix=mix)
            done[mix] += 1
            for work in WORK:
                best.FEW_WORK, best.FEW_WORK_A_CELL, best.MOST_BASE_WORK = work
                (rows,) = family.compute_gold([group])
                wrong = not np.array_equal(rows[0, 0, :COUNTS], expected)
                different += wrong
                if wrong and different <= SHOWN:
                    print(f"{source} {hypothesis} {gold} mix={mix}: {rows[0, 0]}, not {expected}")
    print(f"seed {seed}: {done[False]:,} cases without mixing, {done[True]:,} with, of the sources")
    print(f"{stated_cases:,} with stated groups; {different} differ")
    sys.exit(different > 0)


if __name__ == "__main__":
    main()
