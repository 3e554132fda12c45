"""Instructions of the processor that no operator of Python stands for, for kernels to call."""

from collections.abc import Callable
from typing import Any

from analysis.metrics.compiled import Kernel


class _Instruction(Kernel[..., Any]):
    """An instruction of LLVM; outside kernels it cannot be called."""

    def __init__(self, write: Callable[..., object], types: str, result: str) -> None:
        self._write, self._types, self._result = write, types.split(), result
        self._part: Any = None

    def part(self) -> Any:  # noqa: ANN401 - numba has no types
        """Return what numba writes in place of a call."""
        if self._part is None:
            self._part = self._intrinsic()
        return self._part

    def _intrinsic(self) -> Any:  # noqa: ANN401 - numba's
        from numba.core import types
        from numba.extending import intrinsic

        signature = getattr(types, self._result)(*(getattr(types, one) for one in self._types))

        # numba asks for the arguments by name.
        def of_one(typing: object, x: object) -> Any:  # noqa: ANN401, ARG001
            return signature, self._write

        def of_three(typing: object, x: object, y: object, z: object) -> Any:  # noqa: ANN401, ARG001
            return signature, self._write

        return intrinsic(of_one if len(self._types) == 1 else of_three)


def _multiply_add(context: object, builder: Any, signature: object, operands: Any) -> object:  # noqa: ANN401, ARG001
    return builder.fma(*operands)


def _cast(context: Any, builder: Any, signature: Any, operands: Any) -> object:  # noqa: ANN401
    return builder.bitcast(*operands, context.get_value_type(signature.return_type))


# x y + z, rounded once.
multiply_add = _Instruction(_multiply_add, "float64 float64 float64", "float64")
# The bits of a double as a whole number, and the other way round.
bits_of = _Instruction(_cast, "float64", "int64")
number_of = _Instruction(_cast, "int64", "float64")
