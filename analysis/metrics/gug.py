"""Grammaticality learned from GUG: a logistic regression over features of the text.

Heilman et al. 2014; Asano et al. 2017 added the number of LanguageTool's errors:

    score = odds / (1 + odds),  odds = exp(intercept + sum of slope x feature)

Users train the coefficients (`maege train grammaticality`), because the licence of the data does
not allow redistribution. LanguageTool's errors come from the metrics `lt` or `lt37`.

The features are misspellings and trigram statistics of a text (Heilman et al. 2014, "Predicting
Grammaticality on an Ordinal Scale", as used by Napoles et al. 2016), without link grammar and
parser, which do not improve the accuracy. N-grams have no marks for beginning and end.

The training is that of Napoles et al. 2016. A sentence is grammatical if its average judgment is at
least 3.5. Sentences that the expert did not recognise as English (0) are excluded. Features are
divided by their standard deviation, not centred. The logistic regression has an L2 penalty on all
weights except the intercept. Five-fold cross-validation chooses the most accurate of ten penalties,
as scikit-learn's LogisticRegressionCV does.
"""

import hashlib
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache, partial
from typing import ClassVar

import numpy as np
import scipy  # its modules are imported at first use: scores do not need them
from numpy.typing import NDArray

from maege.analysis.metrics.families import ENGLISH, FloatArray, Slice, StatisticsFamily
from maege.analysis.metrics.formula import Named, Number, at_least, exp, log
from maege.analysis.metrics.language_models import (
    TRIGRAM_SHA256,
    TRIGRAM_VERSION,
    Trigram,
)
from maege.analysis.metrics.meaning import is_known, load_dictionary
from maege.analysis.metrics.scores import Composite, FamilyScore, Score, ScoredElsewhere

# log10 of the probability of an unknown word.
UNKNOWN = -7.0
ORDERS = (1, 2, 3)
NGRAMS = tuple(f"lm_{kind}_{n}" for n in ORDERS for kind in ("min", "max", "mean"))
STATISTICS = ("tokens", "misspelt", "letter_tokens", "lm_log10_per_token", "lm_unknown", *NGRAMS)
# Texts of one sentence share most of their words.
_REMEMBERED = 200_000


class GugFeatures(StatisticsFamily):
    name = "gug_features"
    parameters = (
        ("model", f"pocketsphinx{TRIGRAM_VERSION}-en-us-trigram"),
        ("sha256", TRIGRAM_SHA256[:12]),
        ("spelling", "en_US-spylls0.1.7"),
        ("unknown", f"{UNKNOWN:g}"),
    )
    languages = ENGLISH
    other_languages = "add a classifier of that language to metrics.yml"
    statistics = STATISTICS
    cost: ClassVar[int] = 10

    def _compute_slice(self, piece: Slice) -> FloatArray:
        rows, requests = np.unique(piece.hypotheses, return_inverse=True)
        texts = [piece.texts[row].split() for row in rows.tolist()]
        return load_reader().read(texts)[requests]


@cache
def load_reader() -> "Reader":
    return Reader(Trigram(), load_dictionary())


class Reader:
    def __init__(self, trigram: Trigram, is_word: Callable[[str], bool]) -> None:
        self._trigram = trigram
        self._knows = lru_cache(_REMEMBERED)(partial(is_known, is_word=is_word))

    def read(self, texts: Sequence[Sequence[str]]) -> FloatArray:
        rows = [self._statistics(tokens) for tokens in texts]
        return np.array(rows, dtype=np.float64).reshape(len(texts), len(STATISTICS))

    def _statistics(self, tokens: Sequence[str]) -> tuple[float, ...]:
        letter_tokens = [token for token in tokens if token.isalpha()]
        misspelt = sum(not self._knows(token) for token in letter_tokens)
        words = self._trigram.words(" ".join(tokens))
        log10_sum, _, length, unknown = self._trigram.score_words(words)
        per_token = (log10_sum + UNKNOWN * unknown) / max(length, 1)
        ngrams = [value for n in ORDERS for value in self._ngram_features(words, n)]
        return len(tokens), misspelt, len(letter_tokens), per_token, unknown, *ngrams

    def _ngram_features(self, words: Sequence[str], n: int) -> tuple[float, float, float]:
        ngrams = [tuple(words[start : start + n]) for start in range(len(words) - n + 1)]
        if not ngrams:
            return 0.0, 0.0, 0.0
        values = [self._log10(ngram) for ngram in dict.fromkeys(ngrams)]
        return min(values), max(values), math.fsum(values) / len(ngrams)

    def _log10(self, ngram: tuple[str, ...]) -> float:
        # After an unknown word, unigrams are used.
        unigrams = [self._trigram.unigram(word) for word in ngram]
        first = unigrams.index(None) if None in unigrams else len(ngram)
        log10_sum, history = 0.0, self._trigram.empty
        for word in ngram[:first]:
            log10, history = self._trigram.after(history, word)
            log10_sum += log10
        return log10_sum + sum(UNKNOWN if value is None else value for value in unigrams[first:])


