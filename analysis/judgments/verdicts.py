"""Agreement of metrics with verdicts on edits, and scores of judged texts.

In all functions, `source` is the number of each edit's source, from 0, and `weights` says how often
each sample contains each source, shape (samples, sources).
"""

import re
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np
import scipy
from numpy.typing import ArrayLike, NDArray

from maege.analysis.direct.scores import offered, sentence_scores
from maege.analysis.judgments.ratings import area_p_value, coefficients
from maege.analysis.metrics.families import FloatArray
from maege.analysis.metrics.registry import METRICS, Metric
from maege.analysis.metrics.sari import tokens_13a
from maege.analysis.sample_weights import SampleWeights
from maege.analysis.statistics.resampling import (
    LEAST_PAIRS,
    Floats,
    Integers,
    Intervals,
    cluster_weights,
    estimated_share,
    percentile_intervals,
    too_few,
)

# --- Shares and the area under the curve ---
#
# Only the difference d = score(source with the edit) - score(source) of a metric is used. The AUC
# is the share of pairs of a valid and an invalid edit in which the valid edit has the higher d;
# ties count half (Hanley and McNeil 1982, "The meaning and use of the area under a receiver
# operating characteristic (ROC) curve"). It is 0.5 for a metric that always ties.

VALID, OPTIONAL, INVALID, SPLIT = "valid", "optional", "invalid", "split"


def shares(differences: ArrayLike) -> tuple[float, float, float]:
    """Return the shares of edits that raise, keep and lower the score; NaN without edits."""
    d = np.asarray(differences, np.float64)
    if not d.size:
        return np.nan, np.nan, np.nan
    return float(np.mean(d > 0)), float(np.mean(d == 0)), float(np.mean(d < 0))


def auc(valid: ArrayLike, invalid: ArrayLike) -> float:
    """Return the area under the ROC curve; NaN without valid or without invalid edits."""
    above, below = np.asarray(valid, np.float64), np.asarray(invalid, np.float64)
    if not above.size or not below.size:
        return float("nan")
    ranks = scipy.stats.rankdata(np.concatenate([above, below]))[: above.size]
    wins = ranks.sum() - above.size * (above.size + 1) / 2
    return float(wins / (above.size * below.size))


def auc_interval(
    source: Integers,
    is_valid: NDArray[np.bool_],
    differences: Floats,
    weights: SampleWeights,
    level: float = 0.95,
) -> Intervals:
    """Return the bootstrap interval of the AUC over samples of sources, shape (1,) each."""
    _, place = np.unique(differences, return_inverse=True)
    edit_weights = weights[:, source].astype(np.float64)
    n_places = int(place.max()) + 1 if place.size else 0
    by_place = np.zeros((2, len(weights), n_places))
    for kind, in_class in enumerate((is_valid, ~is_valid)):
        columns = np.zeros((int(in_class.sum()), n_places))
        columns[np.arange(len(columns)), place[in_class]] = 1
        by_place[kind] = edit_weights[:, in_class] @ columns
    good, bad = by_place
    below = np.cumsum(bad, axis=1) - bad / 2
    n_pairs = good.sum(axis=1) * bad.sum(axis=1)
    has_both = n_pairs > 0
    if not has_both.any():
        return Intervals(np.array([np.nan]), np.array([np.nan]))
    areas = (good * below).sum(axis=1)[has_both] / n_pairs[has_both]
    return percentile_intervals(areas[:, np.newaxis], level)


def edit_class(values: ArrayLike) -> str:
    """Return the majority verdict on an edit, `split` if two verdicts are equally frequent.

    Verdicts are numbers: above 0 valid, 0 optional, below 0 invalid.
    """
    signs = np.sign(np.asarray(values, np.float64))
    counts = [(signs == sign).sum() for sign in (1, 0, -1)]
    most = [
        kind for kind, n in zip((VALID, OPTIONAL, INVALID), counts, strict=True) if n == max(counts)
    ]
    return most[0] if len(most) == 1 else SPLIT


