"""What dbt makes at each start of the same versions and sources, kept beside this module.

dbt-core makes a JSON schema of each of its classes, by which it checks what it reads of a project,
and Jinja compiles each macro, and each model twice: together more than a quarter of the five
seconds that a first build takes to start. Compiled templates go by their text, schemas by the name
of the class; the file goes by the versions of all that makes them. It is trusted as Python trusts
its own beside it.
"""

import atexit
import hashlib
import json
import marshal
import os
import sys
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from importlib.metadata import version
from pathlib import Path
from types import CodeType
from typing import Any, NamedTuple

from dbt_common import dataclass_schema
from jinja2.environment import Environment
from jinja2.nodes import Template

_MAKERS = ("dbt-adapters", "dbt-common", "dbt-core", "dbt-duckdb", "jinja2", "mashumaro")
# Of an environment: what its code for a template depends on.
_SETTINGS = (
    "autoescape", "block_end_string", "block_start_string", "comment_end_string",
    "comment_start_string", "is_async", "keep_trailing_newline", "line_comment_prefix",
    "line_statement_prefix", "lstrip_blocks", "newline_sequence", "optimized", "trim_blocks",
    "variable_end_string", "variable_start_string",
)  # fmt: skip
# Where there are more, those that this run did not need are forgotten: twice those of the project.
MOST_TEMPLATES = 5_000

_compile = Environment.compile
_build_json_schema = vars(dataclass_schema)["build_json_schema"]


class _Schema(NamedTuple):
    """Stands for mashumaro's, of which dbt reads nothing else."""

    as_dict: dict[str, Any]

    def to_dict(self) -> dict[str, Any]:
        """Return the schema."""
        return self.as_dict


class KeptWork:
    """Schemas and templates in a file, from which they are read at once and to which they go."""

    def __init__(self, file: Path) -> None:
        self._file = file
        self._schemas: dict[str, dict[str, Any]] = {}
        self._templates: dict[str, CodeType] = {}
        self._used: set[str] = set()
        self._is_saved = True
        # A file of another kind is made anew.
        with suppress(OSError, EOFError, ValueError, TypeError):
            self._schemas, self._templates = marshal.loads(file.read_bytes())  # noqa: S302

    def schema(self, made_of: type, make: Callable[[type], Any]) -> _Schema:
        """Return the JSON schema of a class, which `make` makes where it is not kept."""
        name = f"{made_of.__module__}.{made_of.__qualname__}"
        if name not in self._schemas:
            # Plain values in place of dbt's own.
            self._schemas[name] = json.loads(json.dumps(make(made_of).to_dict()))
            self._is_saved = False
        return _Schema(self._schemas[name])

    def template(
        self, environment: Environment, source: str, make: Callable[[], CodeType]
    ) -> CodeType:
        """Return a template's code, which `make` makes where it is not kept."""
        settings = [getattr(environment, name) for name in _SETTINGS]
        kind = f"{type(environment).__qualname__} {sorted(environment.extensions)} {settings}"
        name = f"{kind} {source}"
        self._used.add(name)
        if name not in self._templates:
            self._templates[name] = make()
            self._is_saved = False
        return self._templates[name]

    def save(self) -> None:
        """Write the file, if there is anything new and the folder can be written to."""
        if self._is_saved:
            return
        if len(self._templates) > MOST_TEMPLATES:
            self._templates = {name: self._templates[name] for name in self._used}
        with suppress(OSError, ValueError):
            self._file.parent.mkdir(parents=True, exist_ok=True)
            copy = self._file.with_name(f"{self._file.name}.{os.getpid()}")
            copy.write_bytes(marshal.dumps((self._schemas, self._templates)))
            copy.replace(self._file)
            self._is_saved = True


def keep_work(*, templates: bool) -> None:
    """Have dbt make in this process only what is not kept, and keep that when it ends.

    `templates` as well as schemas; they stay in memory, which a large build needs.
    """
    kept = KeptWork(_file())

    def build_json_schema(made_of: type) -> _Schema:
        return kept.schema(made_of, _build_json_schema)

    def compile_template(
        environment: Environment, source: str | Template, *others: object, **named: object
    ) -> CodeType | str:
        make = partial(_compile, environment, source, *others, **named)
        # With more arguments it is something else that is asked for.
        if others or named or not isinstance(source, str):
            return make()
        return kept.template(environment, source, make)

    vars(dataclass_schema)["build_json_schema"] = build_json_schema
    if templates:
        Environment.compile = compile_template  # type: ignore[method-assign, assignment]
    atexit.register(kept.save)


def _file() -> Path:
    versions = [sys.version, *(f"{name} {version(name)}" for name in _MAKERS)]
    made_by = hashlib.sha256("\n".join(versions).encode()).hexdigest()[:16]
    return Path(__file__).parent / "__pycache__" / f"dbt-{made_by}.marshal"
