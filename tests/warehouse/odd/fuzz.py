"""Test the warehouse with random corpora: `make fuzz`, `make fuzz SEED=17 CORPORA=1`.

Each warehouse has a batch of corpora. If a build fails, the batch is halved until the failing
corpora are known. Exits with 1 if a property does not hold, and names the corpus for each.
"""

import argparse
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

import duckdb
from building import BUILD, BUILD_WITHOUT_TESTS, attempt, variables
from properties import PROPERTIES, Built
from random_corpora import RandomCorpus, random_corpus
from small_corpus import maege

LINES_SHOWN = 12
# How many corpora of a batch are removed.
REMOVED = 3
# Times of ingestion and hashes differ without meaning.
NOT_COMPARED = ("ingested_at", "fingerprint")
# The most expensive variables: resamples and draws, whose numbers no property reads.
FEWER = variables(
    bootstrap_samples=40,
    test_resamples=40,
    chains_per_annotation=1,
    corpus_draws=2,
    corpus_models=[0, 2],
    crowd_redraws=2,
    edit_metric_draws=1,
    corrupted_edits=0.1,
    trueskill_runs=2,
    replication=True,
    workers=1,
)


def ingested(folder: Path, corpora: Sequence[RandomCorpus]) -> Iterator[str]:
    """Ingest the corpora into the warehouse in the folder; yield rejections."""
    for corpus in corpora:
        files = corpus.write(folder / "corpora" / corpus.name)
        result = maege(folder / "warehouse", "ingest", files, *corpus.options)
        if result.exit_code:
            yield f"{corpus.name} was not ingested: {result.output} {result.exception!r}"


def built(folder: Path, build: Sequence[str] = BUILD) -> str | None:
    """Build the warehouse in the folder; return errors."""
    completed = attempt("dbt", folder / "warehouse", *build, *FEWER)
    if completed.returncode == 0:
        return None
    lines = [line for line in completed.stdout.splitlines() if line.strip()]
    return "\n".join(f"    {line}" for line in lines[-LINES_SHOWN:])


def publishing_and_removing(folder: Path, corpora: Sequence[RandomCorpus]) -> Iterator[str]:
    """Publish, remove some corpora, build and publish again; yield inconsistencies."""
    warehouse = folder / "warehouse"
    if maege(warehouse, "publish").exit_code:
        yield "a build that passed is not published"
        return
    removed = {corpus.name for corpus in corpora[:: len(corpora) // REMOVED or 1]}
    before = rows_by_corpus(warehouse)
    for name in sorted(removed):
        if maege(warehouse, "remove", name).exit_code:
            yield f"{name} is not removed"
    if maege(warehouse, "publish").exit_code == 0:
        yield f"marts with {', '.join(sorted(removed))} are published, which were removed"
    failure = built(folder, BUILD_WITHOUT_TESTS)
    if failure is not None or maege(warehouse, "publish").exit_code:
        yield f"not built or not published without {', '.join(sorted(removed))}: {failure}"
        return
    after = rows_by_corpus(warehouse)
    for mart, name in sorted(before.keys() | after.keys()):
        here = after.get((mart, name))
        if here != (None if name in removed else before.get((mart, name))):
            yield f"{mart} of {name} is not what it was before others were removed"


def rows_by_corpus(warehouse: Path) -> dict[tuple[str, str], tuple[int, int]]:
    """Return for each published mart and corpus the number of its rows and a sum over them."""
    totals = {}
    with duckdb.connect(warehouse / "marts.duckdb", read_only=True) as marts:
        tables = marts.execute(
            "select table_name, list(column_name) from duckdb_columns() "
            "where schema_name = 'main' group by all "
            "having list_contains(list(column_name), 'corpus') order by all"
        ).fetchall()
        for mart, columns in tables:
            # Weights that depended on another corpus disappear with that corpus.
            own = "and chosen_corpus is null" if "chosen_corpus" in columns else ""
            for corpus, *numbers in marts.execute(
                f"select corpus, count(*), sum(hash(columns(c -> c not in {NOT_COMPARED}))) "
                f"from {mart} where corpus is not null {own} group by corpus"
            ).fetchall():
                totals[mart, corpus] = tuple(numbers)
    return totals


def faults(corpora: Sequence[RandomCorpus]) -> list[str]:
    """Return violated properties of the corpora in a warehouse of their own."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        refused = [*ingested(folder, corpora)]
        if refused:
            return refused
        failure = built(folder)
        if failure is None:
            properties = Built(folder / "warehouse", corpora)
            messages = [fault for check in PROPERTIES for fault in check(properties)]
            properties.connection.close()
            return [*messages, *publishing_and_removing(folder, corpora)]
    if len(corpora) == 1:
        return [f"{corpora[0].name} alone is not built:\n{failure}"]
    names = f"{corpora[0].name} to {corpora[-1].name}"
    sys.stdout.write(f"{names} are not built; halving them:\n{failure}\n")
    sys.stdout.flush()
    half = len(corpora) // 2
    parts = faults(corpora[:half]) + faults(corpora[half:])
    return parts or [f"{names} are built in halves and not together:\n{failure}"]


def main() -> int:
    """Try the corpora; return the exit code."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=1, help="of the first corpus")
    parser.add_argument("--corpora", type=int, default=1000)
    parser.add_argument("--batch", type=int, default=50)
    options = parser.parse_args()
    seeds = range(options.seed, options.seed + options.corpora)
    n_faults = 0
    for first in seeds[:: options.batch]:
        batch = [random_corpus(seed) for seed in seeds if first <= seed < first + options.batch]
        started = time.monotonic()
        messages = faults(batch)
        n_faults += len(messages)
        for message in messages:
            sys.stdout.write(f"{message}\n")
        sys.stdout.write(
            f"{batch[0].name} to {batch[-1].name}: {len(messages)} faults, "
            f"{time.monotonic() - started:.0f} s\n"
        )
        sys.stdout.flush()
    return 1 if n_faults else 0


if __name__ == "__main__":
    sys.exit(main())
