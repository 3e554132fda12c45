"""Nodes that `dbt build` passes at once, because the last build left them as this one would.

What dbt does to see that there is nothing to do (compile a node, open a transaction, ask for its
fingerprint) takes 40 to 250 ms a node, of which there are some 290. Here a node has a *key*: a hash
of all that its result follows from, known without compiling it. `macros/record_results.sql` keeps
the keys of nodes that passed in `ops.unchanged_nodes`; a node with the same key and with what it
made still there has its result at once (passing_nodes.py). All others go dbt's usual way, where the
materializations decide (macros/materializations).
"""

import hashlib
import json
import os
import threading
from collections.abc import Iterable, Mapping
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import Any, TypeAlias

from dbt.adapters.contracts.connection import ConnectionState
from dbt.artifacts.resources.types import NodeType
from dbt.task.base import BaseRunner
from dbt.version import __version__

from analysis.code import analysis_code

Runner: TypeAlias = BaseRunner[Any, Any]

# Nodes that make a relation.
TABLES = (NodeType.Model, NodeType.Seed)

# Variables that say where, and by how many, what is the same anyway is computed.
WHO_COMPUTES = ("scheduler", "workers")

# Written out, because parameters have DuckDB import pandas.
_FORGET = "delete from ops.unchanged_nodes where node = '{node}'"
_FORGET_ROWS = "delete from ops.row_hashes where relation = '{relation}'; "
_FINGERPRINT = """
    select relation, fingerprint from ops.fingerprints where relation = '{relation}'
"""
_KNOWN = """
    select 'passed' as kind, nodes.node as name, nodes.key, nodes.made
    from ops.unchanged_nodes as nodes
    inner join ops.node_results as results on nodes.node = results.node
    where results.status in ('success', 'pass')
    union all
    select 'table', relation, fingerprint, '' from ops.fingerprints
    union all
    select 'rows', relation, rows, '' from ops.row_hashes
    union all
    select 'raw', '', md5(string_agg(
        concat_ws(' ', table_name, column_name, data_type), ',' order by table_name, column_index
    )), ''
    from duckdb_columns() where schema_name = 'raw'
"""


class UnchangedNodes:
    """The keys of a build's nodes, and those that passed before; for all threads of one build."""

    def __init__(self, runner: Runner, manifest: Any) -> None:
        self._manifest = manifest
        self._lock = threading.RLock()
        self._codes: dict[str, str] = {}
        self._identities: dict[str, str | None] = {}
        self._passed: dict[str, tuple[str, str | None]] = {}
        self._tables: dict[str, str] = {}
        # Hashed before the build (macros/stored_rows.sql).
        self._hashes: dict[str, str] = {}
        self._raw_columns = ""
        for kind, name, first, second in _rows(runner, _KNOWN):
            match kind:
                case "passed":
                    self._passed[name] = (first, second)
                case "table":
                    self._tables[name] = first
                case "rows":
                    self._hashes[name] = first
                case _:
                    self._raw_columns = first or ""
        self._common = _hashed(
            [
                analysis_code(),
                __version__,
                runner.config.target_name,
                json.dumps(_what_counts(runner.config.vars.vars), sort_keys=True, default=str),
                json.dumps(_what_counts(runner.config.cli_vars), sort_keys=True, default=str),
                *sorted(macro.macro_sql for macro in manifest.macros.values()),
            ]
        )

    def key(self, runner: Runner) -> str | None:
        """Return the hash of all that the result of a node follows from; None: not to be known."""
        node = runner.node
        with self._lock:
            if node.resource_type == NodeType.Unit:
                model = node.depends_on.nodes[0]
                return _hashed([self._common, _code(node), self._deep(model), self._raw_columns])
            if not is_skippable(node):
                return None
            inputs = [self._identity(runner, name) for name in inputs_of(node)]
            if None in inputs:
                return None
            return _hashed([self._common, self._code(node.unique_id), *map(str, inputs)])

    def has_passed(self, runner: Runner, key: str) -> bool:
        """Return whether the node passed with this key, and what it made is as it left it."""
        with self._lock:
            passed = self._passed.get(runner.node.unique_id)
            return passed is not None and passed == (key, self._made(runner))

    def before(self, runner: Runner) -> None:
        """Forget that a node has passed: killed in its run, it may leave something else."""
        with self._lock:
            name = runner.node.unique_id
            if self._passed.pop(name, None):
                _rows(runner, _FORGET.format(node=name))
            # Hashed before the build (macros/stored_rows.sql).
            if _is_hashed_before(runner.node):
                self._identities.pop(name, None)
                self._read_again(runner)

    def after(self, runner: Runner) -> str | None:
        """Return what tells whether a node that has passed is as it has just been left.

        None where the next build has to look at it: its spool is still to be emptied.
        """
        node = runner.node
        with self._lock:
            if node.resource_type in TABLES:
                self._identities.pop(node.unique_id, None)
                self._read_again(runner)
            return self._made(runner)

    def _read_again(self, runner: Runner) -> None:
        """Forget what was read of a relation before it was made."""
        relation = str(_relation(runner, runner.node))
        self._hashes.pop(relation, None)
        # Tables that have a fingerprint are not hashed.
        forget = "" if _is_plain_table(runner.node) else _FORGET_ROWS
        self._tables |= dict(_rows(runner, (forget + _FINGERPRINT).format(relation=relation)))

    def _made(self, runner: Runner) -> str | None:
        """Return what changes with what a node has made; None where that is gone."""
        node = runner.node
        if node.resource_type not in TABLES:
            return ""
        existing = runner.adapter.get_relation(node.database, node.schema, node.alias)
        if existing is None:
            return None
        if node.config.materialized == "view":
            return "view" if existing.is_view else None
        if node.config.materialized == "table":
            relation = str(_relation(runner, node))
            return self._tables.get(relation) if existing.is_table else None
        if _spooled(node):
            return None
        return self._identity(runner, node.unique_id)

    def _identity(self, runner: Runner, name: str) -> str | None:
        """Return what changes with the rows of a node; None for a table without a fingerprint."""
        if name not in self._identities:
            node = self._manifest.nodes.get(name) or self._manifest.sources[name]
            self._identities[name] = self._found_identity(runner, node)
        return self._identities[name]

    def _found_identity(self, runner: Runner, node: Any) -> str | None:
        is_model = node.resource_type == NodeType.Model
        if is_model and node.config.materialized == "view":
            inputs = [self._identity(runner, name) for name in inputs_of(node)]
            texts = [text for text in inputs if text is not None]
            return _hashed([self._code(node.unique_id), *texts]) if texts == inputs else None
        relation = _relation(runner, node)
        if is_model and _is_plain_table(node):
            return self._tables.get(str(relation))
        if str(relation) in self._hashes:
            return self._hashes[str(relation)]
        with _connected(runner):
            # What its reader's hooks have yet to make has no rows.
            if not runner.adapter.get_relation(
                relation.database, relation.schema, relation.identifier
            ):
                return None
            # The hash of the rows: the macro keeps it for the rest of the build.
            hashes = runner.adapter.execute_macro(
                "row_hashes", macro_resolver=self._manifest, kwargs={"relations": [relation]}
            )
        return str(hashes[0])

    def _deep(self, name: str) -> str:
        """Return a hash of the code of a node and of all that it is made from."""
        place = f"deep {name}"
        if place not in self._codes:
            node = self._manifest.nodes.get(name)
            above = map(self._deep, inputs_of(node)) if node else ()
            self._codes[place] = _hashed([self._code(name), *above])
        return self._codes[place]

    def _code(self, name: str) -> str:
        if name not in self._codes:
            self._codes[name] = _code(
                self._manifest.nodes.get(name) or self._manifest.sources[name]
            )
        return self._codes[name]


