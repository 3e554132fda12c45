"""The metrics as functions of SQL, such as `gleu(source, hypothesis, references)`.

Each takes what its metric reads, in that order: texts, and a list of texts. They score as the marts
do, a vector of rows at a time, and are NULL where the metric has no score, where an argument is
NULL, and without references where it reads them; a reference that is NULL is none. White space in
texts counts as one space, and as none at their ends.
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
from maege.analysis.white_space import squeezed

_TYPES = {"source": "VARCHAR", "hypothesis": "VARCHAR", "references": "VARCHAR[]"}


def register_metrics(connection: duckdb.DuckDBPyConnection, language: str = ENGLISH) -> None:
    """Give a connection every metric that this machine computes of texts alone, by its name.

    Not those that read LanguageTool, weigh by what all systems do, or cannot read the language of
    the texts, a tag of BCP 47.
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
                # Rows with NULL come in, and NULL may come out.
                null_handling=FunctionNullHandling.SPECIAL,
            )


def _function(metric: Metric, language: str) -> Any:  # noqa: ANN401 (DuckDB chooses the type)
    def scores(*columns: pa.ChunkedArray) -> pa.Array:
        given = {
            name: list(map(_read[name], column.to_pylist()))
            for name, column in zip(metric.inputs, columns, strict=True)
        }
        # A list without references, or a part that is NULL, has no score.
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
