"""Metrics with a set-up: their processes, and how outages and bad inputs are handled."""

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

from maege.analysis.metrics.own.declared import OwnMetric
from maege.analysis.metrics.own.family import own_families
from maege.analysis.metrics.own.interface import FunctionError, Scored, Unavailable
from maege.analysis.metrics.own.served import (
    Hosting,
    Server,
    device_of,
    score_batches,
    sorted_batches,
)
from maege.analysis.stored.scoring import keep_class_scores
from maege.analysis.stored.stops import stops

MODULE = """\
import os
import time

import maege


class Lengths(maege.Metric):
    reads = ("hypothesis", "source")
    batch_size = 3

    def __init__(self, weights="w1"):
        self.weights = weights

    def setup(self, device):
        print("setup", device)

    def signature(self):
        return "weights " + self.weights

    def score_batch(self, source, hypothesis):
        print("batch", *(len(text) for text in hypothesis))
        if "down" in hypothesis:
            raise maege.Unavailable("the server is down")
        if "exit" in hypothesis:
            os._exit(7)
        if "kill" in hypothesis:
            os.kill(os.getpid(), 9)
        if "hang" in hypothesis:
            time.sleep(60)
        if "raise" in hypothesis:
            raise ValueError("no such word")
        special = {"nan": float("nan"), "said": maege.NoScore("answered: maybe")}
        return [special.get(text, len(text)) for text in hypothesis]


class Texts:
    batch_size = 2
    per_text = True

    def score_batch(self, texts):
        print("texts", *texts)
        return [len(text) for text in texts]

    def combine(self, values, source, hypothesis):
        return values[hypothesis] - values[source]


class Keyless(maege.Metric):
    def setup(self, device):
        raise maege.Unavailable("no key in JUDGE_KEY")


class Unread:
    reads = ("sauce",)

    def score_batch(self, sauce):
        return []


def function(hypothesis):
    return 1.0


class Longer(maege.Metric):
    reads = ("other", "hypothesis")

    def score_batch(self, hypothesis, other):
        return [len(one) - len(two) for one, two in zip(hypothesis, other)]


class Nothing(Longer):
    reads = ("source", "other")


class Both(Longer):
    reads = ("hypothesis", "other", "references")
"""
HYPOTHESES = ["aaaaa", "a", "", "aaa", "aaaa", "aa", "aaaaaaa", "aaaaaa"]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    (tmp_path / "classes.py").write_text(MODULE)
    monkeypatch.setenv("MAEGE_METRICS", str(tmp_path / "metrics.yml"))
    monkeypatch.setenv("MAEGE_WAREHOUSE", str(tmp_path / "warehouse"))
    path = list(sys.path)
    yield tmp_path
    sys.path[:] = path


def hosting(folder: Path, name: str = "Lengths", **parameters: str) -> Hosting:
    return Hosting(
        f"classes:{name}", (str(folder),), tuple(parameters.items()), str(folder / "log")
    )


def printed(folder: Path) -> list[str]:
    return (folder / "log").read_text().splitlines()


def scored(
    of: Hosting, hypotheses: list[str], seconds: float = 60, processes: int = 1
) -> dict[str, Scored]:
    with Server(of) as server:
        about = server.describe()._replace(seconds=seconds, device="cpu")
    inputs = {"source": ["s"] * len(hypotheses), "hypothesis": hypotheses}
    batches = sorted_batches(inputs, [0], about.batch_size)
    scores: dict[str, Scored] = {}
    for rows, results in score_batches(of, about, batches, processes):
        scores |= {hypotheses[row]: result for row, result in zip(rows, results, strict=True)}
    return scores


def test_batches_hold_inputs_of_about_one_length_and_the_set_up_is_done_once(folder: Path) -> None:
    results = scored(hosting(folder), HYPOTHESES)
    assert results == {text: Scored(float(len(text))) for text in HYPOTHESES}
    assert printed(folder) == ["setup cpu", "batch 0 1 2", "batch 3 4 5", "batch 6 7"]


def test_sentences_stay_whole_where_inputs_are_sorted() -> None:
    # Windows of 16 batches of 2 inputs: 40 and 30 sentences' inputs, and the rest.
    lengths = [*range(40, 0, -1), *range(30, 0, -1), 5, 4]
    inputs = {"hypothesis": ["x" * length for length in lengths]}
    batches = [batch.rows for batch in sorted_batches(inputs, [0, 40, 70], 2)]
    assert batches[0] == [39, 38]
    assert batches[19] == [1, 0]
    # The lengths 1, 2, then 3 and 4, of which the last sentence has one, too.
    assert batches[20:22] == [[69, 68], [67, 66]]
    assert sorted(row for rows in batches for row in rows) == list(range(72))


@pytest.mark.parametrize(
    ("culprit", "failure"),
    [
        ("hang", "not scored within 0.5 seconds"),
        ("exit", "its process ended with exit code 7"),
        ("kill", "its process was ended by SIGKILL"),
        ("said", "answered: maybe"),
    ],
)
def test_an_input_without_a_score_fails_alone(culprit: str, failure: str, folder: Path) -> None:
    results = scored(hosting(folder), ["aaa", culprit, "aaaaa"], seconds=0.5)
    assert results.pop(culprit).failure == failure
    assert results == {"aaa": Scored(3.0), "aaaaa": Scored(5.0)}


@pytest.mark.parametrize("processes", [1, 2])
def test_an_outage_is_no_failure_of_inputs_and_what_is_done_comes_first(
    processes: int, folder: Path
) -> None:
    of = hosting(folder)
    with Server(of) as server:
        about = server.describe()
    hypotheses = ["a", "aa", "aaa", "down", "aaaaa"]
    inputs = {"source": ["s"] * 5, "hypothesis": hypotheses}
    batches = sorted_batches(inputs, range(5), 3)
    results = score_batches(of, about, batches, processes)
    assert next(results) == ([0, 1, 2], [Scored(1.0), Scored(2.0), Scored(3.0)])
    with pytest.raises(Unavailable, match=r"^the server is down$"):
        next(results)


