"""Metrics as SQL functions, such as `gleu(source, hypothesis, references)`.

The arguments are the inputs that the metric reads, in this order: texts, then a list of texts. The
functions score a vector of rows at a time, with the same results as the marts. The result is NULL
if the metric has no score, if an argument is NULL, or if the metric reads references and there are
none. A NULL in the list is a missing reference. Runs of white space count as one space, and white
space at the ends is ignored.
"""

from collections.abc import Callable, Mapping
from typing import Any

import duckdb
import numpy as np
import pyarrow as pa
from duckdb.func import FunctionNullHandling, PythonUDFType

from maege.analysis.direct.scores import metric_of_texts, offered, sentence_scores
from maege.analysis.extraction.pipeline import ENGLISH
from maege.analysis.metrics.registry import Metric
from maege.analysis.sql_registration import arrow_function, functions_of
from maege.analysis.texts import squeezed

_TYPES = {"source": "VARCHAR", "hypothesis": "VARCHAR", "references": "VARCHAR[]"}


def register_metrics(connection: duckdb.DuckDBPyConnection, language: str = ENGLISH) -> None:
    """Register every metric that this machine can compute from texts alone, under its name.

    Excluded are metrics that read LanguageTool's errors, metrics that weight by the outputs of all
    systems, and metrics that cannot read the language of the texts (a BCP 47 tag).
    """
    present = functions_of(connection)
    for name in offered(False, language):
        if name not in present:
            metric = metric_of_texts(name, False, language)
            connection.create_function(
                name,
                _function(metric, language),
                [_TYPES[read] for read in metric.inputs],
                "DOUBLE",
                type=PythonUDFType.ARROW,
                # NULL is allowed in arguments and in results.
                null_handling=FunctionNullHandling.SPECIAL,
            )


def _function(metric: Metric, language: str) -> Any:  # noqa: ANN401 (DuckDB chooses the type)
    def scores(*columns: pa.ChunkedArray) -> pa.Array:
        given = {
            name: list(map(_read[name], column.to_pylist()))
            for name, column in zip(metric.inputs, columns, strict=True)
        }
        # Rows with a NULL argument or without any reference get no score.
        complete = [
            number
            for number, parts in enumerate(zip(*given.values(), strict=True))
            if all(part is not None and part != [] for part in parts)
        ]
        found = np.full(len(columns[0]), np.nan)
        if complete:
            rows = {name: [values[row] for row in complete] for name, values in given.items()}
            outputs = {"": rows["hypothesis"]}
            found[complete] = sentence_scores(
                metric, outputs, rows.get("source"), rows.get("references"), language
            )[0]
        return pa.array(found, pa.float64(), from_pandas=True)

    return arrow_function(scores, len(metric.inputs))


def _text(given: str | None) -> str | None:
    return None if given is None else squeezed(given)


def _texts(given: list[str | None] | None) -> list[str]:
    return [squeezed(text) for text in given or () if text is not None]


_read: Mapping[str, Callable[[Any], Any]] = {
    "source": _text,
    "hypothesis": _text,
    "references": _texts,
}
