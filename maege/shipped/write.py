"""Marts that the published results contain, and the rows and columns that are excluded."""

import argparse
import json
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import duckdb

from maege.building.publish import VARIABLE, variables_of
from maege.ingest.warehouse import Warehouse, WarehouseError, find_warehouse, open_marts
from maege.rows import literal, quoted
from maege.shipped.read import COLUMNS, PROVENANCE, read_provenance


@dataclass(frozen=True)
class Exported:
    """How a mart is exported: the rows to keep, without some columns, and why."""

    condition: str = "true"
    without: tuple[str, ...] = ()
    reason: str = ""


# Marts that are exported as a whole.
WHOLE = """
    adjusted_scores adversarial_scores best_metrics corpus_comparisons corpus_correlations
    corpus_files correction_validity corrupted_edit_agreement edit_metric_scores edit_validity
    error_types human_scores judgment_sets judgment_tasks lattices metrics oracle_reranking
    perfect_corrector_scores publication ranking_stability rating_correlations reference_sets
    references_needed replication scores_by_error_count sentence_agreement sentence_correlations
    step_preferences system_scores systems task_aspects tau_by_agreement type_deltas type_ratios
    type_scores verdict_agreement
"""
# Marts of sentences, texts, edits or single answers of judges.
SINGLE = """
    correction_distributions discordant_pairs edit_chunks edit_verdicts gold_edits
    grammar_matches ingest_findings judged_items judged_outputs lattice_nodes metric_failures
    node_scores post_edits preferences rankings ratings reference_texts sentence_exclusions
    sentences system_edits system_outputs system_sentence_scores system_statistics
"""
MARTS = dict.fromkeys(
    WHOLE.split(),
    Exported(),
) | {
    "corpora": Exported(
        without=("ingested_at",), reason="The time of the ingest differs between builds."
    ),
    "correction_profiles": Exported(
        "corrector_kind <> 'annotator'", reason="Single annotators are excluded."
    ),
    "coverage": Exported(
        "sentence_id is null", ("sentence_id",), "Curves of single sentences are excluded."
    ),
    "human_correlations": Exported(
        "resampled = 'both' or not contains(system_set, '_window_')",
        reason="Windows of systems have only the intervals over systems and sentences.",
    ),
    "judge_agreement": Exported(
        "judge_a is null", ("judge_a", "judge_b"), "Names of judges are excluded."
    ),
    "metric_availability": Exported(
        "reason_code <> 'not_selected'", reason="Metrics that were not selected are excluded."
    ),
    "metric_cards": Exported(
        "section <> 'type_comparisons'",
        reason="Comparisons of metrics by error type would be most of the rows.",
    ),
    "metric_comparisons": Exported(
        "error_type is null",
        reason="Comparisons of metrics by error type would be most of the rows.",
    ),
    "system_comparisons": Exported(
        "reference_set = 'none' or (corpus, reference_set) in "
        "(select (corpus, reference_set) from reference_sets where is_default)",
        reason="Only the default reference set of each corpus is compared.",
    ),
}
# Marts that are not exported at all.
EXCLUDED = {
    "annotators": "Names of annotators are excluded.",
    "corpus_draws": "It has each single draw; corpus_correlations summarises the draws.",
    "weight_surface": "It exists only with the variable `replication`.",
} | dict.fromkeys(
    SINGLE.split(),
    "It has sentences, texts, edits or single answers of judges.",
)

# Bytes of one file and of all files.
LARGEST_FILE, LARGEST_FOLDER = 1_000_000, 6_000_000
# Differences up to this share of the value, or this size, are equal: single precision has 7 digits.
TOLERANCE = 1e-5
_COPY = "(format parquet, compression zstd, compression_level 19, parquet_version v2)"


