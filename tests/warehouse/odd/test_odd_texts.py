"""Bars and white space in texts: compared unchanged, and equally in marts and in Python."""

from pathlib import Path

import pytest
from building import query
from small_corpus import maege, refusal

from maege import score
from maege.analysis.direct.scores import offered

# Metrics below 1 because of two references, and metrics that compare only with the source.
OTHERS = {"ibleu", "ibleu_minus", "sari", "max_sari", "gleu", "gleu_equation"}
NO_REFERENCES = {"fluency", "ld", "meaning"}


def test_a_perfect_output_with_bars_is_perfect(odd_warehouse: Path) -> None:
    rows: dict[str, float] = dict(
        query(
            odd_warehouse,
            "select metric, corpus_score from marts.system_scores "
            "where corpus = 'bars' and system = 'perfect' and reference_set = 'rewritten'",
        )
    )
    edit_metrics = {"m2", "errant", "cleme", "cleme_independent", "gotoscorer", "imeasure"}
    assert edit_metrics <= rows.keys()
    assert {name for name, score in rows.items() if score != 1} <= OTHERS | NO_REFERENCES


def test_texts_that_break_m2_are_not_written(odd_warehouse: Path) -> None:
    message = refusal(odd_warehouse, "export", "m2", "bars", "rewritten", code=1)
    assert 'the correction "||" in sentence 0' in message
    export = maege(odd_warehouse, "export", "imeasure", "bars", "rewritten")
    assert '<c end="9" start="5">a||b ||</c>' in export.stdout


def test_white_space_makes_no_difference(odd_warehouse: Path) -> None:
    scores = query(
        odd_warehouse,
        "select metric, count(distinct score), count(*) from marts.system_sentence_scores "
        "where corpus = 'spaces' and system in ('odd', 'plain') group by metric",
    )
    assert {row[1:] for row in scores} == {(1, 16)}


@pytest.mark.parametrize("corpus", ["bars", "spaces"])
def test_python_has_the_scores_of_the_marts(
    corpus: str, odd_corpora: Path, odd_warehouse: Path
) -> None:
    def lines(name: str) -> list[str]:
        return (odd_corpora / corpus / f"{name}.txt").read_text(encoding="utf-8").split("\n")[:-1]

    systems, references = {
        "bars": ({"half": "half", "idle": "source", "perfect": "first"}, ["first", "second"]),
        "spaces": ({"odd": "odd", "plain": "plain"}, ["reference"]),
    }[corpus]
    outputs = {system: lines(name) for system, name in systems.items()}
    marts = query(
        odd_warehouse,
        "select metric, list(score order by system, sentence_id) "
        "from marts.system_sentence_scores where corpus = $1 and list_contains($2, system) "
        "group by metric",
        corpus,
        list(systems),
    )
    compared = {name: scores for name, scores in marts if name in offered(outputs=True)}
    assert len(compared) >= 20
    for name, scores in compared.items():
        texts = {reference: lines(reference) for reference in references}
        frame = score(name, lines("source"), outputs, texts)
        assert frame["score"].tolist() == scores, name
