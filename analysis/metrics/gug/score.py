"""Grammaticality learned from GUG: a logistic regression over features of the text.

Heilman et al. 2014; the number of LanguageTool's errors is Asano et al.'s 2017 addition:

    score = odds / (1 + odds),  odds = exp(intercept + sum of slope x feature)

The coefficients are trained by the user (`maege train grammaticality`): the data may not be passed
on. LanguageTool's errors come from the metric `lt`, or `lt37`, 1 - errors / tokens.
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
# By the metric whose errors a model was trained with.
ERROR_FEATURES = {
    "lt": ("errors", "errors_log", "errors_share"),
    "lt37": ("lt37_errors", "lt37_errors_log", "lt37_errors_share"),
}
FEATURES = (*TEXT_FEATURES, *(name for names in ERROR_FEATURES.values() for name in names))
INTERCEPT = "intercept"
# One for all parts of the score, which are then known to read the same.
FAMILY = GugFeatures()


@dataclass(frozen=True)
class GugModel:
    """A trained model: the coefficient of each feature, and the intercept."""

    slopes: tuple[tuple[str, float], ...] = ()
    intercept: float = 0.0

    @property
    def errors_by(self) -> str | None:
        """The metric whose errors are among the features, None where none are."""
        read = {name for name, _ in self.slopes}
        return next((by for by, names in ERROR_FEATURES.items() if read & set(names)), None)

    @classmethod
    def of(cls, coefficients: Mapping[str, float]) -> "GugModel | None":
        """Return the model from its stored coefficients, None if there are none."""
        slopes = tuple((n, coefficients[n]) for n in FEATURES if n in coefficients)
        return cls(slopes, coefficients[INTERCEPT]) if slopes else None

    @property
    def coefficients(self) -> dict[str, float]:
        """What is stored of the model."""
        return {**dict(self.slopes), INTERCEPT: self.intercept}

    def name(self) -> str:
        """Return what a signature has of it: twelve digits of its hash, `none` if untrained."""
        if not self.slopes:
            return "none"
        return hashlib.sha256(repr((self.slopes, self.intercept)).encode()).hexdigest()[:12]

    def sum_of(self, features: Mapping[str, Number]) -> Number:
        """Return the sum of those terms whose features are given."""
        total: Number = 0.0
        for name, slope in self.slopes:
            if name in features:
                total = total + slope * features[name]
        return total


def text_features(of: Named) -> dict[str, Number]:
    """Return the TEXT_FEATURES, given the family's statistics by name."""
    misspelt = of["misspelt"]
    return {name: of[name] for name in TEXT_FEATURES if name.startswith("lm_")} | {
        "misspelt": misspelt,
        "misspelt_log": log(1 + misspelt),
        "misspelt_share": misspelt / at_least(of["letter_tokens"], 1),
    }


def error_features(by: str, score: Number, tokens: Number) -> dict[str, Number]:
    """Return the ERROR_FEATURES of a metric, given its score and the number of tokens."""
    share = 1 - score
    errors = share * tokens
    return dict(zip(ERROR_FEATURES[by], (errors, log(1 + errors), share), strict=True))


@dataclass(frozen=True)
class GugText(FamilyScore):
    """The part of the sum that the text alone decides."""

    model: GugModel
    family = FAMILY

    def sentence_score(self, of: Named) -> Number:
        """Return it."""
        return self.model.sum_of(text_features(of)) + self.model.intercept


class GugTokens(FamilyScore):
    """The number of tokens, by which LanguageTool's errors were divided."""

    family = FAMILY

    def sentence_score(self, of: Named) -> Number:
        """Return it."""
        return of["tokens"]


@dataclass(frozen=True)
class GugScore(Composite):
    """The probability of "grammatical"; a corpus has the mean of its sentences."""

    model: GugModel = GugModel()

    @property
    def parts(self) -> Mapping[str, Score]:
        """The sum over the text; for errors the number of tokens and LanguageTool's score."""
        parts: dict[str, Score] = {"gug_text": GugText(self.model)}
        if by := self.model.errors_by:
            parts |= {"gug_tokens": GugTokens(), by: ScoredElsewhere(by)}
        return parts

    @property
    def parameters(self) -> tuple[tuple[str, str], ...]:
        """The model, as a signature has it."""
        return (("model", self.model.name()),)

    def combine(self, of: Named) -> Number:
        """Return the probability."""
        logit = of["gug_text"]
        if by := self.model.errors_by:
            logit = logit + self.model.sum_of(error_features(by, of[by], of["gug_tokens"]))
        odds = exp(logit)
        return odds / (1 + odds)
