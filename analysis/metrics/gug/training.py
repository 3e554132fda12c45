"""The logistic regression of grammaticality, as Napoles et al. 2016 trained it on GUG.

A sentence is grammatical if its average judgment is at least 3.5. Sentences that the expert did not
recognise as English (0) are excluded from training. Features are divided by their standard
deviation, not centred. The logistic regression has an L2 penalty on all weights except the
intercept. Five-fold cross-validation chooses, from ten penalties, the one with the highest
accuracy, as scikit-learn's LogisticRegressionCV does.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize
from scipy.special import expit

from maege.analysis.metrics.families.base import FloatArray
from maege.analysis.metrics.gug.score import GugModel

GRAMMATICAL = 3.5
NO_ENGLISH = 0

# Inverse strengths of the L2 penalty, from a strong penalty to a weak one.
FREEDOMS = np.logspace(-4, 4, 10)
FOLDS = 5
_EXACT = {"gtol": 1e-9, "ftol": 1e-15, "maxiter": 10_000}


@dataclass(frozen=True)
class Evaluation:
    """Accuracy of a model on unseen sentences, and Pearson's r with the average judgments."""

    sentences: int
    accuracy: float
    larger_class: float
    pearson_r: float


def split(texts: Sequence[str]) -> list[list[str]]:
    """Tokenise raw texts as in corpora of corrections (Penn Treebank)."""
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
    """Return the fold of every sentence. Folds are stratified by class and keep the order.

    Surplus sentences of a class go to the folds after the last one that got a surplus sentence of
    the previous class. The class of the first sentence comes first, as in scikit-learn's
    StratifiedKFold.
    """
    numbers = np.empty(len(grammatical), dtype=np.intp)
    dealt = 0
    for label in (grammatical[0], not grammatical[0]):
        (places,) = np.nonzero(grammatical == label)
        folds = (np.arange(len(places)) + dealt) % FOLDS
        numbers[places] = np.sort(folds)
        dealt += len(places)
    return numbers


def _best_freedom(rows: FloatArray, grammatical: NDArray[np.bool_]) -> float:
    """Return the smallest of FREEDOMS with the highest cross-validated accuracy."""
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
    """Return the weights of the columns. The last column, all 1, is not penalised."""
    labels = np.where(grammatical, 1.0, -1.0)
    penalised = np.arange(rows.shape[1]) < rows.shape[1] - 1

    def loss(weights: FloatArray) -> tuple[float, FloatArray]:
        margins, penalty = labels * (rows @ weights), penalised * weights / freedom
        gradient = rows.T @ (-labels * expit(-margins)) + penalty
        return float(np.logaddexp(0, -margins).sum() + weights @ penalty / 2), gradient

    result = minimize(loss, np.zeros(rows.shape[1]), jac=True, method="L-BFGS-B", options=_EXACT)
    weights: FloatArray = result.x
    return weights


def probabilities(model: GugModel, features: Mapping[str, FloatArray]) -> FloatArray:
    """Return the probability that each sentence is grammatical."""
    result: FloatArray = expit(model.sum_of(features) + model.intercept)
    return result


def evaluate(
    model: GugModel, features: Mapping[str, FloatArray], averages: FloatArray
) -> Evaluation:
    """Return accuracy, the accuracy of the majority class, and r with the average judgments."""
    predicted, grammatical = probabilities(model, features), averages >= GRAMMATICAL
    share = float(grammatical.mean())
    return Evaluation(
        sentences=len(averages),
        accuracy=float(((predicted >= 0.5) == grammatical).mean()),
        larger_class=max(share, 1 - share),
        pearson_r=float(np.corrcoef(predicted, averages)[0, 1]),
    )