# --- Rows of the mart of edit verdicts ---


def verdict_row(
    sources: Integers,
    verdicts: Sequence[Sequence[float]],
    differences: Floats,
    n_samples: int,
    level: float,
    seed: int,
) -> dict[str, Any] | None:
    """Return the agreement of a metric with verdicts; None if it has no score of any edit.

    `differences`: score with the edit minus score without it, NaN without a score.
    """
    scored_places = np.flatnonzero(~np.isnan(differences))
    if not scored_places.size:
        return None
    d = differences[scored_places]
    values = [verdicts[place] for place in scored_places.tolist()]
    _, source = np.unique(sources[scored_places], return_inverse=True)
    kinds = np.array([edit_class(edit_values) for edit_values in values])
    valid, invalid = kinds == VALID, kinds == INVALID
    n_sources = int(source.max()) + 1
    missing = too_few(sentences=n_sources)
    if missing is None and min(valid.sum(), invalid.sum()) < LEAST_PAIRS:
        missing = "edits"
    row: dict[str, Any] = {
        "n_edits": int(scored_places.size),
        "n_sources": n_sources,
        "n_valid": int(valid.sum()),
        "n_optional": int((kinds == OPTIONAL).sum()),
        "n_invalid": int(invalid.sum()),
        "auc": auc(d[valid], d[invalid]),
        "too_few": missing,
    }
    for name, in_class in (("valid", valid), ("invalid", invalid)):
        row[f"{name}_up"], row[f"{name}_tied"], row[f"{name}_down"] = shares(d[in_class])
    severity = coefficients(d, [sum(edit_values) / len(edit_values) for edit_values in values])
    row |= {"severity_r": severity.pearson, "severity_rho": severity.spearman}
    if missing is None:
        decided = valid | invalid
        weights = cluster_weights(n_sources, n_samples, seed)
        bounds = auc_interval(source[decided], valid[decided], d[decided], weights, level)
        row["p_value"] = area_p_value(source[decided], valid[decided], d[decided])
        if bounds.low[0] < bounds.high[0]:
            row |= {"ci_low": float(bounds.low[0]), "ci_high": float(bounds.high[0])}
    return row


# --- Validity of edits by the number of references that make them ---


class SharedVerdict(NamedTuple):
    source: str
    values: Sequence[float]
    made_by: str


def validity_rows(edits: Sequence[SharedVerdict], level: float) -> Iterator[dict[str, Any]]:
    """Yield a row for each number of references that make an edit, and one for all edits (None).

    Edits of the same source are not independent, so Wilson's interval of the share of valid edits
    uses the number of sources as its sample size.
    """
    for made_by in (*sorted({edit.made_by for edit in edits}), None):
        selected = [edit for edit in edits if made_by in (None, edit.made_by)]
        kinds = [edit_class(edit.values) for edit in selected]
        n_sources = len({edit.source for edit in selected})
        validity = kinds.count(VALID) / len(kinds)
        missing = too_few(sentences=n_sources)
        row = {
            "made_by": made_by,
            "n_edits": len(selected),
            "n_sources": n_sources,
            "n_valid": kinds.count(VALID),
            "n_optional": kinds.count(OPTIONAL),
            "n_invalid": kinds.count(INVALID),
            "validity": validity,
            "too_few": missing,
        }
        if missing is None:
            interval = estimated_share(validity * n_sources, n_sources, level)
            row |= {"ci_low": interval.low, "ci_high": interval.high}
        yield row


# --- Tokens of judged texts ---
#
# - `blanks`: tokens are already separated by blanks;
# - `characters`: each character is a token;
# - `contractions`: words and punctuation marks, with an apostrophe and what follows as a token;
# - `words`: words and punctuation marks of texts that may or may not be tokenised already. "n't",
#   "'s" and the like are joined to the preceding word, and curly quotes become straight, so that
#   both kinds of text get the same tokens;
# - `13a`: sacreBLEU's tokeniser in lower case, like EASSE.

