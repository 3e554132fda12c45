"""Export human judgments: rankings, preference pairs, and segment scores."""

import json
from collections.abc import Iterator
from itertools import groupby
from pathlib import Path
from typing import Any, NamedTuple

import duckdb

from maege.ingest.findings import check_known
from maege.ingest.formats.rankings import judgments_csv
from maege.ingest.warehouse import Warehouse, WarehouseError, open_build
from maege.rows import records
from maege.whole_files import write_whole

# --- Pairs of preferences and segments, for reward models and mt-metrics-eval ---
#
# Reward models are trained on JSON lines with `prompt`, `chosen` and `rejected` (the columns of TRL
# and of Hugging Face's preference data sets), so ties are excluded. mt-metrics-eval reads a folder
# with sources/NAME.txt, system-outputs/NAME/SYSTEM.txt, documents/NAME.docs and
# human-scores/NAME.ASPECT.seg.score, which has a line per system and segment: None if not judged.

_PAIRS = """
with ranked as (
    select distinct on (corpus, judgment_set, judge, item)
        corpus, judgment_set, judge, item, sentence_id
    from rankings
    where judgment_set = $judgment_set
),
texts as (
    select judgment_set, item, null as corpus, output_id::varchar as output, text
    from judged_outputs where judgment_set = $judgment_set
),
sources as (
    select distinct judgment_set, item, source from judged_items
    where judgment_set = $judgment_set
)
select
    preferences.*,
    coalesce(sources.source, sentences.source_text) as source,
    coalesce(first.text, output_a.text) as text_a,
    coalesce(second.text, output_b.text) as text_b
from preferences
left join sources
    on preferences.corpus is null and preferences.item = sources.item
left join texts as first
    on preferences.corpus is null and preferences.item = first.item
    and preferences.output_a = first.output
left join texts as second
    on preferences.corpus is null and preferences.item = second.item
    and preferences.output_b = second.output
left join ranked
    on preferences.corpus = ranked.corpus and preferences.judge = ranked.judge
    and preferences.item = ranked.item
left join sentences
    on ranked.corpus = sentences.corpus and ranked.sentence_id = sentences.sentence_id
left join system_outputs as output_a
    on ranked.corpus = output_a.corpus and ranked.sentence_id = output_a.sentence_id
    and split_part(preferences.output_a, ' ', 1) = output_a.system
left join system_outputs as output_b
    on ranked.corpus = output_b.corpus and ranked.sentence_id = output_b.sentence_id
    and split_part(preferences.output_b, ' ', 1) = output_b.system
where preferences.judgment_set = $judgment_set
order by corpus, task, aspect, preferences.item, preferences.judge, pair
"""
_SEGMENTS = """
with of_systems as (
    select task, aspect, item, output_id, value, unnest(string_split(systems, ',')) as system
    from ratings
    where judgment_set = $judgment_set and systems <> ''
)
select task, aspect, item, system, any_value(output_id), avg(value)
from of_systems
group by task, aspect, item, system
order by task, aspect, item, system
"""
_KEPT = ("corpus", "judgment_set", "task", "derived_from", "aspect", "judge", "item", "margin")


class Written(NamedTuple):
    """A description of what was written, and the numbers of excluded pairs by reason."""

    summary: str
    left_out: dict[str, int]


def licence_of(connection: duckdb.DuckDBPyConnection, judgment_set: str) -> tuple[str, bool]:
    rows = connection.execute(
        "select string_agg(distinct licence, '; '), bool_and(may_be_shared is true) "
        "from judgment_sets where judgment_set = $judgment_set",
        {"judgment_set": judgment_set},
    ).fetchall()
    licence, may_be_shared = rows[0]
    return licence or "unknown", bool(may_be_shared)


def write_pairs(connection: duckdb.DuckDBPyConnection, judgment_set: str, path: Path) -> Written:
    """Write a JSON line for each untied pair with both texts; UnknownError without the set."""
    sets = connection.execute("select distinct judgment_set from preferences order by all")
    check_known(f"judgment set {judgment_set}", judgment_set, (name for (name,) in sets.fetchall()))
    left_out = {"ties": 0, "pairs without a text": 0}
    lines = list(_lines(connection, judgment_set, left_out))
    write_whole("".join(lines), path)
    return Written(f"{len(lines):,} pairs", left_out)


