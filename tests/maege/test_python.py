"""The Python interface of `import maege` for programs and notebooks."""

import gc
import subprocess
import sys
from pathlib import Path

import duckdb
import pytest
from small_marts import handmade

import maege
from maege.ingest.warehouse import WarehouseError

warehouse = handmade


SOURCE = "He go home ."
RIGHT = "He goes home ."


def test_marts_open_with_statistics_and_metrics(
    warehouse: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MAEGE_WAREHOUSE", str(warehouse))
    for arguments in ((warehouse,), ()):
        with maege.connect(*arguments) as marts:
            query = "select kendall_partial([0, 1], [1, 0]), ld('ab', 'ab') from corpora"
            assert set(marts.execute(query).fetchall()) == {(0.0, 1.0)}
            with pytest.raises(duckdb.Error, match="read-only"):
                marts.execute("create table t (x int)")
    with pytest.raises(WarehouseError, match="nothing is published yet"):
        maege.connect(tmp_path)


def test_functions_work_after_another_connection_to_the_marts_is_closed(warehouse: Path) -> None:
    query = "select kendall_p(1, 1, 0), ld('ab', 'ab')"
    closed_first = maege.connect(warehouse)
    with maege.connect(warehouse) as marts:
        assert closed_first.execute(query).fetchall() == [(1.0, 1.0)]
        closed_first.close()
        gc.collect()
        assert marts.execute(query).fetchall() == [(1.0, 1.0)]


def test_a_second_connection_needs_the_language_of_the_first(warehouse: Path) -> None:
    for first, second in (("uk", "en"), ("en", "uk")):
        with (
            maege.connect(warehouse, language=first),
            pytest.raises(maege.TextsError, match=f"the language {first}; close it first"),
        ):
            maege.connect(warehouse, language=second)


def test_scores_are_frames_and_a_corpus_score_of_one_system_is_a_number() -> None:
    outputs, references = {"good": [RIGHT], "idle": [SOURCE]}, [[RIGHT]]
    frame = maege.score("m2", [SOURCE, SOURCE], [RIGHT, SOURCE], [[RIGHT], [RIGHT]])
    assert frame.to_dict("list") == {
        "system": ["hypotheses", "hypotheses"],
        "sentence_id": [0, 1],
        "score": [1.0, 0.0],
    }
    several = maege.score("m2", [SOURCE], outputs, references, level="corpus")
    assert several.columns.tolist() == ["system", "n_sentences", "score", "signature"]
    assert several["system"].tolist() == ["good", "idle"]
    assert several.score.tolist() == several["score"].tolist() == [1.0, 0.0]
    assert several["signature"].str.startswith("m2|").all()
    with pytest.raises(TypeError, match="scores of 2 systems"):
        float(several)
    score = maege.score("m2", [SOURCE], [RIGHT], references, level="corpus")
    assert float(score) == score.score == 1.0
    assert score.signature.startswith("m2|")


@pytest.fixture
def gold(tmp_path: Path) -> Path:
    path = tmp_path / "gold.m2"
    edit = "A 1 2|||R:VERB|||{}|||REQUIRED|||-NONE-|||{}\n"
    path.write_text(f"S {SOURCE}\n{edit.format('goes', 0)}{edit.format('went', 1)}\n")
    return path


def test_gold_file_has_sources_and_annotators(gold: Path) -> None:
    for hypothesis in (RIGHT, "He went home ."):
        for metric in ("m2", "gleu"):
            frame = maege.score(metric, hypotheses=[hypothesis], gold=gold, level="corpus")
            references = [[RIGHT, "He went home ."]]
            expected = maege.score(metric, [SOURCE], [hypothesis], references, level="corpus")
            assert float(frame) == float(expected) > 0.4
    assert maege.score("m2", [SOURCE], [RIGHT], gold=gold)["score"].tolist() == [1]


def test_gold_file_excludes_other_references(gold: Path, tmp_path: Path) -> None:
    with pytest.raises(maege.TextsError, match="found gold and references"):
        maege.score("m2", None, [RIGHT], [[RIGHT]], gold=gold)
    with pytest.raises(maege.TextsError, match="found other sentences"):
        maege.score("m2", [RIGHT], [RIGHT], gold=gold)
    with pytest.raises(maege.TextsError, match="found 2 texts; expected 1"):
        maege.score("m2", None, [RIGHT, RIGHT], gold=gold)
    with pytest.raises(maege.TextsError, match=r"absent\.m2"):
        maege.score("m2", None, [RIGHT], gold=tmp_path / "absent.m2")


def test_import_is_light_and_missing_names_are_errors() -> None:
    heavy = "{'duckdb', 'nltk', 'numba', 'pandas', 'pyarrow', 'scipy'}"
    code = f"import sys, maege; print({heavy} & {{*sys.modules}})"
    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    assert done.stdout == "set()\n"

    with pytest.raises(AttributeError, match="no attribute 'scores'"):
        maege.scores  # noqa: B018


def test_metrics_say_whether_they_are_available() -> None:
    metrics = maege.metrics("cs").set_index("metric")
    assert metrics.loc["gleu", ["inputs", "is_available"]].tolist() == [
        "source, hypothesis, references",
        True,
    ]
    # METEOR's stemmer is English.
    assert not metrics.loc["meaning", "is_available"]
    assert metrics.loc["meaning", "reason"] == "reads en, found cs"


def test_public_names_are_listed_and_exist() -> None:
    listed = {"score", "compare", "metrics", "connect", "card", "Metric", "TextsError"}
    assert listed < set(dir(maege)) == set(maege.__all__)
    assert all(getattr(maege, name) for name in dir(maege))