_QUOTES = str.maketrans({"’": "'", "‘": "'", "“": '"', "”": '"', "`": "'"})
_CLITIC = re.compile(r" (n't|'s|'re|'ve|'ll|'d|'m)\b")
_TOKEN = re.compile(r"\w+|[^\w\s]")
_CONTRACTION = re.compile(r"\w+(?:['’]\w+)?|[^\w\s]")


def split_text(text: str, tokens: str) -> str:
    if tokens == "contractions":
        return " ".join(_CONTRACTION.findall(text))
    if tokens == "words":
        return " ".join(_TOKEN.findall(_CLITIC.sub(r"\1", text.translate(_QUOTES))))
    if tokens == "13a":
        return " ".join(tokens_13a(text)).lower()
    return " ".join("".join(text.split()) if tokens == "characters" else text.split())


# --- Scores of judged texts ---

# Chance baselines: a constant score, a random number, the number of characters, and the negative
# edit distance.
CONSTANT, RANDOM, LENGTH, COPIES = (
    "chance_constant",
    "chance_random",
    "chance_length",
    "chance_small_edit",
)


class JudgedText(NamedTuple):
    source: str | None
    text: str
    tokens: str


def reference_free_scores(
    texts: Sequence[JudgedText], metrics: Sequence[str], language: str, seed: int
) -> Iterator[tuple[str, FloatArray]]:
    """Yield scores; NaN if the metric reads the source and a text has none."""
    split = [split_text(judged_text.text, judged_text.tokens) for judged_text in texts]
    has_source = np.array([judged_text.source is not None for judged_text in texts], np.bool_)
    sources = [split_text(judged_text.source or "", judged_text.tokens) for judged_text in texts]
    for name, metric in _metrics(metrics, language, reference_based=False):
        scores = sentence_scores(metric, {"": split}, sources, None, language)[0]
        yield name, np.where(has_source | ("source" not in metric.inputs), scores, np.nan)
    # Of texts that are written alike what was changed are their letters, as judges saw them.
    edited, before = zip(*(_compared(judged_text) for judged_text in texts), strict=True)
    copies = sentence_scores(METRICS["ld"], {"": list(edited)}, list(before), None, language)[0]
    yield COPIES, np.where(has_source, copies, np.nan)
    yield LENGTH, np.array([len(text.rstrip()) for text in split], np.float64)
    yield CONSTANT, np.ones(len(split))
    yield RANDOM, np.random.Generator(np.random.PCG64(seed)).random(len(split))


def _compared(judged_text: JudgedText) -> tuple[str, str]:
    texts = judged_text.text, judged_text.source or ""
    if judged_text.tokens == "contractions":
        return texts
    return split_text(texts[0], judged_text.tokens), split_text(texts[1], judged_text.tokens)


def reference_based_scores(
    texts: Sequence[JudgedText],
    references: Sequence[Sequence[str | None]],
    metrics: Sequence[str],
    language: str,
) -> Iterator[tuple[str, FloatArray]]:
    """Every text has the same number of references, None if one is missing."""
    split = [split_text(judged_text.text, judged_text.tokens) for judged_text in texts]
    sources = [split_text(judged_text.source or "", judged_text.tokens) for judged_text in texts]
    lists = [
        [None if text is None else split_text(text, judged_text.tokens) for text in text_references]
        for judged_text, text_references in zip(texts, references, strict=True)
    ]
    for name, metric in _metrics(metrics, language, reference_based=True):
        yield name, sentence_scores(metric, {"": split}, sources, lists, language)[0]


def _metrics(
    names: Sequence[str], language: str, *, reference_based: bool
) -> Iterator[tuple[str, Metric]]:
    possible = set(offered(outputs=False, language=language))
    for name in names:
        if name in possible and METRICS[name].reference_based == reference_based:
            yield name, METRICS[name]