def is_skippable(node: Any) -> bool:
    """Return whether a node passes at once where nothing has changed; what hooks run never does."""
    if node.resource_type == NodeType.Model:
        return not node.config.meta.get("always_built")
    return node.resource_type in (NodeType.Test, NodeType.Seed)


def inputs_of(node: Any) -> list[str]:
    """Return the names of the nodes and sources that a node reads, none for a seed."""
    return [] if node.resource_type == NodeType.Seed else sorted(node.depends_on.nodes)


def _is_plain_table(node: Any) -> bool:
    return node.config.materialized == "table" and not node.config.meta.get("always_built")


def _is_hashed_before(node: Any) -> bool:
    return node.resource_type in TABLES and node.config.materialized not in ("table", "view")


def _what_counts(variables: Any) -> Any:
    """Return variables or configuration, nested or not, without those that change no result."""
    if not isinstance(variables, Mapping):
        return variables
    return {
        name: _what_counts(value) for name, value in variables.items() if name not in WHO_COMPUTES
    }


def _code(node: Any) -> str:
    """Return a hash of a node as it is written, with its configuration and documentation."""
    if node.resource_type == NodeType.Unit:
        parts = [node.checksum, node.config.to_dict()]
    elif node.resource_type == NodeType.Source:
        parts = [node.schema, node.identifier]
    else:
        columns = [
            [column.name, column.data_type, column.description] for column in node.columns.values()
        ]
        parts = [
            node.raw_code,
            node.checksum.to_dict(),
            _what_counts(node.config.to_dict()),
            node.description,
            columns,
            inputs_of(node),
            str(getattr(node, "test_metadata", None)),
            [node.schema, node.alias],
        ]
    return _hashed([json.dumps(parts, sort_keys=True, default=str)])


def _relation(runner: Runner, node: Any) -> Any:
    return runner.adapter.Relation.create_from(runner.config, node)


def _spooled(node: Any) -> list[Path]:
    """Return the chunks that an append-only model may not have in its table yet."""
    warehouse = Path(os.environ.get("MAEGE_WAREHOUSE", "warehouse"))
    return list((warehouse / "spool" / node.alias).glob("*.parquet"))


def _rows(runner: Runner, statements: str) -> list[tuple[Any, ...]]:
    """Return the rows of the last of these statements."""
    with _connected(runner):
        connection: Any = runner.adapter.connections.get_thread_connection()
        rows: list[tuple[Any, ...]] = connection.handle.cursor().execute(statements).fetchall()
        return rows


def _connected(runner: Runner) -> AbstractContextManager[None]:
    """Return a context with a connection, which is the node's own while the node has one open."""
    connection = runner.adapter.connections.get_if_exists()
    if connection is not None and connection.state == ConnectionState.OPEN:
        return nullcontext()
    return runner.adapter.connection_named(runner.node.unique_id, runner.node)


def _hashed(texts: Iterable[str]) -> str:
    digest = hashlib.sha256()
    for text in texts:
        digest.update(f"{len(text)} ".encode())
        digest.update(text.encode())
    return digest.hexdigest()
