"""All families: results are independent of how requests are grouped; BLEU is NLTK's."""

import re

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from metric_requests import all_scores, all_statistics, group
from nltk.translate.bleu_score import SmoothingFunction, sentence_bleu

from maege.analysis.metrics import families
from maege.analysis.metrics.families import RequestGroup
from maege.analysis.metrics.languagetool import GRAMMAR_METRICS
from maege.analysis.metrics.meaning import missing_meteor
from maege.analysis.metrics.registry import METRICS, TEXT_FAMILIES
from maege.tasks import VARIANT_OF

# METEOR's jar may be missing.
HERE = [
    name
    for name in TEXT_FAMILIES
    if not name.startswith("meaning_meteor") or missing_meteor() is None
]
# METEOR answers a request of its examples after some milliseconds.
SLOWER = [
    pytest.param(name, marks=pytest.mark.slow) if name.startswith("meaning_meteor") else name
    for name in HERE
]
TEXTS = st.text(alphabet="abcA ", max_size=24)
REFERENCES = st.lists(TEXTS, min_size=1, max_size=4)


@st.composite
def groups(draw: st.DrawFn) -> RequestGroup:
    sources = draw(st.lists(TEXTS, min_size=1, max_size=3, unique=True))
    hypotheses = draw(st.lists(TEXTS, min_size=1, max_size=5, unique=True))
    pairs = [(s, h) for s in range(len(sources)) for h in range(len(hypotheses))]
    index = np.array(draw(st.lists(st.sampled_from(pairs), min_size=1, max_size=9)))
    references = tuple(draw(REFERENCES))
    return RequestGroup(references, tuple(sources), tuple(hypotheses), index[:, 0], index[:, 1])


def bleu_of_nltk(hypothesis: str, references: list[str]) -> float:
    """Return NLTK's sentence BLEU with smoothing method 3, as MAEGE calls it."""
    tokens = hypothesis.split()
    reference_tokens = [reference.split() for reference in references]
    order = min([len(tokens), 4, *(len(r) for r in reference_tokens if r)])
    if not order:
        return 0.0
    weights = (1 / order,) * order
    smoothing = SmoothingFunction().method3
    return float(sentence_bleu(reference_tokens, tokens, weights, smoothing))


@given(TEXTS, REFERENCES)
def test_bleu_equals_nltk(hypothesis: str, references: list[str]) -> None:
    ours = all_scores("bleu", [group("", hypothesis, references)])[0]
    assert ours == pytest.approx(bleu_of_nltk(hypothesis, references), abs=1e-12)


@pytest.mark.parametrize("family", SLOWER)
@settings(max_examples=30)
@given(batch=st.lists(groups(), min_size=1, max_size=4))
def test_numbers_do_not_depend_on_what_is_computed_together(
    family: str, batch: list[RequestGroup]
) -> None:
    together = TEXT_FAMILIES[family].compute_batch(batch)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(families, "TOKENS_PER_SLICE", 12)
        cut = TEXT_FAMILIES[family].compute_batch(batch)
    for requests, result, from_slices in zip(batch, together, cut, strict=True):
        alone = [
            all_statistics(
                family,
                [group(requests.sources[s], requests.hypotheses[h], requests.texts_of_references)],
            )
            for s, h in zip(requests.source_index, requests.hypothesis_index, strict=True)
        ]
        np.testing.assert_array_equal(result, np.concatenate(alone))
        np.testing.assert_array_equal(result, from_slices)


def test_variants_and_their_standards_are_metrics() -> None:
    metrics = {*METRICS, *GRAMMAR_METRICS}
    assert {*VARIANT_OF} <= metrics
    assert {*VARIANT_OF.values()} <= metrics - {*VARIANT_OF}


def test_signatures_are_distinct_and_name_the_version() -> None:
    assert TEXT_FAMILIES["gleu"].signature() == "gleu_statistics|n:4|tok:space|case:mixed|v:1"
    signatures = [family.signature() for family in TEXT_FAMILIES.values()]
    signatures += [metric.signature() for metric in METRICS.values()]
    assert len(set(signatures)) == len(signatures)
    assert all(re.search(r"\|v:\d+$", signature) for signature in signatures)


def test_metrics_read_what_their_families_read() -> None:
    assert METRICS["bleu"].inputs == ("hypothesis", "references")
    assert METRICS["ibleu"].inputs == ("source", "hypothesis", "references")
    assert METRICS["ld"].inputs == ("source", "hypothesis")
    without_references = {name for name, metric in METRICS.items() if not metric.reference_based}
    assert without_references == {
        *("ld", "fluency", "meaning", "meaning_meteor", "referenceless", "grammaticality_gug"),
    }
