"""exp and erfc as arithmetic alone, for loops over lanes: calls keep them from vector instructions.

Near 0, where TrueSkill asks for them, both give every bit of what the C library of GNU (2.28 and
later) gives on processors with fused multiplication and addition, and do so on every machine. exp
is that of Arm's optimized routines: x is k ln(2) / 128 and a rest; 2^(k / 128) comes from a table,
with what its rounding lost, and the rest's exponential from a polynomial of degree 5. erfc is
Sun's (fdlibm, 1993): 1 - x - x R(x^2) with a quotient R of polynomials. Farther away the
library's own functions answer.
"""

import math
from decimal import Decimal, localcontext

import numpy as np

from analysis.metrics.compiled import compiled
from analysis.metrics.instructions import bits_of, multiply_add, number_of
from analysis.statistics.judged_pairs import Floats, Integers

EXP_REACH = 512.0
ERFC_REACH = 0.84375

_TABLE_BITS = 7
_ROWS = 1 << _TABLE_BITS
_MANTISSA_BITS = 52
# Added to a number it leaves the nearest whole one in the last bits.
_SHIFT = 1.5 * 2.0**_MANTISSA_BITS
_ROWS_A_LN2 = float.fromhex("0x1.71547652b82fep0") * _ROWS
# -ln(2) / 128 in two parts, the first short enough for exact products.
_LN2_HIGH = float.fromhex("-0x1.62e42fefa0000p-8")
_LN2_LOW = float.fromhex("-0x1.cf79abc9e3b39p-47")
_C2, _C3, _C4, _C5 = map(
    float.fromhex,
    (
        "0x1.ffffffffffdbdp-2",
        "0x1.555555555543cp-3",
        "0x1.55555cf172b91p-5",
        "0x1.1111167a4d017p-7",
    ),
)
_P0, _P1, _P2, _P3, _P4 = (
    *(1.28379167095512558561e-01, -3.25042107247001499370e-01, -2.84817495755985104766e-02),
    *(-5.77027029648944159157e-03, -2.37630166566501626084e-05),
)
_Q1, _Q2, _Q3, _Q4, _Q5 = (
    *(3.97917223959155352819e-01, 6.50222499887672944485e-02, 5.08130628187576562776e-03),
    *(1.32494738004321644526e-04, -3.96022827877536812320e-06),
)


def _powers_of_two() -> tuple[Integers, Floats]:
    """Return 2^(k / 128) as bits, less those of k, and what each lost, as a share of it."""
    with localcontext() as context:
        context.prec = 60
        exact = [(Decimal(2).ln() * k / _ROWS).exp() for k in range(_ROWS)]
        rounded = np.array([float(power) for power in exact])
        lost = [float(power / Decimal(float(power)) - 1) for power in exact]
    places = np.arange(_ROWS, dtype=np.int64) << (_MANTISSA_BITS - _TABLE_BITS)
    return rounded.view(np.int64) - places, np.array(lost)


_POWERS, _LOST = _powers_of_two()


@compiled
def exp(x: float) -> float:
    """Return e^x."""
    return near_exp(x) if abs(x) < EXP_REACH else math.exp(x)


@compiled
def erfc(x: float) -> float:
    """Return 1 less the error function of x."""
    return near_erfc(x) if abs(x) < ERFC_REACH else math.erfc(x)


@compiled
def near_exp(x: float) -> float:
    """Return e^x where |x| is below EXP_REACH."""
    shifted = multiply_add(_ROWS_A_LN2, x, _SHIFT)
    whole, k = shifted - _SHIFT, bits_of(shifted)
    rest = multiply_add(whole, _LN2_LOW, multiply_add(whole, _LN2_HIGH, x))
    row = k & (_ROWS - 1)
    scale = number_of(_POWERS[row] + (k << (_MANTISSA_BITS - _TABLE_BITS)))
    square = rest * rest
    grown = multiply_add(square, multiply_add(rest, _C3, _C2), _LOST[row] + rest)
    grown = multiply_add(square * square, multiply_add(rest, _C5, _C4), grown)
    power: float = multiply_add(scale, grown, scale)
    return power


@compiled
def near_erfc(x: float) -> float:
    """Return erfc(x) where |x| is below ERFC_REACH."""
    z = x * x
    z2 = z * z
    z4 = z2 * z2
    upper = _P0 + z * _P1 + z2 * (_P2 + z * _P3) + z4 * _P4
    lower = 1.0 + z * _Q1 + z2 * (_Q2 + z * _Q3) + z4 * (_Q4 + z * _Q5)
    more = x * np.divide(upper, lower)
    rest: float = 1.0 - (x + more) if x < 0.25 else 0.5 - (more + (x - 0.5))
    return rest
