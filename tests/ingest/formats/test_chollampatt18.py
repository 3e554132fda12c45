"""The scores of Chollampatt and Ng (2018) as released: files without a header."""

from pathlib import Path

import pytest
from small_corpus import ingest, query

# Pairs of systems that a judge ranked differently, by the metric's order: the paper's counts.
PAIRS = """
    with shown as (
        select judge, item, sentence_id, system, rank from raw.judgments
    ),
    scores as (
        select system, sentence_id, score from raw.sentence_scores where metric = $metric
    ),
    pairs as (
        select better_score.score - worse_score.score as difference
        from shown as better
        inner join shown as worse
            on
                better.judge = worse.judge
                and better.item = worse.item
                and better.rank < worse.rank
        inner join scores as better_score
            on better.sentence_id = better_score.sentence_id and better.system = better_score.system
        inner join scores as worse_score
            on worse.sentence_id = worse_score.sentence_id and worse.system = worse_score.system
    )
    select
        count(*) filter (where difference > 0),
        count(*) filter (where difference < 0),
        count(*) filter (where difference = 0)
    from pairs
"""


@pytest.fixture(scope="module")
def warehouse(tmp_path_factory: pytest.TempPathFactory, repository: Path, shared: Path) -> Path:
    folder = tmp_path_factory.mktemp("chollampatt18")
    ingest(folder, repository / "corpora" / "chollampatt18", "--data-root", shared / "data")
    return folder


def test_every_output_has_a_score_by_each_program(warehouse: Path) -> None:
    counts = "select metric, count(*), count(distinct system) from raw.sentence_scores group by all"
    assert sorted(query(warehouse, counts)) == [
        (f"chollampatt18_{metric}", 13 * 1312, 13) for metric in ("gleu", "imeasure", "m2")
    ]


@pytest.mark.parametrize(
    ("metric", "counts", "tau"),
    [
        ("gleu", (34468, 15066, 447), 0.3882),
        ("imeasure", (33225, 14855, 1901), 0.3675),
        ("m2", (20956, 5944, 23081), 0.3004),
    ],
)
def test_scores_order_outputs_as_published(
    warehouse: Path, metric: str, counts: tuple[int, int, int], tau: float
) -> None:
    (stored_counts,) = query(warehouse, PAIRS.replace("$metric", f"'chollampatt18_{metric}'"))
    assert stored_counts == counts
    concordant, discordant, tied = counts
    assert round((concordant - discordant) / (concordant + discordant + tied), 4) == tau