def write_results(warehouse: Warehouse, folder: Path, commit: str | None = None) -> None:
    """Replace the files in the folder: a Parquet file for each mart, and the provenance.

    `commit` names the code that built the warehouse.

    Raises:
        WarehouseError: nothing is published, a mart is neither exported nor excluded, or the
            files are larger than the limits.

    """
    folder.mkdir(parents=True, exist_ok=True)
    for file in (*folder.glob("*.parquet"), folder / PROVENANCE):
        file.unlink(missing_ok=True)
    with open_marts(warehouse) as marts:
        columns = _columns(marts)
        selected: dict[str, list[str]] = {}
        for mart, column, kind, _, excluded in columns:
            if excluded is None:
                name = quoted(column)
                shown = f"cast({name} as float) as {name}" if kind == "DOUBLE" else name
                selected.setdefault(mart, []).append(shown)
        rows = {
            mart: _write(
                marts,
                f"select {', '.join(names)} from {quoted(mart)} "  # noqa: S608
                f"where {MARTS[mart].condition} order by all",
                folder / f"{mart}.parquet",
            )
            for mart, names in selected.items()
        }
        marts.execute(
            "create temp table described (mart varchar, column_name varchar, data_type varchar, "
            "description varchar, excluded varchar)"
        )
        marts.executemany("insert into described values ($1, $2, $3, $4, $5)", columns)
        _write(marts, "select * from described", folder / f"{COLUMNS}.parquet")
        provenance = _provenance(marts, rows, commit)
    (folder / PROVENANCE).write_text(
        json.dumps(provenance, indent=1, ensure_ascii=False) + "\n", "utf-8"
    )
    _refuse_large(folder)


def _write(marts: duckdb.DuckDBPyConnection, query: str, path: Path) -> int:
    ((count,),) = marts.execute(f"copy ({query}) to {literal(str(path))} {_COPY}").fetchall()
    return int(count)


def _columns(
    marts: duckdb.DuckDBPyConnection,
) -> list[tuple[str, str, str, str | None, str | None]]:
    """Return mart, column, type, description and why it is excluded (None: exported)."""
    columns = marts.execute(
        "select table_name, column_name, data_type, comment from duckdb_columns() "
        "where schema_name = 'main' and not internal order by table_name, column_index"
    ).fetchall()
    if unknown := sorted({mart for mart, *_ in columns} - {*MARTS, *EXCLUDED}):
        raise WarehouseError(
            f"maege/shipped/write.py has no entry for {', '.join(unknown)}. Say there whether the "
            "results contain it."
        )
    reasons = {(mart, name): each.reason for mart, each in MARTS.items() for name in each.without}
    return [
        (mart, column, kind, comment, EXCLUDED.get(mart, reasons.get((mart, column))))
        for mart, column, kind, comment in columns
    ]


def _provenance(
    marts: duckdb.DuckDBPyConnection, rows: dict[str, int], commit: str | None
) -> dict[str, Any]:
    facts = dict(marts.execute("from publication order by fact").fetchall())
    files: dict[str, dict[str, str]] = {}
    for corpus, path, digest in marts.execute(
        "select corpus, path, sha256 from corpus_files order by all"
    ).fetchall():
        files.setdefault(corpus, {})[path] = digest
    return {
        "date": facts["built_at"].partition(" ")[0],
        "marts_version": facts["marts_version"],
        "code": {"commit": commit}
        | {
            fact: value
            for fact, value in facts.items()
            if not fact.startswith(VARIABLE)
            and not fact.endswith("_at")
            and fact != "marts_version"
        },
        "variables": variables_of(facts.items()),
        "rows": rows,
        "precision": "DOUBLE columns have single precision: 7 significant digits.",
        "partly_excluded": {
            name: {"rows": each.condition, "without": [*each.without], "reason": each.reason}
            for name, each in MARTS.items()
            if each.reason and name in rows
        },
        "excluded": dict(sorted(EXCLUDED.items())),
        "data_files": files,
    }


def _refuse_large(folder: Path) -> None:
    sizes = {file.name: file.stat().st_size for file in folder.iterdir() if file.is_file()}
    total = sum(sizes.values())
    if max(sizes.values()) > LARGEST_FILE or total > LARGEST_FOLDER:
        largest = sorted(sizes.items(), key=lambda item: -item[1])[:8]
        raise WarehouseError(
            f"{folder}: found {total:,} bytes; expected {LARGEST_FOLDER:,} at most, and "
            f"{LARGEST_FILE:,} a file. The largest files: "
            + ", ".join(f"{name} ({size:,} bytes)" for name, size in largest)
            + ". Exclude rows or columns in maege/shipped/write.py."
        )