TEXT_FEATURES = (
    *("misspelt", "misspelt_log", "misspelt_share", "lm_log10_per_token", "lm_unknown"),
    *NGRAMS,
)
# Error features by the metric that supplied the errors in training.
ERROR_FEATURES = {
    "lt": ("errors", "errors_log", "errors_share"),
    "lt37": ("lt37_errors", "lt37_errors_log", "lt37_errors_share"),
}
FEATURES = (*TEXT_FEATURES, *(name for names in ERROR_FEATURES.values() for name in names))
INTERCEPT = "intercept"
# All parts of the score share this object, so that they read the same statistics.
FAMILY = GugFeatures()


@dataclass(frozen=True)
class GugModel:
    slopes: tuple[tuple[str, float], ...] = ()
    intercept: float = 0.0

    @property
    def errors_by(self) -> str | None:
        used = {name for name, _ in self.slopes}
        return next((metric for metric, names in ERROR_FEATURES.items() if used & set(names)), None)

    @classmethod
    def of(cls, coefficients: Mapping[str, float]) -> "GugModel | None":
        slopes = tuple((n, coefficients[n]) for n in FEATURES if n in coefficients)
        return cls(slopes, coefficients[INTERCEPT]) if slopes else None

    @property
    def coefficients(self) -> dict[str, float]:
        return {**dict(self.slopes), INTERCEPT: self.intercept}

    def name(self) -> str:
        if not self.slopes:
            return "none"
        return hashlib.sha256(repr((self.slopes, self.intercept)).encode()).hexdigest()[:12]

    def sum_of(self, features: Mapping[str, Number]) -> Number:
        total: Number = 0.0
        for name, slope in self.slopes:
            if name in features:
                total = total + slope * features[name]
        return total


def text_features(of: Named) -> dict[str, Number]:
    misspelt = of["misspelt"]
    return {name: of[name] for name in TEXT_FEATURES if name.startswith("lm_")} | {
        "misspelt": misspelt,
        "misspelt_log": log(1 + misspelt),
        "misspelt_share": misspelt / at_least(of["letter_tokens"], 1),
    }


def error_features(metric: str, score: Number, tokens: Number) -> dict[str, Number]:
    share = 1 - score
    errors = share * tokens
    return dict(zip(ERROR_FEATURES[metric], (errors, log(1 + errors), share), strict=True))


@dataclass(frozen=True)
class GugText(FamilyScore):
    model: GugModel
    family = FAMILY

    def sentence_score(self, of: Named) -> Number:
        return self.model.sum_of(text_features(of)) + self.model.intercept


class GugTokens(FamilyScore):
    family = FAMILY

    def sentence_score(self, of: Named) -> Number:
        return of["tokens"]


@dataclass(frozen=True)
class GugScore(Composite):
    model: GugModel = GugModel()

    @property
    def parts(self) -> Mapping[str, Score]:
        parts: dict[str, Score] = {"gug_text": GugText(self.model)}
        if metric := self.model.errors_by:
            parts |= {"gug_tokens": GugTokens(), metric: ScoredElsewhere(metric)}
        return parts

    @property
    def parameters(self) -> tuple[tuple[str, str], ...]:
        return (("model", self.model.name()),)

    def combine(self, of: Named) -> Number:
        logit = of["gug_text"]
        if metric := self.model.errors_by:
            logit = logit + self.model.sum_of(error_features(metric, of[metric], of["gug_tokens"]))
        odds = exp(logit)
        return odds / (1 + odds)