def _lines(
    connection: duckdb.DuckDBPyConnection, judgment_set: str, left_out: dict[str, int]
) -> Iterator[str]:
    for row in records(connection.execute(_PAIRS, {"judgment_set": judgment_set})):
        texts = row["text_a"], row["text_b"]
        if row["preference"] == 0:
            left_out["ties"] += 1
        elif row["source"] is None or None in texts:
            left_out["pairs without a text"] += 1
        else:
            chosen, rejected = texts if row["preference"] > 0 else reversed(texts)
            pair = {"prompt": row["source"], "chosen": chosen, "rejected": rejected}
            about = {name: row[name] for name in _KEPT if row[name] is not None}
            yield json.dumps(pair | about, ensure_ascii=False) + "\n"


def write_segments(
    connection: duckdb.DuckDBPyConnection, judgment_set: str, folder: Path
) -> Written:
    """Write the mean ratings of a set for mt-metrics-eval, with one test set per task.

    Scores of aspects in which lower is better are negated, so that higher is always better. Raises
    UnknownError if no set of this name has ratings of named systems.
    """
    sets = connection.execute(
        "select distinct judgment_set from ratings where systems <> '' order by all"
    )
    names = (name for (name,) in sets.fetchall())
    check_known(f"judgment set {judgment_set} with ratings of systems", judgment_set, names)
    parameters = {"judgment_set": judgment_set}
    turned = set(
        connection.execute(
            "select task, aspect from task_aspects "
            "where judgment_set = $judgment_set and not higher_is_better",
            parameters,
        ).fetchall()
    )
    sources: dict[str, str | None] = dict(
        connection.execute(
            "select item, any_value(source) from judged_items "
            "where judgment_set = $judgment_set group by item",
            parameters,
        ).fetchall()
    )
    texts = {
        (item, output): text
        for item, output, text in connection.execute(
            "select item, output_id, text from judged_outputs where judgment_set = $judgment_set",
            parameters,
        ).fetchall()
    }
    tasks: dict[str, list[tuple[Any, ...]]] = {}
    for task, *segment in connection.execute(_SEGMENTS, parameters).fetchall():
        tasks.setdefault(task, []).append(tuple(segment))
    for task, segments in tasks.items():
        items = sorted({item for _, item, *_ in segments})
        systems = sorted({system for _, _, system, *_ in segments})
        outputs = {(item, system): output for _, item, system, output, _ in segments}
        _write(folder / "sources" / f"{task}.txt", (sources.get(item) for item in items))
        _write(folder / "documents" / f"{task}.docs", (f"{judgment_set}\t{item}" for item in items))
        for system in systems:
            system_texts = (texts.get((item, outputs.get((item, system), -1))) for item in items)
            _write(folder / "system-outputs" / task / f"{system}.txt", system_texts)
        for aspect in sorted({aspect for aspect, *_ in segments}):
            sign = -1 if (task, aspect) in turned else 1
            values = {
                (item, system): sign * value
                for name, item, system, _, value in segments
                if name == aspect
            }
            _write(
                folder / "human-scores" / f"{task}.{aspect}.seg.score",
                (f"{name}\t{values.get((item, name))}" for name in systems for item in items),
            )
    return Written(f"{len(tasks)} tasks, {sum(map(len, tasks.values())):,} segments", {})


def _write(path: Path, lines: Iterator[str | None]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    # One line per segment, so line breaks in texts are replaced.
    write_whole("".join((line or "").replace("\n", " ") + "\n" for line in lines), path)


# --- Human rankings as CSV ---


def export_judgments(warehouse: Warehouse, corpus: str, judgment_set: str) -> str:
    """Return a judgment set as CSV, in the order of its file; sentences are numbered from 0.

    Systems with the same output share a row, as the judge saw them. Raises UnknownError, and
    WarehouseError if the database cannot be read.
    """
    with open_build(warehouse, read_only=True) as connection:
        try:
            corpora = connection.execute("select corpus from raw.corpora order by all").fetchall()
            sets = connection.execute(
                "select judgment_set from raw.judgment_sets where corpus = $corpus order by all",
                {"corpus": corpus},
            ).fetchall()
        except duckdb.CatalogException:
            raise WarehouseError(
                "No rankings are ingested yet. Run: maege ingest corpora/sample"
            ) from None
        check_known(f"corpus {corpus}", corpus, (name for (name,) in corpora))
        own = (name for (name,) in sets)
        check_known(f"judgment set {judgment_set} in {corpus}", judgment_set, own)
        judgments = connection.execute(
            "select judge, item, sentence_id, rank, item_position, cell, system from raw.judgments "
            "where corpus = $corpus and judgment_set = $judgment_set "
            "order by item_position, cell, system",
            {"corpus": corpus, "judgment_set": judgment_set},
        ).fetchall()
    return judgments_csv(
        (judge, item, sentence_id, " ".join(row[-1] for row in rows), rank)
        for (judge, item, sentence_id, rank, *_), rows in groupby(judgments, lambda row: row[:-1])
    )
