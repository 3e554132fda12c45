"""`maege export preferences`: pairs for reward models, and a folder for mt-metrics-eval."""

import json
from pathlib import Path

import duckdb
import pytest

from maege.exports.preferences import licence_of, write_pairs, write_segments
from maege.names import UnknownError

MARTS = """
create table preferences as from (values
    (null, 'mine', 'pairs', 'pair', 'fluency', 'ann', 'bus', 1, '0', '1', -1, null::double, 1),
    (null, 'mine', 'pairs', 'pair', 'fluency', 'ben', 'bus', 1, '0', '1', 0, null, 1),
    (null, 'mine', 'pairs', 'pair', 'fluency', 'ben', 'cat', 1, '0', '1', 1, null, 1),
    ('small', 'ranked', 'ranked', 'ranking', null, 'ann', '7', 1, 'A B', 'C', 1, 2.0, 1)
) as t (corpus, judgment_set, task, derived_from, aspect, judge, item, pair, output_a, output_b,
        preference, margin, n_dependent);
create table rankings as from (values
    ('small', 'ranked', 'ann', '7', 3), ('small', 'ranked', 'ann', '7', 3)
) as t (corpus, judgment_set, judge, item, sentence_id);
create table sentences as
from (values ('small', 3, 'He go .')) as t (corpus, sentence_id, source_text);
create table system_outputs as from (values
    ('small', 3, 'A', 'He goes .'), ('small', 3, 'C', 'He going .')
) as t (corpus, sentence_id, system, text);
create table judged_items as from (values
    ('mine', 'bus', 'By bus go .'), ('mine', 'bus', 'By bus go .'), ('mine', 'cat', null)
) as t (judgment_set, item, source);
create table judged_outputs as from (values
    ('mine', 'bus', 0, 'By bus go.'),
    ('mine', 'bus', 1, 'Go by bus.'),
    ('mine', 'cat', 0, 'A\ncat.')
) as t (judgment_set, item, output_id, text);
create table ratings as from (values
    ('mine', 'rated', 'errors', 'bus', 0, 'x', 2.0),
    ('mine', 'rated', 'errors', 'bus', 0, 'x', 1.0),
    ('mine', 'rated', 'errors', 'bus', 1, 'y,z', 0.0),
    ('mine', 'rated', 'errors', 'cat', 0, 'x', 1.0)
) as t (judgment_set, task, aspect, item, output_id, systems, value);
create table task_aspects as
from (values ('mine', 'rated', 'errors', false))
    as t (judgment_set, task, aspect, higher_is_better);
create table judgment_sets as
from (values ('mine', 'none', false), ('ranked', 'MIT', null))
    as t (judgment_set, licence, may_be_shared);
"""


@pytest.fixture
def marts() -> duckdb.DuckDBPyConnection:
    """Handmade marts with the tables that the export reads."""
    connection = duckdb.connect()
    connection.execute(MARTS)
    return connection


def test_a_pair_has_its_better_text_chosen(
    marts: duckdb.DuckDBPyConnection, tmp_path: Path
) -> None:
    out = tmp_path / "pairs.jsonl"
    written = write_pairs(marts, "mine", out)
    assert written.summary == "1 pairs"
    assert written.left_out == {"ties": 1, "pairs without a text": 1}
    (line,) = out.read_text().splitlines()
    assert json.loads(line) == {
        "prompt": "By bus go .",
        "chosen": "Go by bus.",
        "rejected": "By bus go.",
        "judgment_set": "mine",
        "task": "pairs",
        "derived_from": "pair",
        "aspect": "fluency",
        "judge": "ann",
        "item": "bus",
    }


def test_systems_that_were_ranked_have_their_outputs(
    marts: duckdb.DuckDBPyConnection, tmp_path: Path
) -> None:
    write_pairs(marts, "ranked", tmp_path / "pairs.jsonl")
    pair = json.loads((tmp_path / "pairs.jsonl").read_text())
    texts = (pair["prompt"], pair["chosen"], pair["rejected"])
    assert texts == ("He go .", "He goes .", "He going .")


def test_segments_have_mean_ratings_of_systems_larger_being_better(
    marts: duckdb.DuckDBPyConnection, tmp_path: Path
) -> None:
    write_segments(marts, "mine", tmp_path)
    scores = (tmp_path / "human-scores" / "rated.errors.seg.score").read_text()
    assert scores == "x\t-1.5\nx\t-1.0\ny\t-0.0\ny\tNone\nz\t-0.0\nz\tNone\n"
    assert (tmp_path / "sources" / "rated.txt").read_text() == "By bus go .\n\n"
    assert (tmp_path / "system-outputs" / "rated" / "x.txt").read_text() == "By bus go.\nA cat.\n"
    assert (tmp_path / "documents" / "rated.docs").read_text() == "mine\tbus\nmine\tcat\n"


def test_unknown_set_is_named(marts: duckdb.DuckDBPyConnection, tmp_path: Path) -> None:
    with pytest.raises(UnknownError, match="mine"):
        write_pairs(marts, "yours", tmp_path / "pairs.jsonl")


def test_only_sets_with_permission_may_be_shared(marts: duckdb.DuckDBPyConnection) -> None:
    assert licence_of(marts, "mine") == ("none", False)
    assert licence_of(marts, "ranked") == ("MIT", False)