def differences(
    committed: Path,
    rebuilt: Path,
    *,
    marts: list[str] | None = None,
    condition: str = "true",
    columns: str = "*",
) -> list[str]:
    """Return a line for each mart whose rows differ between two folders of results.

    `columns` and `condition` are SQL. Numbers with a point may differ by `TOLERANCE`.
    """
    names = marts or sorted(
        {file.stem for folder in (committed, rebuilt) for file in folder.glob("*.parquet")}
        - {COLUMNS, "publication"}
    )
    lines = []
    for name in names:
        old, new = (folder / f"{name}.parquet" for folder in (committed, rebuilt))
        if missing := [str(file) for file in (old, new) if not file.is_file()]:
            lines.append(f"{name}: {' and '.join(missing)} missing")
        elif difference := _difference(old, new, condition, columns):
            lines.append(f"{name}: {difference}")
    return lines


def _difference(committed: Path, rebuilt: Path, condition: str, columns: str) -> str:
    connection = duckdb.connect()
    kinds = []
    for view, file in (("old", committed), ("new", rebuilt)):
        source = f"read_parquet({literal(str(file))})"
        connection.execute(
            f"create view {view} as select {columns} from {source} where {condition}"  # noqa: S608
        )
        described = connection.execute(f"describe {view}").fetchall()
        kinds.append({name: kind for name, kind, *_ in described})
    if kinds[0] != kinds[1]:
        changed = sorted({*kinds[0].items()} ^ {*kinds[1].items()})
        return "other columns: " + ", ".join(f"{name} {kind}" for name, kind in changed)
    numbers = [quoted(name) for name, kind in kinds[0].items() if kind == "FLOAT"]
    keys = [quoted(name) for name, kind in kinds[0].items() if kind != "FLOAT"]
    partition, order = ", ".join(keys) or "true", ", ".join([*numbers, "1"])
    ranked = f"select *, row_number() over (partition by {partition} order by {order}) as copy from"
    equal = " and ".join(f"old.{key} is not distinct from new.{key}" for key in [*keys, "copy"])
    differs = " or ".join(
        f"(old.{name} is null) <> (new.{name} is null) or "
        f"abs(old.{name} - new.{name}) > {TOLERANCE} * greatest(1, abs(old.{name}))"
        for name in numbers
    )
    rows = connection.execute(
        f"""
        select
            old.copy is null, new.copy is null, count(*),
            any_value(if(old.copy is null, new, old))
        from ({ranked} old) as old
        full join ({ranked} new) as new on {equal}
        where old.copy is null or new.copy is null or {differs or "false"}
        group by all
        """  # noqa: S608 - names of our own
    ).fetchall()
    where = {(True, False): "only in the rebuilt", (False, True): "only in the committed"}
    return "; ".join(
        f"{count:,} rows {where.get((new, old), 'with other numbers')}, such as {row}"
        for new, old, count, row in sorted(rows, key=str)
    )


def main() -> int:
    """Write the results, and compare them if requested; return 1 if rows differ."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("folder", type=Path, help="folder to write to")
    parser.add_argument("--commit", help="commit of the code that built the warehouse")
    parser.add_argument("--compare", type=Path, metavar="FOLDER", help="results to compare with")
    options = parser.parse_args()
    try:
        write_results(find_warehouse(), options.folder, options.commit)
        if options.compare is not None:
            read_provenance(options.compare)
    except WarehouseError as error:
        print(error, file=sys.stderr)  # noqa: T201
        return 1
    lines = differences(options.compare, options.folder) if options.compare else []
    for line in lines:
        print(line)  # noqa: T201
    if lines:
        print(f"To publish the new results: cp {options.folder}/* {options.compare}/")  # noqa: T201
    return int(bool(lines))


if __name__ == "__main__":
    raise SystemExit(main())
