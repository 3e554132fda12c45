"""Which node dbt runs first."""

from types import SimpleNamespace
from typing import Any

import networkx as nx
import pytest
from dbt.graph.graph import UniqueId
from dbt.graph.queue import GraphQueue
from dbt.task.build import BuildTask

from analysis.stored import node_order
from analysis.stored.node_order import longest_ways, order_nodes

#     parse -> edits -> score -> mart
#     seed  -> mart
#     report (alone, and in Python)
EDGES = [("parse", "edits"), ("edits", "score"), ("score", "mart"), ("seed", "mart")]


def graph() -> "nx.DiGraph[str]":
    made = nx.DiGraph(EDGES)
    made.add_node("report")
    return made


def test_the_longest_way_counts_what_its_nodes_cost() -> None:
    costs = {"score": 10, "report": 10}
    assert longest_ways(graph(), costs) == {
        "mart": 1, "score": 11, "edits": 12, "parse": 13, "seed": 2, "report": 10,
    }  # fmt: skip
    assert longest_ways(nx.DiGraph(), {}) == {}


@pytest.fixture
def queue(monkeypatch: pytest.MonkeyPatch) -> GraphQueue:
    """dbt's queue of these nodes, ordered as a build has it."""
    monkeypatch.setattr(GraphQueue, "_get_scores", GraphQueue._get_scores)
    monkeypatch.setattr(BuildTask, "handle_job_queue", None)
    order_nodes()
    nodes = {
        name: SimpleNamespace(
            unique_id=name, language="python" if name in ("score", "report") else "sql", config=None
        )
        for name in ("parse", "edits", "score", "mart", "seed", "report")
    }
    manifest: Any = SimpleNamespace(nodes=nodes, expect=nodes.__getitem__)
    return GraphQueue(graph(), manifest, set(map(UniqueId, nodes)))


def taken(queue: GraphQueue) -> str:
    return queue.get(block=False).unique_id


def test_what_begins_the_longest_way_comes_first(queue: GraphQueue) -> None:
    assert [taken(queue) for _ in range(3)] == ["parse", "report", "seed"]
    queue.mark_done(UniqueId("parse"))
    assert taken(queue) == "edits"


def test_no_more_than_one_node_waits_for_a_thread(
    queue: GraphQueue, monkeypatch: pytest.MonkeyPatch
) -> None:
    handed: list[str] = []
    monkeypatch.setattr(node_order, "_handle_job_queue", lambda *_: handed.append(taken(queue)))
    task: Any = SimpleNamespace(job_queue=queue, config=SimpleNamespace(threads=1))

    def wait_for(is_done: Any) -> None:
        if not is_done():
            handed.append("waits")

    queue.some_task_done = SimpleNamespace(wait_for=wait_for)  # type: ignore[assignment]
    for _ in range(3):
        node_order._hand_over_when_needed(task, None, lambda _: None)
    assert handed == ["parse", "report", "waits", "seed"]