def test_failing_metrics_are_unavailable(folder: Path) -> None:
    with pytest.raises(Unavailable, match="all of 9 inputs failed: ValueError: no such word"):
        scored(hosting(folder), ["raise"] * 30)
    with pytest.raises(Unavailable, match=r"^no key in JUDGE_KEY$"):
        scored(hosting(folder, "Keyless"), ["a"])


def test_a_class_that_compares_says_from_1_to_minus_1_which_text_is_better(folder: Path) -> None:
    with Server(hosting(folder, "Longer")) as server:
        assert server.describe().reads == ("hypothesis", "other")
        inputs = {"hypothesis": ["aa", "a", "b", "aaa"], "other": ["a", "aa", "a", "a"]}
        preferred = server.score(inputs, seconds=60)
    assert [result.score for result in preferred[:3]] == [1, -1, 0]
    assert preferred[3].failure == "not a preference from -1 to 1: 2"


def test_a_text_is_asked_once_where_scores_are_made_of_texts(folder: Path) -> None:
    results = scored(hosting(folder, "Texts"), ["aaa", "s", "aa", "aaaa"])
    numbers = {text: result.score for text, result in results.items()}
    assert numbers == {"aaa": 2, "s": 0, "aa": 1, "aaaa": 3}
    assert printed(folder) == ["texts s aa", "texts aaa aaaa"]


@pytest.mark.parametrize(
    ("name", "problem"),
    [
        ("Missing", "classes has no Missing"),
        ("function", "function is not a class with score_batch"),
        ("Unread", r"reads is \('sauce',\): expected some of source, hypothesis, other, ref"),
        ("Nothing", "expected hypothesis together with other, without references"),
        ("Both", "expected hypothesis together with other, without references"),
    ],
)
def test_unavailable_class_gives_the_reason(name: str, problem: str, folder: Path) -> None:
    with Server(hosting(folder, name)) as server, pytest.raises(FunctionError, match=problem):
        server.describe()


def declare(folder: Path, **definition: Any) -> None:
    content = {"metric_class": "classes:Lengths", "inputs": ["source", "hypothesis"], **definition}
    (folder / "metrics.yml").write_text(json.dumps({"metrics": {"mine": content}}))


def test_the_signature_has_what_the_class_says_of_its_weights(folder: Path) -> None:
    declare(folder)
    (first,) = own_families()
    declare(folder, parameters={"weights": "w2"})
    (second,) = own_families()
    assert first.signature().startswith(
        "mine|class:classes:Lengths|inputs:source+hypothesis|made:weights w1|sha256:"
    )
    assert "|weights:w2|made:weights w2|" in second.signature()
    declare(folder, inputs=["hypothesis"])
    (other,) = own_families()
    assert other.missing is not None
    assert "it reads source, hypothesis, but metrics.yml has hypothesis" in other.missing.reason


class Requests:
    def __init__(self, hypotheses: list[str]) -> None:
        n = len(hypotheses)
        self.texts = {1: "s"} | dict(enumerate(hypotheses, start=2))
        self.num_rows = n
        self._rows = pa.table(
            {
                "corpus": pa.array(["c"] * n).dictionary_encode(),
                "sentence_id": [0] * n,
                "family": pa.array(["own:mine"] * n).dictionary_encode(),
                "signature_key": [5] * n,
                "source_text_id": [1] * n,
                "hypothesis_text_id": list(range(2, n + 2)),
                "references_key": [0] * n,
            }
        )

    def parts(self, columns: list[str]) -> Iterator[pa.Table]:
        del columns
        yield self._rows

    def load(self, part: pa.Table) -> tuple[dict[int, str], dict[int, Any]]:
        del part
        return self.texts, {}


class Cache:
    def __init__(self) -> None:
        self.rows: list[dict[str, Any]] = []

    def keep(self, task: str, chunks: Iterator[pa.Table], total: int, seconds: float) -> None:
        assert (task, seconds) == ("mine", 10)
        assert total > 0
        for chunk in chunks:
            self.rows += chunk.to_pylist()


def test_an_outage_stops_the_metric_and_a_later_build_forgets_it(folder: Path) -> None:
    declare(folder)
    (family,) = own_families()
    for hypotheses, n_kept, stopped in (
        (["a", "aa", "aaa", "down"], 3, {"mine": "the server is down"}),
        (["a", "nan"], 2, {}),
    ):
        cache, requests = Cache(), Requests(hypotheses)
        keep_class_scores(cache, family, requests, requests, 2)  # type: ignore[arg-type]
        assert len(cache.rows) == n_kept
        assert stops() == stopped
    assert cache.rows[0]["statistics"] == [1.0]
    assert cache.rows[1]["failure"] == "not a finite number: nan"


@pytest.mark.parametrize(
    ("setting", "number", "visible", "device"),
    [
        ("auto", 0, "", "cpu"),
        ("auto", 0, "3,5", "cuda:0"),
        ("auto", 3, "3,5", "cuda:1"),
        ("mps", 1, "3,5", "mps"),
    ],
)
def test_processes_share_the_devices(setting: str, number: int, visible: str, device: str) -> None:
    assert device_of(setting, number, {"CUDA_VISIBLE_DEVICES": visible}) == device


def test_only_classes_may_run_in_another_python() -> None:
    with pytest.raises(ValueError, match="a metric_class where there is python"):
        OwnMetric.model_validate({"inputs": ["hypothesis"], "python": "/usr/bin/python3"})
