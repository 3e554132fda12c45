"""Every pair of full lattices of real corpora, against the counts of an independent program."""

import json
from collections import defaultdict
from collections.abc import Mapping, Sequence
from functools import cache
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from full_lattices import Lattice, counts, overlaps, texts

from maege.analysis.direct.scores import metric_of_texts, sentence_scores
from maege.analysis.edits import Edit
from maege.analysis.lattices import STRATA, standardised_tau, stratum, tau
from maege.ingest.findings import Findings
from maege.ingest.formats.annotation_file import annotator_order, with_kinds
from maege.ingest.formats.m2 import parse_m2

# The same in all languages, whether or not they have rules or a parser.
LANGUAGE = "und"
LARGEST = 5
METRICS = ("bleu", "chrf", "min_ld", "gleu", "sari", "green", "ld")
# The independent program has a lower bound for min_ld, which its description omits: 1 - distance /
# length has no bound. Any bound from -32 to -.3 gives its counts, because only one lattice of
# NUCLE, whose reference is a full stop, is below it.
BOUNDS = {"min_ld": -1.0}
SETUPS = ("self1", "loo", "loo1")
FILES = {
    "cweb_s": "corpora/cweb/CWEB-S.test.m2",
    "estgec_l2": "corpora/estgec/estgec_l2.test.m2",
    "falko_merlin": "corpora/falko_merlin/fm-test.m2",
    "geccc": "corpora/geccc/test.m2",
    "mucgec": "corpora/mucgec_dev/chars_difflib.m2",
    "nucle": "conll14/noalt/official-2014.combined.m2",
    "yaclc": "corpora/yaclc_valid/chars_difflib.m2",
}
QUICK = {("cweb_s", "loo", metric) for metric in METRICS} | {
    ("falko_merlin", "self1", "ld"),
    ("estgec_l2", "loo", "gleu"),
    ("mucgec", "loo1", "bleu"),
    ("nucle", "loo", "gleu"),
}
Annotated = tuple[Sequence[str], Mapping[str, list[Edit]]]


def cases() -> list[Any]:
    listed = product(FILES, SETUPS, METRICS)
    return [
        pytest.param(*case, marks=() if case in QUICK else pytest.mark.replicate)
        for case in listed
        # With one annotator there are no others' references.
        if case[:2] not in {("falko_merlin", "loo"), ("falko_merlin", "loo1")}
    ]


@cache
def annotated(path: Path) -> list[Annotated]:
    """Return the tokens of each sentence and the corrections of all annotators with a line.

    Sentences with an edit that is out of range have no corrections.
    """
    file = with_kinds(parse_m2(path.read_text().splitlines(), Findings().about(path.name), "skip"))
    lines: dict[int, dict[str, list[Edit]]] = defaultdict(lambda: defaultdict(list))
    for line in file.edits:
        edits = lines[line.sentence_id][line.annotator]
        if line.kind == "correction":
            edits.append(line.edit)
    for line in file.edits:
        if line.out_of_range:
            lines[line.sentence_id] = {}
    return [(sentence.tokens, lines[number]) for number, sentence in enumerate(file.sentences)]


def lattices(sentences: Sequence[Annotated], setup: str) -> list[Lattice]:
    """Return the lattices of a setup, with their own annotator's reference or with others'.

    Others' references require at least two annotators of the sentence, all with corrections. `loo1`
    uses the first of them by name.
    """
    selected = []
    for tokens, annotations in sentences:
        names = sorted(annotations, key=annotator_order)
        for name in names:
            edits = annotations[name]
            if 1 <= len(edits) <= LARGEST and not overlaps(edits):
                other_edits = [annotations[other] for other in names if other != name]
                references = {"self1": [edits], "loo": other_edits, "loo1": other_edits[:1]}[setup]
                selected.append(Lattice(tokens, edits, references))
    return selected


@pytest.mark.parametrize(("corpus", "setup", "metric"), cases())
def test_pairs_steps_and_expected_chains_are_the_golden_ones(
    corpus: str, setup: str, metric: str, shared: Path
) -> None:
    golden = json.loads((shared / f"golden/across/across_{corpus}.json").read_text())
    sentences = annotated(shared / "data" / FILES[corpus])[: golden["max_sid_exclusive"]]
    if golden["multi"]:
        sentences = [(t, edits) for t, edits in sentences if len(edits) > 1 and all(edits.values())]
    selected = lattices(sentences, setup)
    strata = [stratum(edit, lattice.references) for lattice in selected for edit in lattice.edits]
    golden_sizes = golden["n"][setup]
    assert len(selected) == golden_sizes["annotations"]
    assert len(strata) == golden_sizes["edits"]
    assert strata.count("endorsed") == golden_sizes["endorsed_edits"]
    assert strata.count("touched") == golden_sizes["touched_edits"]

    read = texts(selected)
    assert len(read.hypotheses) == golden_sizes["nodes"]
    scorer = metric_of_texts(metric, outputs=False, language=LANGUAGE)
    scores = sentence_scores(
        scorer, {metric: read.hypotheses}, read.sources, read.references, LANGUAGE
    )
    lattice_counts = counts(selected, np.maximum(scores[0], BOUNDS.get(metric, -np.inf)))
    published = golden[setup][metric]
    assert lattice_counts.pairs.sum(axis=1).tolist() == published["full_CDT"]
    assert lattice_counts.expected_chain.sum(axis=1) == pytest.approx(
        published["expected_chain_CDT"], abs=1e-6
    )
    steps = lattice_counts.steps.sum(axis=2)
    for place, name in enumerate(STRATA):
        assert steps[:, place].tolist() == published[f"{name}_steps_CDT"]
    standardised = standardised_tau(tau(steps), steps.sum(axis=0), least_steps=1)
    expected = published["tau"]["standardised3"]
    assert standardised == pytest.approx(
        np.nan if expected is None else expected, abs=1e-6, nan_ok=True
    )