GRAMMATICAL = 3.5
NO_ENGLISH = 0

# Inverse strengths of the L2 penalty, from a strong penalty to a weak one.
FREEDOMS = np.logspace(-4, 4, 10)
FOLDS = 5
_EXACT = {"gtol": 1e-9, "ftol": 1e-15, "maxiter": 10_000}


@dataclass(frozen=True)
class Evaluation:
    sentences: int
    accuracy: float
    larger_class: float
    pearson_r: float


def split(texts: Sequence[str]) -> list[list[str]]:
    from nltk.tokenize import TreebankWordTokenizer

    tokenize = TreebankWordTokenizer().tokenize
    # NLTK's tokeniser writes quotation marks in its own way.
    return [['"' if token in ("``", "''") else token for token in tokenize(t)] for t in texts]


def train(features: Mapping[str, FloatArray], grammatical: NDArray[np.bool_]) -> GugModel:
    """Return the regression of `grammatical` on the features, each of shape (sentences,)."""
    columns = np.column_stack(list(features.values()))
    scales = columns.std(axis=0)
    # A feature with constant values is not scaled.
    scales[scales == 0] = 1
    rows = np.column_stack([columns / scales, np.ones(len(columns))])
    freedom = _best_freedom(rows, grammatical)
    weights = _fit(rows, grammatical, freedom)
    slopes = (weights[:-1] / scales).tolist()
    return GugModel(tuple(zip(features, slopes, strict=True)), float(weights[-1]))


def fold_numbers(grammatical: NDArray[np.bool_]) -> NDArray[np.intp]:
    """Return the fold of every sentence, as in scikit-learn's StratifiedKFold."""
    numbers = np.empty(len(grammatical), dtype=np.intp)
    dealt = 0
    for label in (grammatical[0], not grammatical[0]):
        (places,) = np.nonzero(grammatical == label)
        folds = (np.arange(len(places)) + dealt) % FOLDS
        numbers[places] = np.sort(folds)
        dealt += len(places)
    return numbers


def _best_freedom(rows: FloatArray, grammatical: NDArray[np.bool_]) -> float:
    folds = fold_numbers(grammatical)
    accuracies = []
    for freedom in FREEDOMS:
        fold_accuracies = []
        for fold in range(FOLDS):
            test = folds == fold
            weights = _fit(rows[~test], grammatical[~test], freedom)
            fold_accuracies.append(((rows[test] @ weights >= 0) == grammatical[test]).mean())
        accuracies.append(np.mean(fold_accuracies))
    return float(FREEDOMS[np.argmax(accuracies)])


def _fit(rows: FloatArray, grammatical: NDArray[np.bool_], freedom: float) -> FloatArray:
    labels = np.where(grammatical, 1.0, -1.0)
    # The last column, all 1, has the intercept.
    penalised = np.arange(rows.shape[1]) < rows.shape[1] - 1

    def loss(weights: FloatArray) -> tuple[float, FloatArray]:
        margins, penalty = labels * (rows @ weights), penalised * weights / freedom
        gradient = rows.T @ (-labels * scipy.special.expit(-margins)) + penalty
        return float(np.logaddexp(0, -margins).sum() + weights @ penalty / 2), gradient

    result = scipy.optimize.minimize(
        loss, np.zeros(rows.shape[1]), jac=True, method="L-BFGS-B", options=_EXACT
    )
    weights: FloatArray = result.x
    return weights


def probabilities(model: GugModel, features: Mapping[str, FloatArray]) -> FloatArray:
    result: FloatArray = scipy.special.expit(model.sum_of(features) + model.intercept)
    return result


def evaluate(
    model: GugModel, features: Mapping[str, FloatArray], averages: FloatArray
) -> Evaluation:
    predicted, grammatical = probabilities(model, features), averages >= GRAMMATICAL
    share = float(grammatical.mean())
    return Evaluation(
        sentences=len(averages),
        accuracy=float(((predicted >= 0.5) == grammatical).mean()),
        larger_class=max(share, 1 - share),
        pearson_r=float(np.corrcoef(predicted, averages)[0, 1]),
    )
