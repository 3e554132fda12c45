"""Grammaticality learned from GUG: a logistic regression over features of the text.

Heilman et al. 2014; Asano et al. 2017 added the number of LanguageTool's errors:

    score = odds / (1 + odds),  odds = exp(intercept + sum of slope x feature)

Users train the coefficients (`maege train grammaticality`), because the licence of the data does
not allow redistribution. LanguageTool's errors come from the metrics `lt` or `lt37`, which are 1 -
errors / tokens.
"""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass

from maege.analysis.metrics.gug.family import NGRAMS, GugFeatures
from maege.analysis.metrics.scores.formula import Named, Number, at_least, exp, log
from maege.analysis.metrics.scores.score import Composite, FamilyScore, Score, ScoredElsewhere

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
    """A trained model: the coefficient of each feature, and the intercept."""

    slopes: tuple[tuple[str, float], ...] = ()
    intercept: float = 0.0

    @property
    def errors_by(self) -> str | None:
        """The metric whose errors are among the features; None if there is none."""
        read = {name for name, _ in self.slopes}
        return next((by for by, names in ERROR_FEATURES.items() if read & set(names)), None)

    @classmethod
    def of(cls, coefficients: Mapping[str, float]) -> "GugModel | None":
        """Return the model from its stored coefficients, None if there are none."""
        slopes = tuple((n, coefficients[n]) for n in FEATURES if n in coefficients)
        return cls(slopes, coefficients[INTERCEPT]) if slopes else None

    @property
    def coefficients(self) -> dict[str, float]:
        """The coefficients by name, as they are stored."""
        return {**dict(self.slopes), INTERCEPT: self.intercept}

    def name(self) -> str:
        """Return the model's part of a signature: twelve digits of its hash, or `none`."""
        if not self.slopes:
            return "none"
        return hashlib.sha256(repr((self.slopes, self.intercept)).encode()).hexdigest()[:12]

    def sum_of(self, features: Mapping[str, Number]) -> Number:
        """Return the sum of the terms whose features are given."""
        total: Number = 0.0
        for name, slope in self.slopes:
            if name in features:
                total = total + slope * features[name]
        return total


def text_features(of: Named) -> dict[str, Number]:
    """Return the TEXT_FEATURES from the family's statistics by name."""
    misspelt = of["misspelt"]
    return {name: of[name] for name in TEXT_FEATURES if name.startswith("lm_")} | {
        "misspelt": misspelt,
        "misspelt_log": log(1 + misspelt),
        "misspelt_share": misspelt / at_least(of["letter_tokens"], 1),
    }


def error_features(by: str, score: Number, tokens: Number) -> dict[str, Number]:
    """Return the ERROR_FEATURES of a metric from its score and the number of tokens."""
    share = 1 - score
    errors = share * tokens
    return dict(zip(ERROR_FEATURES[by], (errors, log(1 + errors), share), strict=True))


@dataclass(frozen=True)
class GugText(FamilyScore):
    """The part of the sum that depends on the text alone."""

    model: GugModel
    family = FAMILY

    def sentence_score(self, of: Named) -> Number:
        """Return the sum of the text features."""
        return self.model.sum_of(text_features(of)) + self.model.intercept


class GugTokens(FamilyScore):
    """The number of tokens, the divisor of LanguageTool's errors."""

    family = FAMILY

    def sentence_score(self, of: Named) -> Number:
        """Return the number of tokens."""
        return of["tokens"]


@dataclass(frozen=True)
class GugScore(Composite):
    """The probability that a sentence is grammatical. A corpus has the mean over its sentences."""

    model: GugModel = GugModel()

    @property
    def parts(self) -> Mapping[str, Score]:
        """Return the sum over text features and, for errors, tokens and LanguageTool's score."""
        parts: dict[str, Score] = {"gug_text": GugText(self.model)}
        if by := self.model.errors_by:
            parts |= {"gug_tokens": GugTokens(), by: ScoredElsewhere(by)}
        return parts

    @property
    def parameters(self) -> tuple[tuple[str, str], ...]:
        """The model's entry in a signature."""
        return (("model", self.model.name()),)

    def combine(self, of: Named) -> Number:
        """Return the probability that the sentence is grammatical."""
        logit = of["gug_text"]
        if by := self.model.errors_by:
            logit = logit + self.model.sum_of(error_features(by, of[by], of["gug_tokens"]))
        odds = exp(logit)
        return odds / (1 + odds)
