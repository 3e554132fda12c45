"""Formulas that are written once and run twice: on arrays, and as SQL in the database.

A formula is a function of named numbers. With arrays as input it returns an array. With `Sql` as
input it returns SQL text for the same computation, step by step in the same order. It may use
+ - * /, comparisons, and the functions of this module.

The F score is the weighted harmonic mean of precision and recall (van Rijsbergen 1979).

    F = (1 + beta^2) P R / (beta^2 P + R)    P = tp / proposed    R = tp / gold

P is 1 if nothing is proposed, R is 1 if there is nothing to find.
"""

from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

import numpy as np

from maege.analysis.metrics.families import FloatArray

# Splits a double into halves whose products with `scale` are exact (Dekker 1971).
_SPLITTER = 134_217_729.0


class Sql:
    def __init__(self, text: str) -> None:
        self.text = text

    def __str__(self) -> str:
        return self.text

    def __add__(self, other: "Sql | float") -> "Sql":
        return _sql("({} + {})", self, other)

    def __radd__(self, other: float) -> "Sql":
        return _sql("({} + {})", other, self)

    def __sub__(self, other: "Sql | float") -> "Sql":
        return _sql("({} - {})", self, other)

    def __rsub__(self, other: float) -> "Sql":
        return _sql("({} - {})", other, self)

    def __mul__(self, other: "Sql | float") -> "Sql":
        return _sql("({} * {})", self, other)

    def __rmul__(self, other: float) -> "Sql":
        return _sql("({} * {})", other, self)

    def __truediv__(self, other: "Sql | float") -> "Sql":
        return _sql("({} / {})", self, other)

    def __gt__(self, other: "Sql | float") -> "Sql":
        return _sql("({} > {})", self, other)

    def __lt__(self, other: "Sql | float") -> "Sql":
        return _sql("({} < {})", self, other)


# The input and output of a formula: Sql, or an array of floats. This is not a union, because a
# formula never mixes both.
Number: TypeAlias = Any
Named: TypeAlias = Mapping[str, Number]


def where(condition: Number, then: Number, otherwise: Number) -> Number:
    return _apply("if({}, {}, {})", np.where, condition, then, otherwise)


def is_equal(left: Number, right: Number) -> Number:
    return _apply("({} = {})", np.equal, left, right)


def count_true(condition: Number) -> Number:
    return _apply("{}::integer", lambda values: values.astype(np.float64), condition)


def at_least(left: Number, right: Number) -> Number:
    return _apply("greatest({}, {})", np.maximum, left, right)


def at_most(left: Number, right: Number) -> Number:
    return _apply("least({}, {})", np.minimum, left, right)


def exp(number: Number) -> Number:
    return _apply("exp({})", np.exp, number)


def log(number: Number) -> Number:
    return _apply("ln({})", np.log, number)


def power(base: float, exponent: Number) -> Number:
    return _apply(f"({base} ^ {{}})", lambda values: np.power(base, values), exponent)


def root(number: Number, degree: int) -> Number:
    return _apply(f"({{}} ^ {1 / degree!r})", lambda values: values ** (1 / degree), number)


def floor(number: Number) -> Number:
    return _apply("floor({})", np.floor, number)


def rounded(number: Number, decimals: int) -> Number:
    """Return the number rounded to this number of decimals, as by Python's `round`."""
    # Rounded as text, which uses the exact decimal value; SQL's ROUND multiplies and errs near
    # halves.
    return _apply(
        f"printf('%.{decimals}f', {{}})::double", lambda values: _rounded(values, decimals), number
    )


def _rounded(values: FloatArray, decimals: int) -> FloatArray:
    # Without the sign, because `scaled - below` is exact for positive numbers only.
    size = np.abs(np.asarray(values, dtype=np.float64))
    scale = float(10**decimals)
    scaled = size * scale
    below = np.floor(scaled)
    above_half = scaled - below - 0.5
    # The rounding error of the product breaks the tie.
    high = _SPLITTER * size
    high -= high - size
    error = (high * scale - scaled) + (size - high) * scale
    above_half = np.where(above_half == 0, error, above_half)
    above_half = np.where(above_half == 0, below % 2 - 0.5, above_half)
    return np.copysign((below + (above_half > 0)) / scale, values)


def _apply(template: str, function: Callable[..., Number], *operands: Number) -> Number:
    if any(isinstance(operand, Sql) for operand in operands):
        return _sql(template, *operands)
    return function(*operands)


def _sql(template: str, *operands: Sql | float) -> Sql:
    # Fifteen digits, so that 1 - 0.8 is written 0.2.
    return Sql(template.format(*(o if isinstance(o, Sql) else f"{o:.15g}" for o in operands)))


# Both branches are computed for all elements, so divisions by 0 occur in unused ones.
QUIET = np.errstate(divide="ignore", invalid="ignore")


@QUIET
def share(part: Number, total: Number) -> Number:
    return where(total > 0, part / total, 1)


@QUIET
def f_of_shares(precision: Number, recall: Number, beta: float) -> Number:
    weighted = beta**2 * precision + recall
    return where(weighted > 0, (1 + beta**2) * precision * recall / weighted, 0)


@QUIET
def f_of_counts(tp: Number, proposed: Number, gold: Number, beta: float) -> Number:
    """Return F, 1 without any edits. F exceeds 1 if duplicated gold edits count twice."""
    weighted = proposed + beta**2 * gold
    return where(is_equal(weighted, 0), 1, (1 + beta**2) * tp / weighted)


def shares_of_sums(sums: FloatArray, beta: float) -> dict[str, FloatArray]:
    """Return the measures of tp, proposed and gold on the last axis."""
    tp, proposed, gold = np.moveaxis(sums, -1, 0)
    p, r = share(tp, proposed), share(tp, gold)
    return {
        "tp": tp,
        "fp": proposed - tp,
        "fn": gold - tp,
        "p": p,
        "r": r,
        "f": f_of_shares(p, r, beta),
    }


def f_of_sums(sums: FloatArray, beta: float) -> FloatArray:
    return shares_of_sums(sums, beta)["f"]
