"""Count the sentences of each corpus that have a lattice, and the reasons for excluded ones.

    python benchmarks/usable_sentences.py ../shared/data     # all corpora whose files exist
    python benchmarks/usable_sentences.py ../shared/data mucgec_dev yaclc_valid

Ingests into a temporary warehouse, builds up to lattice_annotations, and prints the table of
docs/corpora.md. A sentence is usable if an annotation gives a lattice (mode `paper`).
"""

import os
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

import duckdb

from maege.ingest.corpora.corpus import read_corpus
from maege.ingest.findings import BadInputError
from maege.ingest.raw_tables.load import load_corpus
from maege.ingest.warehouse import Warehouse, WarehouseError

MODELS = "+lattice_annotations"
TABLE = """
    with annotations as (
        select * from lattices.lattice_annotations
    ),
    left_out as (
        select corpus, sentence_id, reason_code as reason
        from corpora.unusable_sentences
        union all
        select
            corpus, sentence_id,
            coalesce(any_value(sentence_exclusion), 'all: ' || max(annotation_exclusion))
        from annotations
        group by all
        having not bool_or(sentence_exclusion is null and annotation_exclusion is null)
    ),
    reasons as (
        select corpus, reason, count(*) as n from left_out group by all
    ),
    listed as (
        select corpus, string_agg(n || ' ' || reason, '; ' order by n desc, reason) as reasons
        from reasons
        group by all
    ),
    annotators as (
        select corpus, count(distinct annotator) as n, count(distinct sentence_id) filter (
            where sentence_exclusion is null and annotation_exclusion is null
        ) as usable
        from annotations
        group by all
    ),
    reference_names as (
        select corpus, count(distinct reference) as n from raw."references" group by all
    )
    select
        corpora.corpus, language, sentences, coalesce(annotators.n, 0),
        coalesce(reference_names.n, 0), usable, coalesce(reasons, '')
    from raw.corpora as corpora
    left join annotators using (corpus)
    left join reference_names using (corpus)
    left join listed using (corpus)
    order by corpora.corpus
"""


def main(data_root: Path, names: list[str]) -> None:
    """Print the table for the named corpora, or for all."""
    folders = sorted(path.parent for path in Path("corpora").glob("*/manifest.yml"))
    with TemporaryDirectory() as folder:
        warehouse = Warehouse(Path(folder))
        for corpus in folders:
            if corpus.name in names or not names:
                _ingest(warehouse, corpus, data_root)
        subprocess.run(
            ["dbt", "run", "--quiet", "--select", MODELS],
            env={**os.environ, "MAEGE_WAREHOUSE": folder},
            check=True,
        )
        with duckdb.connect(warehouse.build, read_only=True) as connection:
            rows = connection.execute(TABLE).fetchall()
    print("| corpus | language | sentences | annotators | texts | usable | left out |")
    print("|---|---|---|---|---|---|---|")
    for *cells, reasons in rows:
        shown = [
            "-" if cell is None else f"{cell:,}" if isinstance(cell, int) else cell
            for cell in cells
        ]
        print(f"| {' | '.join(shown)} | {reasons} |")


def _shown(cell: str | int | None) -> str:
    if cell is None:
        return "-"
    return f"{cell:,}" if isinstance(cell, int) else cell


def _ingest(warehouse: Warehouse, corpus: Path, data_root: Path) -> None:
    """Load a corpus, or say why it is not in the table."""
    for root in (data_root, None):
        try:
            load_corpus(warehouse, read_corpus(warehouse, corpus, root, bad_edits="keep"))
        except (BadInputError, WarehouseError) as error:
            fault = error
        else:
            return
    print(f"{corpus.name}: {fault}", file=sys.stderr)


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2:])
