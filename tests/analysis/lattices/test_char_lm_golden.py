"""Language models of characters on real chains, against an independent program's intervals.

The sentences and orders of edits that the program sampled are unknown. Therefore this test uses one
order of the first annotator's edits for each sentence, and tau has to lie in the 95 % interval.
"""

import json
from collections.abc import Mapping, Sequence
from hashlib import sha256
from pathlib import Path

import numpy as np
import pytest
from full_lattices import node_text, overlaps, without_overlaps
from test_across_golden import Annotated, annotated

from maege.analysis.edits import Edit
from maege.analysis.lattices import tau
from maege.analysis.metrics.families import FloatArray
from maege.analysis.statistics.pair_agreement import is_tied
from maege.char_lm import CharLm
from maege.ingest.formats.annotation_file import annotator_order

# The part that a model is trained on, and the part of which every n-th sentence is tested.
PARTS = {
    "geccc": ("geccc/dev.m2", "geccc/test.m2", 3),
    "falko_merlin": ("falko_merlin/fm-dev.m2", "falko_merlin/fm-test.m2", 1),
    "estgec_l2": ("estgec/estgec_l2.dev.m2", "estgec/estgec_l2.test.m2", 1),
}


def firsts(sentences: Sequence[Annotated]) -> list[tuple[Sequence[str], list[Edit]]]:
    return [
        (tokens, annotations[min(annotations, key=annotator_order)] if annotations else [])
        for tokens, annotations in sentences
    ]


def chain(tokens: Sequence[str], edits: Sequence[Edit]) -> list[str]:
    """Return the text with no edit, one, two ... and all of them, in an order given by a hash."""
    order = sorted(edits, key=lambda edit: sha256(repr((tokens, edit)).encode()).digest())
    return [node_text(tokens, order[:size]) for size in range(len(order) + 1)]


def outcomes(scores: FloatArray) -> list[int]:
    lower, upper = np.triu_indices(len(scores), 1)
    tied = is_tied(scores[lower], scores[upper])
    right = (scores[upper] > scores[lower]) & ~tied
    return [int(right.sum()), int((~right & ~tied).sum()), int(tied.sum())]


def outcomes_of_scores(
    training: Sequence[Annotated], test: Sequence[Annotated], folder: Path
) -> dict[str, FloatArray]:
    """Return the outcomes of pairs in one part's chains by each score of the other's model."""
    gold = [node_text(tokens, without_overlaps(e)).strip() for tokens, e in firsts(training)]
    correct, learners = folder / "correct.txt", folder / "learners.txt"
    correct.write_text("\n".join(gold), encoding="utf-8")
    learners.write_text("\n".join(" ".join(tokens) for tokens, _ in training), encoding="utf-8")
    chains = [chain(t, edits) for t, edits in firsts(test) if edits and not overlaps(edits)]
    nodes = [text for texts in chains for text in texts]
    ends = np.cumsum([len(texts) for texts in chains])
    sums_by_score = {}
    for name, sources in (("mean_logp", ""), ("ratio", str(learners))):
        metric = CharLm(str(correct), sources)
        metric.setup("cpu")
        scores = np.array(metric.score_batch(nodes))
        chain_outcomes = [outcomes(chain_scores) for chain_scores in np.split(scores, ends[:-1])]
        sums_by_score[name] = np.array(chain_outcomes, np.float64).sum(axis=0)
    return sums_by_score


def assert_in_intervals(
    shared: Path, corpus: str, outcomes_by_score: Mapping[str, FloatArray]
) -> None:
    golden = json.loads((shared / "golden/across/char_lm.json").read_text())[corpus]
    for name, score_outcomes in outcomes_by_score.items():
        low, high = golden[name]["ci"]
        assert low < tau(score_outcomes) < high, name


@pytest.mark.parametrize("corpus", PARTS)
def test_tau_of_models_of_the_dev_part_lies_in_the_golden_interval(
    corpus: str, shared: Path, tmp_path: Path
) -> None:
    dev, test, step = PARTS[corpus]
    folder = shared / "data" / "corpora"
    parts = annotated(folder / dev), annotated(folder / test)[::step]
    assert_in_intervals(shared, corpus, outcomes_of_scores(*parts, tmp_path))


def test_tau_of_models_of_the_other_half_lies_in_the_golden_interval(
    shared: Path, tmp_path: Path
) -> None:
    halves: tuple[list[Annotated], list[Annotated]] = ([], [])
    for sentence in annotated(shared / "data/corpora/ua_gec/gec-fluency.test.m2"):
        halves[sha256(" ".join(sentence[0]).encode()).digest()[0] % 2].append(sentence)
    first, second = (outcomes_of_scores(*parts, tmp_path) for parts in (halves, halves[::-1]))
    sums = {name: first[name] + second[name] for name in first}
    assert_in_intervals(shared, "ua_gec_fluency", sums)
