"""`maege metric try` and `maege metric add` for classes: their inputs and their output."""

import json
from pathlib import Path

import duckdb
import pytest
from small_corpus import maege, refusal
from typer.testing import Result

from maege.metric.file import read_own_metrics

MODULE = """\
import maege


class Judge(maege.Metric):
    reads = ("source", "hypothesis", "references")
    batch_size = 2
    higher_is_better = False

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
    (tmp_path / "metrics.yml").write_text("")
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


def tried(warehouse: Path, *arguments: str) -> Result:
    return maege(warehouse, "metric", "try", *arguments)


def test_trial_estimates_the_time_of_all_inputs(warehouse: Path) -> None:
    result = tried(warehouse, "module_to_try:Judge", "--parameter", "model=good", "--json")
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
    shown = tried(warehouse, "module_to_try:Judge", "--parameter", "model=good").stdout
    assert "first draws (as in a build): 3 inputs, 1 min, 0.00 M tokens asked" in shown


def test_suspicious_texts_are_refused_unless_forced(warehouse: Path) -> None:
    judge = ("module_to_try:Judge", "--parameter", "model=good")
    with duckdb.connect(warehouse / "build.duckdb") as connection:
        connection.execute("""
            create table raw.sentences as
                from (values ('x', 0, 'I live here .'), ('x', 1, 'Я живу здесь сейчас .'))
                as t (corpus, sentence_id, text);
            create table raw."references" (
                corpus text, reference text, sentence_id integer, text text
            );
            create table raw.outputs (corpus text, system text, sentence_id integer, text text);
            insert into raw.outputs from (values
                ('x', 'a', 0, '{"text": "I live here ."}'), ('x', 'a', 1, '{"text": "Я ."}')
            ) as t;
            create table raw.ingest_findings (corpus text, kind text);
        """)
    refused = tried(warehouse, *judge)
    assert refused.exit_code == 2
    message = " ".join(refused.stderr.split())
    assert "x, output of a:1 found JSON with an object a line" in message
    assert "x, sentences found texts in the script Cyrillic, and en is named" in message
    assert "language: TAG in the manifest, such as language: cs, then ingest the corpus" in message
    forced = tried(warehouse, *judge, "--force", "--json")
    assert forced.exit_code == 0
    assert len(json.loads(forced.stdout)["warnings"]) == 2


@pytest.mark.parametrize(
    ("design", "counts", "message"),
    [
        (("--draws", "1"), (2, 4, 2, 0.25, 0.125), "first draw (as in a build): 2 inputs"),
        (("--draws", "4"), (2, 4, 4, 0.25, 0.25), "first 4 draws (as in a build): 4 inputs"),
        # Sentence 1 of x comes first and has one pair in the first draws.
        (("--sample-sentences", "1"), (1, 2, 1, 0.125, 0.0625), "x, 1 sentences of the sample"),
    ],
)
def test_a_design_is_projected_as_a_build_would_ask(
    design: tuple[str, ...], counts: tuple[float, ...], message: str, warehouse: Path
) -> None:
    line = ("module_to_try:Judge", "--parameter", "model=good", *design)
    add = ("metric", "add", *line, "--name", "judge", "--languages", "en")
    assert maege(warehouse, *add).exit_code == 0
    declared = json.loads(tried(warehouse, "judge", "--json").stdout)["corpora"]
    assert [corpus["corpus"] for corpus in declared] == ["x"]
    x, _ = json.loads(tried(warehouse, *line, "--json").stdout)["corpora"]
    names = ["n_sentences", "n_inputs", "n_inputs_first_draws"]
    names += ["usd_of_n_inputs", "usd_of_n_inputs_first_draws"]
    assert [x[name] for name in names] == [declared[0][name] for name in names] == [*counts]
    assert message in tried(warehouse, *line).stdout


def test_metrics_that_compare_texts_score_steps(warehouse: Path) -> None:
    line = ("module_to_try:Longer", "--json")
    # Also if edit-based metrics score no draw: steps belong to no draw.
    with duckdb.connect(warehouse / "build.duckdb") as connection:
        connection.execute("update corpora.metric_registry set n_draws = 0")
    trial = json.loads(tried(warehouse, *line).stdout)
    # One source has ccc and bb, of two sentences, in both orders. The other source has the same.
    assert (trial["n_tried"], trial["n_distinct"], trial["n_missing"]) == (3, 2, 0)
    assert [corpus["n_inputs"] for corpus in trial["corpora"]] == [2, 1]
    x, _ = json.loads(tried(warehouse, *line, "--sample-sentences", "1").stdout)["corpora"]
    assert x["n_inputs"] == 1
    shown = tried(warehouse, "module_to_try:Longer").stdout
    assert "steps in both orders (as in a build): 2 inputs" in shown
    refused = tried(warehouse, "module_to_try:flat", "--inputs", "hypothesis,other")
    assert "is a function: only a class compares with other" in refused.stderr


@pytest.mark.parametrize(
    ("limits", "sentences", "inputs", "is_all"),
    [
        # The first sentences of x and y have one pair each, the second of x has two.
        (("--budget", "0.1"), 0, 0, False),
        (("--budget", "0.125"), 1, 2, False),
        (("--budget", "0.24"), 1, 2, False),
        (("--budget", "0.25"), 2, 4, True),
        (("--hours", "0"), 0, 0, False),
        (("--budget", "0.2", "--hours", "9"), 1, 2, False),
        (("--hours", "9"), 2, 4, True),
    ],
)
def test_budget_covers_a_number_of_whole_sentences(
    limits: tuple[str, ...], sentences: int, inputs: int, is_all: bool, warehouse: Path
) -> None:
    line = ("module_to_try:Judge", "--parameter", "model=good", *limits)
    affordable = json.loads(tried(warehouse, *line, "--json").stdout)["affordable"]
    assert (affordable["n_sentences"], affordable["n_inputs"]) == (sentences, inputs)
    assert affordable["is_all"] == is_all
    assert affordable["usd"] == inputs / 16
    shown = tried(warehouse, *line).stdout
    assert "within the limits: " in shown
    assert ("(--sample-sentences)" in shown) == (sentences == 1)


def test_trial_warns_of_invalid_scores(warehouse: Path) -> None:
    odd = tried(warehouse, "module_to_try:Judge", "--parameter", "model=odd").stdout
    assert "WARNING a score differs by 0.5 depending on the other inputs of its batch" in odd
    flat = tried(warehouse, "module_to_try:flat", "--inputs", "hypothesis", "--budget", "1").stdout
    assert "WARNING every input has the same score" in flat
    assert "WARNING more than 1 % of the inputs have no score" in flat
    assert "missing 1 (33.3%): not a number: NoneType None" in flat
    # A function has no estimate of its cost, and scores all draws.
    assert "the budget has no effect" in flat
    assert "all draws (as in a build): 3 inputs" in flat
    assert "first draws" not in flat


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("module_to_try:Judge", "--parameter", "model=down"), "Judge: no server"),
        (("module_to_try:None",), "module_to_try has no None"),
        (("module_to_try:broken",), "say which inputs it reads, such as --inputs hypothesis,ref"),
        (("judge",), "has no class or function judge. Name one as MODULE:OBJECT"),
    ],
)
def test_impossible_trial_is_reported(
    arguments: tuple[str, ...], message: str, warehouse: Path
) -> None:
    result = tried(warehouse, *arguments)
    assert result.exit_code == 1
    assert message in result.stderr


def test_a_metric_without_any_score_fails_first_of_all(warehouse: Path) -> None:
    line = ("module_to_try:broken", "--inputs", "hypothesis,references")
    result = tried(warehouse, *line)
    assert result.exit_code == 1
    first = result.stdout.splitlines()[0]
    # bb, ccc and dddd with one list of references, bb and dddd with another.
    assert first == "module_to_try:broken failed at all 5 inputs. The first: ValueError: no model"
    assert "WARNING" not in result.stdout
    as_json = tried(warehouse, *line, "--json")
    assert (as_json.exit_code, json.loads(as_json.stdout)["n_missing"]) == (1, 5)


def test_before_a_build_the_sample_is_tried(warehouse: Path, tmp_path: Path) -> None:
    del warehouse
    nothing, empty = tmp_path / "nothing", tmp_path / "empty"
    empty.mkdir()
    duckdb.connect(empty / "build.duckdb").close()
    line = ("module_to_try:Judge", "--parameter", "model=good", "--sample", "5")
    shown = tried(nothing, *line).stdout
    assert "Judge: 5 inputs" in shown
    assert "these are inputs of the sample corpus" in shown
    # The sample has four references per sentence.
    command = ("module_to_try:Judge", "--parameter", "model=odd", "--json")
    assert json.loads(tried(empty, *command).stdout)["lowest"] >= 4


def test_class_declares_its_inputs(warehouse: Path, tmp_path: Path) -> None:
    add = ("metric", "add", "module_to_try:Judge", "--name", "judge")
    assert "module_to_try:Judge: TypeError" in refusal(warehouse, *add, code=1)
    assert maege(warehouse, *add, "--parameter", "model=good").exit_code == 0
    declared = read_own_metrics(tmp_path / "metrics.yml")["judge"]
    assert declared.metric_class == "module_to_try:Judge"
    assert declared.inputs == ("source", "hypothesis", "references")
    assert not declared.higher_is_better
    assert "lower   module_to_try:Judge" in maege(warehouse, "metric", "list").stdout
