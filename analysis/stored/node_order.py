"""Which of the nodes that are ready dbt runs first: the one that most has to wait for.

dbt-core takes the one with the fewest above it, and hands every node to its threads as soon as it
is ready. What no other node reads comes early then, and late in a build one thread runs the long
models, each after the last, while the other has nothing to do. With more data dbt's own order
stays: more models that take memory would run beside those that score.
"""

from collections.abc import Callable, Mapping
from typing import Any

import networkx as nx
from dbt.graph.queue import GraphQueue
from dbt.task.build import BuildTask

# What nodes take, in units of a query: the models in Python take most of a build.
PYTHON, OTHER = 10, 1

_handle_job_queue = BuildTask.handle_job_queue


def order_nodes() -> None:
    """Have `dbt build` run first what begins the longest way to the end of the graph."""
    GraphQueue._get_scores = _scores  # type: ignore[method-assign, assignment]
    BuildTask.handle_job_queue = _hand_over_when_needed  # type: ignore[method-assign]


def _scores(queue: GraphQueue, graph: "nx.DiGraph[str]") -> dict[str, int]:
    costs = {
        name: PYTHON if getattr(node, "language", None) == "python" else OTHER
        for name, node in queue.manifest.nodes.items()
    }
    return {node: -length for node, length in longest_ways(graph, costs).items()}


def longest_ways(graph: "nx.DiGraph[str]", costs: Mapping[str, int]) -> dict[str, int]:
    """Return the cost of the most costly way that begins with each node of an acyclic graph.

    `costs` are those of nodes, 1 where there is none.
    """
    lengths: dict[str, int] = {}
    for node in reversed(list(nx.topological_sort(graph))):
        after = max((lengths[child] for child in graph.successors(node)), default=0)
        lengths[node] = costs.get(node, OTHER) + after
    return lengths


def _hand_over_when_needed(task: BuildTask, pool: object, callback: Callable[[Any], None]) -> None:
    """Hand over one node once no more than one waits for a thread, so that none waits for nodes."""
    queue = task.job_queue
    if queue is not None:
        with queue.lock:
            queue.some_task_done.wait_for(lambda: len(queue.in_progress) <= task.config.threads)
    _handle_job_queue(task, pool, callback)  # type: ignore[no-untyped-call]
