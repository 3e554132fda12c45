"""`maege metric try`: its inputs and its output."""

import json
from pathlib import Path
from typing import Any

import duckdb
import pytest
from small_corpus import maege
from typer.testing import Result

MODULE = """\
import maege


class Judge(maege.Metric):
    reads = ("source", "hypothesis", "references")
    batch_size = 2

    def __init__(self, model):
        self.model = model

    def estimate(self, source, hypothesis, references):
        return maege.Cost(1000 * len(source), 10 * len(source), 0.0625 * len(source))

    def score_batch(self, source, hypothesis, references):
        if self.model == "down":
            raise maege.Unavailable("no server")
        scores = [len(text) + len(of) for text, of in zip(hypothesis, references)]
        return [score + 0.5 * len(source) if self.model == "odd" else score for score in scores]


def broken(hypothesis, references):
    raise ValueError("no model")


def flat(hypothesis):
    return None if hypothesis == "dddd" else 1.0


class Longer(maege.Metric):
    reads = ("source", "hypothesis", "other")

    def score_batch(self, source, hypothesis, other):
        return [(len(a) > len(b)) - (len(a) < len(b)) for a, b in zip(hypothesis, other)]
"""


@pytest.fixture
def warehouse(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A build of two corpora with three sentences, one pair of which is only in later draws.

    The pair of `bb` and `dddd` in x is requested from the fourth draw on. Edit-based metrics score
    two draws.
    """
    (tmp_path / "module_to_try.py").write_text(MODULE)
    monkeypatch.setenv("MAEGE_METRICS", str(tmp_path / "metrics.yml"))
    folder = tmp_path / "warehouse"
    folder.mkdir()
    with duckdb.connect(folder / "build.duckdb") as connection:
        connection.execute("""
            create schema raw; create schema pairs; create schema caches; create schema corpora;
            create table corpora.metric_registry as
                from (values (2, true), (9, false)) as t (n_draws, reads_gold);
            create table raw.corpora as
                from (values ('x', 'en'), ('y', 'de')) as t (corpus, language);
            create table caches.sentence_order as from (values
                ('x', 0, 2), ('x', 1, 1), ('y', 0, 1)
            ) as t (corpus, sentence_id, place);
            create table pairs.texts as
                from (values (1, 'a'), (2, 'bb'), (3, 'ccc'), (4, 'dddd')) as t (text_id, text);
            create table pairs.reference_contents (references_key bigint, text_ids bigint[]);
            insert into pairs.reference_contents values
                (9, [3, 2]), (8, [1, null]), (7, [2]), (6, [3]);
            create table pairs.compared_steps as from (values
                ('x', 0, 1, 3, 7), ('x', 0, 1, 2, 6), ('x', 1, 1, 3, 7), ('y', 0, 4, 3, 7)
            ) as t (corpus, sentence_id, source_text_id, hypothesis_text_id, references_key);
            create table caches.scoring_inputs as from (values
                ('x', 0, 1, 2, 9, 0), ('x', 0, 1, 3, 9, 0), ('x', 1, 2, 2, 8, 1),
                ('x', 1, 2, 4, 8, 3), ('y', 0, 4, 4, 9, 0), ('y', 0, 4, 4, 9, 5)
            ) as t (corpus, sentence_id, source_text_id, hypothesis_text_id, references_key,
                first_draw);
        """)
    return folder


def tried(warehouse: Path, *options: str, **entry: Any) -> Result:
    path = warehouse.parent / "metrics.yml"
    path.write_text(json.dumps({"metrics": {"mine": entry}}))
    return maege(warehouse, "metric", "try", "mine", *options)


def judge(model: str = "good", **more: Any) -> dict[str, Any]:
    return {"metric_class": "module_to_try:Judge", "parameters": {"model": model}, **more}


def function(name: str, *inputs: str) -> dict[str, Any]:
    return {"function": f"module_to_try:{name}", "inputs": list(inputs)}


def test_trial_estimates_the_time_and_cost_of_all_inputs(warehouse: Path) -> None:
    result = tried(warehouse, "--json", **judge())
    assert result.exit_code == 0, result.stderr
    trial = json.loads(result.stdout)
    # Inputs of the first draws: bb and ccc with two references, bb with one, dddd with two.
    assert (trial["n_tried"], trial["lowest"], trial["highest"]) == (4, 3, 6)
    assert (trial["n_missing"], trial["alone_or_in_batch"], trial["warnings"]) == (0, 0, [])
    x, y = trial["corpora"]
    assert (x["corpus"], x["n_sentences"], x["n_inputs"], x["n_hypotheses"]) == ("x", 2, 4, 3)
    assert (x["n_inputs_first_draws"], y["n_inputs"], y["n_inputs_first_draws"]) == (3, 1, 1)
    # A quarter of a dollar for four inputs.
    assert (x["usd_of_n_inputs"], x["usd_of_n_inputs_first_draws"]) == (0.25, 0.1875)
    shown = tried(warehouse, **judge()).stdout
    assert "as in a build: 3 inputs, 1 min, 0.00 M tokens sent and 0.00 M answered" in shown
    assert "with all draws: 4 inputs" in shown


@pytest.mark.parametrize(
    ("design", "counts"),
    [
        ({"draws": 1}, (2, 4, 2, 0.25, 0.125)),
        ({"draws": 4}, (2, 4, 4, 0.25, 0.25)),
        # Sentence 1 of x comes first and has one pair in the first draws.
        ({"sample_sentences": 1}, (1, 2, 1, 0.125, 0.0625)),
    ],
)
def test_a_design_is_projected_as_a_build_would_ask(
    design: dict[str, Any], counts: tuple[float, ...], warehouse: Path
) -> None:
    trial = json.loads(tried(warehouse, "--json", **judge(languages=["en"], **design)).stdout)
    (x,) = trial["corpora"]
    names = ["n_sentences", "n_inputs", "n_inputs_first_draws"]
    names += ["usd_of_n_inputs", "usd_of_n_inputs_first_draws"]
    assert [x[name] for name in names] == [*counts]


def test_metrics_that_compare_texts_score_steps(warehouse: Path) -> None:
    # Also if edit-based metrics score no draw: steps belong to no draw.
    with duckdb.connect(warehouse / "build.duckdb") as connection:
        connection.execute("update corpora.metric_registry set n_draws = 0")
    longer = {"metric_class": "module_to_try:Longer"}
    trial = json.loads(tried(warehouse, "--json", **longer).stdout)
    # One source has ccc and bb, of two sentences, in both orders. The other source has the same.
    assert (trial["n_tried"], trial["n_distinct"], trial["n_missing"]) == (3, 2, 0)
    assert [corpus["n_inputs"] for corpus in trial["corpora"]] == [2, 1]
    sampled = json.loads(tried(warehouse, "--json", **longer, sample_sentences=1).stdout)
    assert sampled["corpora"][0]["n_inputs"] == 1


def test_trial_warns_of_invalid_scores(warehouse: Path) -> None:
    odd = tried(warehouse, **judge("odd")).stdout
    assert "WARNING a score differs by 0.5 depending on the other inputs of its batch" in odd
    flat = tried(warehouse, **function("flat", "hypothesis")).stdout
    assert "WARNING every input has the same score" in flat
    assert "WARNING more than 1 % of the inputs have no score" in flat
    assert "missing 1 (33.3%): not a number: NoneType None" in flat
    # A function scores all draws.
    assert "as in a build: 3 inputs" in flat


@pytest.mark.parametrize(
    ("entry", "code", "message"),
    [
        (judge("down"), 1, "mine: no server"),
        ({"metric_class": "module_to_try:None"}, 1, "module_to_try has no None"),
        ({"metric_class": "module_to_try:broken"}, 1, "broken is not a class with score_batch"),
        ({"inputs": ["source"]}, 2, "scored by file expected a metric with a function"),
    ],
)
def test_impossible_trial_is_reported(
    entry: dict[str, Any], code: int, message: str, warehouse: Path
) -> None:
    result = tried(warehouse, **entry)
    assert result.exit_code == code
    assert message in " ".join(result.stderr.split())


def test_a_metric_without_any_score_fails_first_of_all(warehouse: Path) -> None:
    broken = function("broken", "hypothesis", "references")
    result = tried(warehouse, **broken)
    assert result.exit_code == 1
    first = result.stdout.splitlines()[0]
    # bb, ccc and dddd with one list of references, bb and dddd with another.
    assert first == "mine failed at all 5 inputs. The first: ValueError: no model"
    assert "WARNING" not in result.stdout
    as_json = tried(warehouse, "--json", **broken)
    assert (as_json.exit_code, json.loads(as_json.stdout)["n_missing"]) == (1, 5)


def test_before_a_build_the_sample_is_tried(warehouse: Path) -> None:
    (warehouse / "build.duckdb").unlink()
    shown = tried(warehouse, "--sample", "5", **judge()).stdout
    assert "mine: 5 inputs" in shown
    assert "these are inputs of the sample corpus" in shown
    # The sample has four references per sentence.
    duckdb.connect(warehouse / "build.duckdb").close()
    assert json.loads(tried(warehouse, "--json", **judge("odd")).stdout)["lowest"] >= 4
