"""Users' functions: supported behaviour, and the handling of errors."""

import math
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from maege.analysis.metrics.own.declared import OwnMetric
from maege.analysis.metrics.own.family import OwnFamily, own_families
from maege.analysis.metrics.own.interface import Scored, score_batch

MODULE = """\
import os


def words(hypothesis):
    return float(len(hypothesis.split()))


def shared(source, hypothesis, references):
    references.sort()
    return sum(hypothesis == text for text in [source, *references])


def faulty(hypothesis):
    if hypothesis == "raise":
        raise ValueError("no  such\\nword")
    if hypothesis == "exit":
        raise SystemExit(3)
    return {"nan": float("nan"), "inf": float("inf"), "text": "0.5", "none": None, "yes": True,
            "list": [1.0], "whole": 3}[hypothesis]


def batch(hypothesis):
    if "raise" in hypothesis:
        raise ValueError("one of them")
    if "short" in hypothesis:
        return [1.0] * (len(hypothesis) - 1)
    return [float(len(text)) for text in hypothesis]


def weighed(hypothesis, weight="1"):
    return len(hypothesis) * float(weight)


def wild(hypothesis):
    print("scoring", hypothesis)
    if hypothesis == "exit":
        os._exit(7)
    return float(len(hypothesis))
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder with a module of functions, which is searched for metrics.yml."""
    (tmp_path / f"{module_of(tmp_path)}.py").write_text(MODULE)
    monkeypatch.setenv("MAEGE_METRICS", str(tmp_path / "metrics.yml"))
    monkeypatch.setenv("MAEGE_WAREHOUSE", str(tmp_path / "warehouse"))
    path = list(sys.path)
    yield tmp_path
    sys.path[:] = path


def module_of(folder: Path) -> str:
    """Return a module name that no other test uses: Python imports each name once."""
    return f"own_{folder.name}"


def family(folder: Path, function: str, *inputs: str, **changes: Any) -> OwnFamily:
    definition = OwnMetric.model_validate(
        {"function": f"{module_of(folder)}:{function}", "inputs": list(inputs), **changes}
    )
    return OwnFamily(function, definition, (str(folder),), "0123456789abcdef")


def test_a_function_gets_the_inputs_that_it_reads_by_name(folder: Path) -> None:
    inputs: dict[str, list[Any]] = {
        "source": ["a", "b"],
        "hypothesis": ["b", "b"],
        "references": [["b", "a", "b"], ["c"]],
    }
    read = ("source", "hypothesis", "references")
    assert family(folder, "shared", *read).compute(inputs) == [Scored(2.0), Scored(1.0)]


def test_non_finite_score_fails_only_its_input(folder: Path) -> None:
    texts = ["whole", "raise", "nan", "inf", "text", "none", "yes", "list", "exit", "missing"]
    results = family(folder, "faulty", "hypothesis").compute({"hypothesis": texts})
    assert results[0] == Scored(3.0)
    assert all(math.isnan(result.score) for result in results[1:])
    assert [result.failure for result in results] == [
        None,
        "ValueError: no such word",
        "not a finite number: nan",
        "not a finite number: inf",
        "not a number: str '0.5'",
        "not a number: NoneType None",
        "not a number: bool True",
        "not a number: list [1.0]",
        "SystemExit: 3",
        "KeyError: 'missing'",
    ]


@pytest.mark.parametrize(
    ("culprit", "failure"),
    [("raise", "ValueError: one of them"), ("short", "ValueError: 0 scores for 1 inputs")],
)
def test_failing_batch_is_halved_until_the_culprit_is_found(
    culprit: str, failure: str, folder: Path
) -> None:
    texts = ["a", "bb", culprit, "cccc", "d"]
    results = family(folder, "batch", "hypothesis", batch=True).compute({"hypothesis": texts})
    assert [result.failure for result in results] == [None, None, failure, None, None]
    assert [results[i].score for i in (0, 1, 3, 4)] == [1, 2, 4, 1]


def test_a_batch_may_change_its_lists_and_return_an_array() -> None:
    def popping(references: list[list[str]]) -> np.ndarray:
        return np.array([float(references[i].pop()) for i in range(len(references))])

    references = [["1", "2"], ["3"], ["x" * 1000]]
    first, second, failed = score_batch(popping, {"references": references})
    assert (first, second) == (Scored(2.0), Scored(3.0))
    assert references[:2] == [["1", "2"], ["3"]]
    # A long message is shortened.
    assert failed.failure is not None
    assert len(failed.failure) == 200


