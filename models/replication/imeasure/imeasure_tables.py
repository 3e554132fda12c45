"""Tables 10 and 11 of the I-measure paper: systems on the annotations with alternative answers."""

from typing import Any

import numpy as np

from maege.analysis.edits import parse_annotation
from maege.analysis.papers.imeasure_tables import EXHIBITS, agree, cells, counted_score
from maege.analysis.papers.numbers import BANDED_NUMBERS
from maege.analysis.stored.rows import rows_to_table
from maege.analysis.stored.statistics import selected_signatures, summed_statistics

CORPUS, GOLD = "conll14", "nucle_alt"


def model(dbt: Any, session: Any) -> Any:  # noqa: ARG001 (dbt's signature)
    gold = dbt.ref("annotated_gold").filter(f"corpus = '{CORPUS}' and annotation_set = '{GOLD}'")
    agreeing = np.array(
        [
            agree([None if text is None else parse_annotation(text) for text in annotations])
            for (annotations,) in gold.order("sentence_id").select("annotations").fetchall()
        ],
        dtype=np.bool_,
    )
    signatures = selected_signatures(dbt.ref("metric_registry"))
    inputs = dbt.ref("system_inputs").filter(f"corpus = '{CORPUS}' and reference_set = '{GOLD}'")
    system_rows = inputs.select("system").distinct().order("system").fetchall()
    systems = [system for (system,) in system_rows]
    numbers: list[tuple[Any, ...]] = []
    for metric in EXHIBITS:
        family = counted_score(metric).family.name
        if not systems or family not in signatures:
            continue
        cached = dbt.ref("metric_statistics")
        statistics = summed_statistics(inputs, cached, {family: signatures[family]})
        by_set = statistics[family]
        numbers += cells(metric, systems, by_set[CORPUS, GOLD], agreeing, dbt.settings.seed)
    return rows_to_table(numbers, BANDED_NUMBERS)
