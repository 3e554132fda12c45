"""How numba is kept from making machine code of what only kernels call.

numba optimises every function by itself, with all that it calls, and makes machine code of that: a
helper three calls deep four times. Most functions are never called from Python. Here a function
stays as numba wrote it until somebody asks where its machine code is; then it and all that it calls
are optimised together, once.
"""

from functools import cache
from typing import Any

from numba.core.codegen import JITCodeLibrary, JITCPUCodegen
from numba.core.environment import lookup_environment
from numba.core.registry import cpu_target
from numba.core.runtime import rtsys

# What numba calls the variables that hold a function's objects of Python.
_ENVIRONMENT = "_ZN08NumbaEnv"


class _Library(JITCodeLibrary):  # type: ignore[misc]
    """A function, and what it calls; machine code as soon as somebody asks for an address in it."""

    _is_machine_code = False

    def finalize(self) -> None:
        """Let nothing more be added."""
        self._raise_if_finalized()
        self._finalized = True

    def get_pointer_to_function(self, name: str) -> int:
        """Return a function's address; 0 where this library has none of that name."""
        self._ensure_finalized()
        if not self._is_machine_code and self._defines(name):
            self._make_machine_code()
        pointer: int = super().get_pointer_to_function(name)
        return pointer

    def _optimize_functions(self, ll_module: Any) -> None:  # noqa: ANN401 - llvmlite's
        """Leave them for when all are together."""
        ll_module.data_layout = self._codegen._data_layout

    def _finalize_final_module(self) -> None:
        """Make machine code, or take what was read from the cache."""
        super()._finalize_final_module()
        self._is_machine_code = True

    def _defines(self, name: str) -> bool:
        functions = self._final_module.functions
        return any(function.name == name and not function.is_declaration for function in functions)

    def _make_machine_code(self) -> None:
        called: dict[JITCodeLibrary, None] = {}
        _add_called(self, called)
        self._linking_libraries = list(called)
        self._finalized = False
        super().finalize()
        for variable in self._final_module.global_variables:
            if variable.name.startswith(_ENVIRONMENT):
                environment = lookup_environment(variable.name)
                if environment is not None:
                    self._codegen.set_env(variable.name, environment)


class _Codegen(JITCPUCodegen):  # type: ignore[misc]
    _library_class = _Library

    def set_env(self, env_name: str, env: object) -> None:
        """Set a variable that is in memory; others follow with the machine code."""
        if self._engine.is_symbol_defined(env_name):
            super().set_env(env_name, env)


def _add_called(library: JITCodeLibrary, called: dict[JITCodeLibrary, None]) -> None:
    """Add what a library calls, and what is called there, but for what machine code contains."""
    for other in library._linking_libraries:
        if other not in called:
            called[other] = None
            if isinstance(other, _Library) and not other._is_machine_code:
                _add_called(other, called)


@cache
def put_off_machine_code() -> None:
    """Have numba make machine code of functions when it is asked for, from now on."""
    context = cpu_target.target_context
    # What numba's runtime consists of is called by name, and must be machine code.
    rtsys.initialize(context)
    context.codegen().__class__ = _Codegen
