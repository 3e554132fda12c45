"""The cache of sufficient statistics: append-only, keyed on signature and content of the inputs.

Chunks are spooled to disk as they are scored, so that a killed build loses at most those in hand;
the next build appends what it finds in the spool and scores only the rest.
"""

import os
from operator import attrgetter
from pathlib import Path
from typing import Any

import pyarrow as pa

from analysis.pool import run_chunks
from analysis.progress import Progress
from analysis.scoring import STATISTICS_SCHEMA, plan_chunks, score_chunk
from analysis.spool import Spool

CHUNK_SIZE = 20_000
KEY = "family, signature_key, source_text_id, hypothesis_text_id, references_key"


def model(dbt: Any, session: Any) -> Any:
    """Return the statistics that the cache lacks, one row per request, flattened by reference."""
    requests = dbt.ref("scoring_requests")
    warehouse = Path(os.environ.get("MAEGE_WAREHOUSE", "warehouse"))
    spool = Spool(warehouse / "spool" / dbt.this.identifier)

    session.register("empty_statistics", STATISTICS_SCHEMA.empty_table())
    cached = str(dbt.this) if dbt.is_incremental else "empty_statistics"
    _clear_appended(session, spool, cached)
    missing = requests.query(
        "requests",
        f"from requests anti join ({_scored(spool, cached)}) as scored using ({KEY}) "
        "order by corpus, sentence_id, family, signature_key, references_key, "
        "source_text_id, hypothesis_text_id",
    ).to_arrow_table()
    if missing.num_rows:
        texts = dict(dbt.ref("texts").select("text_id, text").fetchall())
        reference_lists = {
            key: tuple(texts[text_id] for text_id in text_ids)
            for key, text_ids in dbt.ref("reference_lists")
            .select("references_key, text_ids")
            .distinct()
            .fetchall()
        }
        with Progress("scoring", missing.num_rows) as progress:

            def keep(statistics: pa.Table) -> None:
                spool.append(statistics)
                progress.advance(statistics.num_rows)

            run_chunks(
                score_chunk,
                plan_chunks(missing, texts, reference_lists, CHUNK_SIZE),
                int(dbt.config.meta_get("workers")),
                keep,
                describe=attrgetter("description"),
            )
    return session.sql(_spooled(spool))


def _spooled(spool: Spool) -> str:
    paths = spool.paths()
    return (
        f"from read_parquet({[str(path) for path in paths]})" if paths else "from empty_statistics"
    )


def _scored(spool: Spool, cached: str) -> str:
    return f"select {KEY} from ({_spooled(spool)}) union all select {KEY} from {cached}"


def _clear_appended(session: Any, spool: Spool, cached: str) -> None:
    """Delete the chunks that an earlier build has appended to the table."""
    for path in spool.paths():
        new_rows = session.sql(
            f"select count(*) from read_parquet('{path}') anti join {cached} using ({KEY})"
        ).fetchall()[0][0]
        if new_rows == 0:
            spool.clear([path])
