"""Append-only cache of sufficient statistics, keyed by signature and content of the inputs.

For families that read gold edits, `references_key` identifies the list of annotations. For families
that compare edits with edits, `hypothesis_text_id` identifies the hypothesis' edits as text. Inputs
for which a user's function failed are stored as well, with NaN as the score. They are tried again
after the function's signature changes, or after `maege metric retry`.
"""

import sys
from itertools import chain
from typing import Any

from maege.analysis.metrics.families import StatisticsFamily
from maege.analysis.metrics.own.family import OwnFamily, model_families, own_families
from maege.analysis.stored.caches import AppendOnlyModel, RequestFile
from maege.analysis.stored.scoring import ScoringInputs, keep_class_scores
from maege.analysis.stored.statistics import signature_key
from maege.analysis.stored.stops import forget_stop, stops
from maege.analysis.texts import content_key
from maege.analysis.workers.chunks import STATISTICS_SCHEMA, plan_chunks, score_chunk

# Some seconds of work, which a killed build may lose.
CHUNK_COST = 20_000
KEY = "family, signature_key, source_text_id, hypothesis_text_id, references_key"


def model(dbt: Any, session: Any) -> Any:
    cache = AppendOnlyModel(dbt, session, STATISTICS_SCHEMA, KEY)
    requests = dbt.ref("scoring_requests").filter(
        "scored_by in ('warehouse', 'function', 'class') and is_sampled"
    )
    missing = _missing(cache, requests)
    user_families, models = _declared_families(missing)
    served = [family for family in user_families if family.about is not None]
    for metric in stops().keys() - {family.metric for family in served}:
        forget_stop(metric)
    if missing.num_rows:
        inputs = ScoringInputs(
            session,
            dbt.ref("texts")
            .select("text_id as key, text")
            .union(dbt.ref("text_edits").select("annotation_key, annotation"))
            .union(dbt.ref("ingested_edits").select("annotation_key, annotation")),
            dbt.ref("reference_contents").select("references_key as key, text_ids"),
            dbt.ref("gold_lists")
            .select("gold_key as key, gold")
            .union(dbt.ref("weighed_gold").select("weighed_gold_key, annotations")),
        )
        pooled = missing if not served else _missing(cache, requests.filter("scored_by <> 'class'"))
        cache.compute(
            "scoring texts",
            score_chunk,
            chain.from_iterable(
                plan_chunks(part, *inputs.load(part), CHUNK_COST, user_families, models)
                for part in pooled.parts(["corpus", "sentence_id"])
            ),
            pooled.num_rows,
            # A worker first loads dictionaries and kernels. User metrics may be slow.
            rows_per_worker=1 if user_families or models else 150_000,
        )
        for family in served:
            unscored = _missing(cache, requests.filter(f"family = '{family.name}'"))
            keep_class_scores(cache, family, unscored, inputs, dbt.settings.workers)
    new_rows = cache.new_rows()
    _report_failures(new_rows)
    return new_rows


def _missing(cache: AppendOnlyModel, requests: Any) -> RequestFile:
    return cache.missing_in_file(
        requests,
        "corpus, sentence_id, family, signature_key, references_key, "
        "source_text_id, hypothesis_text_id",
        names=["corpus", "family", "scored_by"],
    )


def _declared_families(missing: RequestFile) -> tuple[list[OwnFamily], list[StatisticsFamily]]:
    """Return user metrics and language models; raise ValueError if one changed during the build."""
    keys = missing.distinct(["family", "signature_key"])
    requested = {row["family"]: row["signature_key"] for row in keys}
    if not requested:
        return [], []
    user_families = [family for family in own_families() if family.name in requested]
    models: list[StatisticsFamily] = [f for f in model_families() if f.name in requested]
    changed = [f.metric for f in user_families if content_key(f.signature()) != requested[f.name]]
    changed += [f.name for f in models if signature_key(f) != requested[f.name]]
    if changed:
        raise ValueError(f"{', '.join(changed)} changed during the build; build again")
    return user_families, models


def _report_failures(new_rows: Any) -> None:
    failed = new_rows.filter("failure is not null").aggregate(
        "family, count(*) as n, arg_min(failure, hash(failure)) as example", "family"
    )
    for family, n_inputs, example in failed.order("family").fetchall():
        sys.stderr.write(
            f"{family.removeprefix('own:')}: {n_inputs:,} inputs failed and have no score, such as "
            f"{example} (marts.metric_failures)\n"
        )