def test_after_some_such_calls_the_rest_is_not_tried(folder: Path) -> None:
    results = family(folder, "wild", "hypothesis").compute(
        {"hypothesis": ["a", *["exit"] * 5, "bb"]}
    )

    assert results[0] == Scored(1.0)
    assert {result.failure for result in results[1:6]} == {"its process ended with exit code 7"}
    assert results[6].failure == "not tried after 5 inputs that ended or stalled the metric"


def test_output_of_a_function_is_in_its_log(
    folder: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    # The default of most users: Python buffers output to a file.
    monkeypatch.delenv("PYTHONUNBUFFERED", raising=False)
    family(folder, "wild", "hypothesis").compute({"hypothesis": ["a", "bb"]})
    family(folder, "words", "hypothesis").compute({"hypothesis": ["a"]})

    log = folder / "warehouse" / "logs" / "wild.log"
    assert capfd.readouterr() == ("", "")
    assert log.read_text() == "scoring a\nscoring bb\n"


def test_parameters_are_given_to_the_function(folder: Path) -> None:
    own = family(folder, "weighed", "hypothesis", parameters={"weight": "2.5"})
    assert own.compute({"hypothesis": ["ab", "abc"]}) == [Scored(5.0), Scored(7.5)]


@pytest.mark.parametrize(
    "changed",
    [
        lambda own: {"function": own.function + "2"},
        lambda own: {"inputs": (*own.inputs, "references")},
        lambda _: {"parameters": {"model": "large"}},
        lambda _: {"version": "2"},
    ],
)
def test_the_signature_changes_with_all_that_a_score_depends_on(
    changed: Callable[[OwnMetric], dict[str, Any]], folder: Path
) -> None:
    first = family(folder, "words", "hypothesis")
    definition = first.definition.model_copy(update=changed(first.definition))
    assert OwnFamily("words", definition, (), first.content).signature() != first.signature()
    other_source = OwnFamily("words", first.definition, (), "f" * 64)
    assert other_source.signature() != first.signature()
    higher = first.definition.model_copy(update={"higher_is_better": False, "batch": True})
    assert OwnFamily("words", higher, (), first.content).signature() == first.signature()


def test_metrics_yml_names_the_functions_and_the_hash_of_their_source(folder: Path) -> None:
    module = module_of(folder)
    (folder / "metrics.yml").write_text(
        f"metrics:\n  mine: {{function: '{module}:words', inputs: [hypothesis]}}\n"
    )
    (mine,) = own_families()
    assert mine.missing is None
    assert mine.signature().startswith(f"mine|function:{module}:words|inputs:hypothesis|sha256:")
    (folder / f"{module}.py").write_text(MODULE + "# changed\n")
    (changed,) = own_families()
    assert changed.signature() != mine.signature()


def test_scores_by_file_have_the_loaded_signature(folder: Path) -> None:
    (folder / "metrics.yml").write_text("metrics:\n  far: {inputs: [hypothesis]}\n")
    signatures = [own_families(loaded)[0].signature() for loaded in ({}, {"far": "ab" * 16})]
    assert signatures == [
        "far|inputs:hypothesis|scores:none|v:1",
        "far|inputs:hypothesis|scores:abababababab|v:1",
    ]


def test_a_build_does_not_go_on_with_a_faulty_file(folder: Path) -> None:
    (folder / "metrics.yml").write_text("metrics:\n  mine: {inputs: [sauce]}\n")
    with pytest.raises(
        ValueError, match=r"(?s)metrics\.mine\.inputs\.0.*'sauce'.*maege metric check"
    ):
        own_families()


def test_scope_names_the_scored_part_of_the_inputs() -> None:
    part = OwnMetric(
        metric_class="judge:Judge",
        inputs=("source", "hypothesis", "other"),
        sample_sentences=1300,
        draws=2,
    )
    assert part.scope(2, 40) == (
        "1,300 sentences of each corpus, 2 of 40 draws of sampled corpora, "
        "single edits only, because it compares texts"
    )
    everything = OwnMetric(function="words:words", inputs=("hypothesis",))
    assert everything.scope(None, 40) is None
    assert everything.scope(40, 40) is None
