"""Runners that give a node that is unchanged its result at once, and run all others.

dbt-core asks `BuildTask.RUNNER_MAP` who runs a node. `dbt run`, `dbt test` and `dbt seed` do not;
with `--full-refresh`, `--store-failures` and `--empty` every node goes the usual way.
"""

import threading
from typing import Any

from dbt.artifacts.resources.types import NodeType
from dbt.artifacts.schemas.results import RunStatus, TestStatus
from dbt.artifacts.schemas.run import RunResult
from dbt.task.base import ExecutionContext
from dbt.task.build import BuildTask
from dbt.task.run import ModelRunner
from dbt.task.seed import SeedRunner
from dbt.task.test import TestRunner, TestTask

from analysis.stored.stored_rows import changed_among
from analysis.stored.unchanged_nodes import Runner, UnchangedNodes, inputs_of

# What record_results reads in the response of a node.
KEPT = "unchanged_node"


class _Passing(Runner):
    """A runner that gives a node that is unchanged its result, and runs all others."""

    _key: str | None = None

    def before_execute(self) -> None:
        """Say nothing yet: a node that passes does not start."""

    def compile_and_execute(self, manifest: Any, ctx: ExecutionContext) -> Any:
        """Return the result of a node."""
        if self.config.args.which != "build" or getattr(self.config.args, "empty", False):
            super().before_execute()  # type: ignore[safe-super]
            return super().compile_and_execute(manifest, ctx)
        nodes = _nodes_of(self, manifest)
        self._key = nodes.key(self)
        if self._key is not None and not _runs_all(self) and nodes.has_passed(self, self._key):
            return self._passed()
        nodes.before(self)
        super().before_execute()  # type: ignore[safe-super]
        return super().compile_and_execute(manifest, ctx)

    def run(self, compiled_node: Any, manifest: Any) -> Any:
        """Return the result of a node that is run, with its key if it passed."""
        result: Any = super().run(compiled_node, manifest)
        if self._key is not None and result.status in (RunStatus.Success, TestStatus.Pass):
            made = _nodes_of(self, manifest).after(self)
            if made is not None:
                result.adapter_response[KEPT] = {"key": self._key, "made": made}
        return result

    def _passed(self) -> RunResult:
        is_model = self.node.resource_type in (NodeType.Model, NodeType.Seed)
        return RunResult(
            node=self.node,
            status=RunStatus.Success if is_model else TestStatus.Pass,
            timing=[],
            thread_id=threading.current_thread().name,
            execution_time=0,
            message="UNCHANGED" if is_model else None,
            adapter_response={},
            failures=None if is_model else 0,
            batch_results=None,
        )


class PassingModelRunner(_Passing, ModelRunner):
    """Runs models."""


class PassingSeedRunner(_Passing, SeedRunner):
    """Runs seeds."""


class PassingTestRunner(_Passing, TestRunner):
    """Runs data tests and unit tests."""

    def execute(self, test: Any, manifest: Any) -> Any:
        """Return the result of a test; where it failed on rows changed by hand, it says so."""
        result: Any = super().execute(test, manifest)
        if result.status == TestStatus.Fail and test.resource_type == NodeType.Test:
            connection: Any = self.adapter.connections.get_thread_connection()
            changed = changed_among(connection.handle.cursor(), _tables_above(test, manifest))
            result.message = "\n  ".join([result.message, *map(str, changed)])
        return result


_builds: dict[int, UnchangedNodes] = {}
_builds_lock = threading.Lock()


def pass_unchanged_nodes() -> None:
    """Have `dbt build` in this process pass nodes that are unchanged.

    `dbt test`, too, names rows changed by hand where a test fails.
    """
    TestTask.get_runner_type = _runner_of_tests  # type: ignore[method-assign, assignment]
    BuildTask.RUNNER_MAP = {
        **BuildTask.RUNNER_MAP,
        NodeType.Model: PassingModelRunner,
        NodeType.Seed: PassingSeedRunner,
        NodeType.Test: PassingTestRunner,
        NodeType.Unit: PassingTestRunner,
    }


def _runner_of_tests(task: Any, node: Any) -> type[PassingTestRunner]:
    del task, node
    return PassingTestRunner


def _nodes_of(runner: Runner, manifest: Any) -> UnchangedNodes:
    with _builds_lock:
        if id(manifest) not in _builds:
            _builds.clear()
            _builds[id(manifest)] = UnchangedNodes(runner, manifest)
        return _builds[id(manifest)]


def _runs_all(runner: Runner) -> bool:
    arguments = runner.config.args
    return bool(
        getattr(arguments, "full_refresh", False) or getattr(arguments, "store_failures", False)
    )


def _tables_above(node: Any, manifest: Any) -> set[str]:
    """Return the names of all tables and views that a node is made from, as SCHEMA.TABLE."""
    waiting, found, tables = inputs_of(node), set[str](), set[str]()
    while waiting:
        name = waiting.pop()
        if name in found:
            continue
        found.add(name)
        if above := manifest.nodes.get(name):
            tables.add(f"{above.schema}.{above.alias}")
            waiting += inputs_of(above)
        else:
            source = manifest.sources[name]
            tables.add(f"{source.schema}.{source.identifier}")
    return tables
