"""Plain implementations of the metrics, sentence by sentence like the original programs.

Tests compare the vectorised implementations with them.
"""

from collections import Counter
from collections.abc import Sequence

from nltk.translate.bleu_score import SmoothingFunction, sentence_bleu

ORDERS = (1, 2, 3, 4)

Ngrams = Counter[tuple[str, ...]]


def ngrams(tokens: Sequence[str], order: int) -> Ngrams:
    """Return how often each n-gram occurs."""
    return Counter(tuple(tokens[start : start + order]) for start in range(len(tokens) - order + 1))


def bleu(hypothesis: str, references: Sequence[str]) -> float:
    """Return NLTK's sentence BLEU with smoothing method 3, as MAEGE calls it."""
    tokens = hypothesis.split()
    reference_tokens = [reference.split() for reference in references]
    order = min([len(tokens), 4, *(len(r) for r in reference_tokens if r)])
    if not order:
        return 0.0
    weights = (1 / order,) * order
    smoothing = SmoothingFunction().method3
    return float(sentence_bleu(reference_tokens, tokens, weights, smoothing))


def green_counts(source: str, hypothesis: str, reference: str) -> list[tuple[int, int, int]]:
    """Return GREEN's TP, FP and FN of each order against one reference, n-gram by n-gram."""
    result = []
    for order in ORDERS:
        s, h, r = (ngrams(text.split(), order) for text in (source, hypothesis, reference))
        tp = fp = fn = 0
        for gram in s.keys() | h.keys() | r.keys():
            in_s, in_h, in_r = s[gram], h[gram], r[gram]
            tp += min(in_s, in_h, in_r) + max(0, in_s - max(in_h, in_r))
            tp += max(0, min(in_h, in_r) - in_s)
            fp += max(0, min(in_s, in_r) - in_h) + max(0, in_h - max(in_s, in_r))
            fn += max(0, min(in_s, in_h) - in_r) + max(0, in_r - max(in_s, in_h))
        result.append((tp, fp, fn))
    return result


def gleu_statistics(source: str, hypothesis: str, reference: str) -> list[int]:
    """Return both lengths, then numerator and total of each order, as Napoles et al. 2016 do."""
    length = len(hypothesis.split())
    result = [length, len(reference.split())]
    for order in ORDERS:
        s, h, r = (ngrams(text.split(), order) for text in (source, hypothesis, reference))
        unwanted: Ngrams = Counter({gram: count for gram, count in s.items() if gram not in r})
        result.append(max((h & r).total() - (h & unwanted).total(), 0))
        result.append(max(length + 1 - order, 0))
    return result


def gleu_equation_penalty(hypothesis: Ngrams, source: Ngrams, reference: Ngrams) -> int:
    """Return the penalty of one order by Equation 1 of Napoles et al. 2016, term by term."""
    return sum(
        max(0, min(hypothesis[gram], source[gram]) - min(hypothesis[gram], reference[gram]))
        for gram in hypothesis.keys() & source.keys()
    )


def sari(source: str, hypothesis: str, references: Sequence[str]) -> list[float]:
    """Return keep, delete and add, each the mean over n, after the program of Xu et al. 2016."""
    parts = [0.0, 0.0, 0.0]
    for order in ORDERS:
        source_counts, hypothesis_counts = (
            ngrams(text.lower().split(" "), order) for text in (source, hypothesis)
        )
        reference_counts: Ngrams = Counter()
        for reference in references:
            reference_counts.update(ngrams(reference.lower().split(" "), order))
        for part, value in enumerate(
            _sari_of_order(source_counts, hypothesis_counts, reference_counts, len(references))
        ):
            parts[part] += value / len(ORDERS)
    return parts


def _sari_of_order(
    source: Ngrams, hypothesis: Ngrams, references: Ngrams, n_references: int
) -> tuple[float, float, float]:
    source_scaled: Ngrams = Counter({g: c * n_references for g, c in source.items()})
    hypothesis_scaled: Ngrams = Counter({g: c * n_references for g, c in hypothesis.items()})

    shared = source_scaled & hypothesis_scaled
    kept_well = shared & references
    keepable = source_scaled & references
    keep = _f1(_mean_ratio(kept_well, shared), _mean_ratio(kept_well, keepable))

    deleted = source_scaled - hypothesis_scaled
    delete = _mean_ratio(deleted - references, deleted)

    added = hypothesis.keys() - source.keys()
    addable = references.keys() - source.keys()
    added_well = added & references.keys()
    add = _f1(len(added_well) / max(len(added), 1), len(added_well) / max(len(addable), 1))
    return keep, delete, add


def _mean_ratio(good: Ngrams, everything: Ngrams) -> float:
    if not everything:
        return 0.0
    return sum(count / everything[gram] for gram, count in good.items()) / len(everything)


def _f1(precision: float, recall: float) -> float:
    if precision + recall == 0:
        return 0.0
    return 2 * precision * recall / (precision + recall)


def levenshtein(left: str, right: str) -> int:
    """Return the edit distance in characters by the textbook recurrence."""
    previous = list(range(len(right) + 1))
    for row, left_character in enumerate(left, start=1):
        current = [row]
        for column, right_character in enumerate(right, start=1):
            substitution = previous[column - 1] + (left_character != right_character)
            current.append(min(substitution, previous[column] + 1, current[-1] + 1))
        previous = current
    return previous[-1]
