"""The cache of sufficient statistics: append-only, keyed on signature and content of the inputs.

For families that read gold edits `references_key` names the list of annotations, for those that
compare edits with edits `hypothesis_text_id` names the hypothesis' edits as text.
"""

from operator import attrgetter
from typing import Any

from analysis.append_only import AppendOnlyModel
from analysis.scoring import STATISTICS_SCHEMA, References, plan_chunks, score_chunk

# Some seconds of work: what a killed build may lose.
CHUNK_COST = 20_000
KEY = "family, signature_key, source_text_id, hypothesis_text_id, references_key"


def model(dbt: Any, session: Any) -> Any:
    """Return the statistics that the cache lacks, one row per request, flattened by reference."""
    cache = AppendOnlyModel(
        dbt, session, STATISTICS_SCHEMA, KEY, int(dbt.config.meta_get("workers"))
    )
    missing = cache.missing(
        dbt.ref("scoring_requests"),
        "corpus, sentence_id, family, signature_key, references_key, "
        "source_text_id, hypothesis_text_id",
    )
    if missing.num_rows:
        texts = dict(dbt.ref("texts").select("text_id, text").fetchall())
        references: dict[int, References] = {
            key: tuple(texts[text_id] for text_id in text_ids)
            for key, text_ids in dbt.ref("reference_lists")
            .select("references_key, text_ids")
            .distinct()
            .fetchall()
        }
        for key, annotations in dbt.ref("gold_lists").select("gold_key, annotations").fetchall():
            references[key] = tuple(annotations)
        for edits in (dbt.ref("text_edits"), dbt.ref("ingested_edits")):
            texts |= edits.select("annotation_key, annotation").distinct().fetchall()
        cache.compute(
            "scoring",
            score_chunk,
            plan_chunks(missing, texts, references, CHUNK_COST),
            missing.num_rows,
            attrgetter("description"),
        )
    return cache.new_rows()
