"""Scores of judged texts, and their tokens."""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from maege.analysis.direct.scores import metric_of_texts, offered, sentence_scores
from maege.analysis.metrics.families.base import FloatArray
from maege.analysis.metrics.sari import tokens_13a

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
    """Return the text with one blank between tokens.

    Args:
        text: as it was judged.
        tokens: `blanks`, `characters`, `contractions`, `words` or `13a`.

    """
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
    """A text with its source, None if the source is unknown, and how both are tokenised."""

    source: str | None
    text: str
    tokens: str


def reference_free_scores(
    texts: Sequence[JudgedText], metrics: Sequence[str], language: str, seed: int
) -> Iterator[tuple[str, FloatArray]]:
    """Yield the scores of every reference-less metric, then those of the chance baselines.

    NaN if the metric reads the source and a text has none.
    """
    split = [split_text(judged.text, judged.tokens) for judged in texts]
    has_source = np.array([judged.source is not None for judged in texts], np.bool_)
    sources = [split_text(judged.source or "", judged.tokens) for judged in texts]
    for name in metrics_for(metrics, language, reference_based=False):
        metric = metric_of_texts(name, outputs=False, language=language)
        scores = sentence_scores(metric, {"": split}, sources, None, language)[0]
        yield name, np.where(has_source | ("source" not in metric.inputs), scores, np.nan)
    distance = metric_of_texts("ld", outputs=False, language=language)
    # Of texts that are written alike what was changed are their letters, as judges saw them.
    edited, before = zip(*(_compared(judged) for judged in texts), strict=True)
    copies = sentence_scores(distance, {"": list(edited)}, list(before), None, language)[0]
    yield COPIES, np.where(has_source, copies, np.nan)
    yield LENGTH, np.array([len(text.rstrip()) for text in split], np.float64)
    yield CONSTANT, np.ones(len(split))
    yield RANDOM, np.random.Generator(np.random.PCG64(seed)).random(len(split))


def _compared(judged: JudgedText) -> tuple[str, str]:
    both = judged.text, judged.source or ""
    if judged.tokens == "contractions":
        return both
    return split_text(both[0], judged.tokens), split_text(both[1], judged.tokens)


def reference_based_scores(
    texts: Sequence[JudgedText],
    references: Sequence[Sequence[str | None]],
    metrics: Sequence[str],
    language: str,
) -> Iterator[tuple[str, FloatArray]]:
    """Yield the scores of every reference-based metric.

    Args:
        texts: texts of items whose source and references are known.
        references: references of each text, the same number for each; None if one is missing.
        metrics: names of metrics. Those that cannot be computed from texts alone are excluded.
        language: BCP 47 tag of the language.
    """
    split = [split_text(judged.text, judged.tokens) for judged in texts]
    sources = [split_text(judged.source or "", judged.tokens) for judged in texts]
    lists = [
        [None if text is None else split_text(text, judged.tokens) for text in text_references]
        for judged, text_references in zip(texts, references, strict=True)
    ]
    for name in metrics_for(metrics, language, reference_based=True):
        metric = metric_of_texts(name, outputs=False, language=language)
        yield name, sentence_scores(metric, {"": split}, sources, lists, language)[0]


def metrics_for(metrics: Sequence[str], language: str, *, reference_based: bool) -> list[str]:
    """Return the metrics that can score texts of the language, with or without references."""
    possible = set(offered(outputs=False, language=language))
    return [
        name
        for name in metrics
        if name in possible
        and metric_of_texts(name, outputs=False, language=language).reference_based
        == reference_based
    ]
