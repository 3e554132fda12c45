"""Score texts by a metric's name: sentences, the output of a system, or rows in SQL."""

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

import duckdb
import numpy as np
from duckdb.func import FunctionNullHandling, PythonUDFType

from maege.analysis.direct.texts import AnnotatedGold, Texts
from maege.analysis.extraction.pipeline import ENGLISH, Missing
from maege.analysis.metrics.families import Family, FloatArray, is_among
from maege.analysis.metrics.registry import METRICS, Metric
from maege.analysis.metrics.scores import Reference, Statistics, SummedScore
from maege.analysis.options import nearest
from maege.analysis.sql_registration import arrow_function, functions_of
from maege.analysis.stored.sentence_scores import keys_read, sentence_scores_query
from maege.analysis.texts import squeezed

# Empty relations that a build has in addition to the inputs and their statistics.
_EMPTY = {
    "own": "select 0 as pair_id, '' as metric, 0.0 as score where false",
    "empty_references": "select 0 as references_key where false",
}
# The columns of a build's inputs that formulas read.
_KEYS = (
    *("pair_id", "source_text_id", "hypothesis_text_id", "edits_key"),
    *("references_key", "gold_key", "typed_gold_key", "weighed_gold_key"),
)


class TextsError(ValueError):
    """The metric cannot score these texts; the message says why and what to do."""


def offered(outputs: bool, language: str = ENGLISH) -> list[str]:
    """Return the metrics that can score texts; `outputs`: those of several systems are given."""
    return sorted(name for name in METRICS if _refusal(METRICS[name], outputs, language) is None)


def listed_metrics(language: str = ENGLISH) -> list[dict[str, str | bool | None]]:
    """Return one row per metric: inputs, languages, and the reason if it cannot score texts."""
    rows: list[dict[str, str | bool | None]] = []
    for name, metric in sorted(METRICS.items()):
        refusal = _refusal(metric, outputs=True, language=language)
        languages = None if metric.languages is None else ", ".join(sorted(metric.languages))
        rows.append(
            {
                "metric": name,
                "inputs": ", ".join(metric.inputs),
                "languages": languages,
                "is_available": refusal is None,
                "reason": refusal,
            }
        )
    return rows


def metric_of_texts(name: str, outputs: bool, language: str = ENGLISH) -> Metric:
    """Return a metric of texts; TextsError if there is none of this name for the language."""
    if not isinstance(name, str) or name not in METRICS:
        names = offered(outputs, language)
        raise TextsError(
            f"no metric is called {name!r}; there are {', '.join(names)}{nearest(name, METRICS)}"
        )
    refusal = _refusal(METRICS[name], outputs, language)
    if refusal:
        raise TextsError(f"{name}: {refusal}")
    return METRICS[name]


def sentence_scores(
    metric: Metric,
    outputs: Mapping[str, Sequence[str]],
    sources: Sequence[str] | None,
    references: Sequence[Sequence[str | None]] | None,
    language: str = ENGLISH,
    gold: AnnotatedGold | None = None,
) -> FloatArray:
    """Return sentence scores equal to those of the marts, shape (systems, sentences).

    NaN if the metric has no score for a sentence. Each system has one tokenised text per sentence.
    Each sentence has a list of references, None for a missing one. With `gold`, for metrics that
    compare edits, `sources` and `references` are those of the gold. Raises TextsError if an input
    that the metric reads is missing or has another number of sentences.
    """
    texts = _texts(metric, outputs, sources, references, language, gold)
    statistics = texts.statistics(metric.score.families)
    return _sentence_scores(metric, statistics, len(texts.hypotheses)).reshape(len(outputs), -1)


def corpus_scores(
    metric: Metric,
    outputs: Mapping[str, Sequence[str]],
    sources: Sequence[str] | None,
    references: Sequence[Sequence[str | None]] | None,
    gleu_rng: Reference,
    language: str = ENGLISH,
    gold: AnnotatedGold | None = None,
) -> FloatArray:
    """Return the corpus score of each system by the metric's own rule.

    `gleu_rng` is the random generator for GLEU's references, as in the variable `gleu_rng`. The
    other arguments and the errors are those of `sentence_scores`.
    """
    texts = _texts(metric, outputs, sources, references, language, gold)
    statistics = texts.statistics(metric.score.families)
    shape = (len(outputs), len(texts.hypotheses) // len(outputs))
    if not isinstance(metric.score, SummedScore):
        scores = _sentence_scores(metric, statistics, len(texts.hypotheses))
        means: FloatArray = scores.reshape(shape).mean(axis=1)
        return means
    by_system = {
        name: values.reshape(*shape, *values.shape[1:]) for name, values in statistics.items()
    }
    return metric.score.system_scores(by_system, np.ones((1, shape[1])), gleu_rng).score


def _sentence_scores(metric: Metric, statistics: Statistics, n_rows: int) -> FloatArray:
    """Return the scores by the formulas in SQL, because NumPy's may differ in the last digit."""
    families = metric.score.families
    signatures = {family.name: number for number, family in enumerate(families)}
    inputs = ", ".join(f"input as {key}" for key in _KEYS)
    with duckdb.connect() as connection:
        cached = [_cached(connection, n, f, statistics[f.name]) for n, f in enumerate(families)]
        sources = _EMPTY | {
            "registry": f"select '{metric.name}' as metric, 1 as direction",
            "inputs": f"select {inputs} from range({n_rows}) as inputs(input)",  # noqa: S608
            "cached": " union all ".join(cached),
        }
        query = sentence_scores_query({metric.name: metric.score}, signatures, sources)
        scored = connection.sql(query).select("pair_id, score").fetchnumpy()
    scores = np.full(n_rows, np.nan)
    scores[scored["pair_id"]] = np.ma.filled(scored["score"].astype(np.float64), np.nan)
    return scores


def _cached(
    connection: duckdb.DuckDBPyConnection, signature: int, family: Family, statistics: FloatArray
) -> str:
    """Return a query for a family's statistics, with the keys of a build's cache."""
    n_rows, n_references, width = statistics.shape
    columns = {f"s{i}": column for i, column in enumerate(statistics.reshape(-1, width).T)}
    table = f"statistics_{signature}"
    connection.register(table, {"place": np.arange(n_rows * n_references), **columns})
    # DuckDB reads NaN in NumPy's arrays as NULL.
    values = ", ".join(f"coalesce({name}, 'nan')" for name in columns)
    listed, grouped = f"[{values}]", ""
    if n_references > 1:
        listed, grouped = f"flatten(list({listed} order by place))", "group by input"
    # Every input has texts of its own, with the input's number as their key.
    keys = [f"{'input' if read else 0} as {key}" for key, read in keys_read(family).items()]
    return (
        f"select {signature} as signature_key, place // {n_references} as input, "  # noqa: S608
        f"{', '.join(keys)}, {listed} as statistics from {table} {grouped}"
    )


def _refusal(metric: Metric, outputs: bool, language: str) -> str | None:
    if isinstance(metric.missing, Missing):
        return f"{metric.missing.reason}; {metric.missing.remedy}"
    if metric.scored_elsewhere:
        return (
            f"reads {', '.join(metric.scored_elsewhere)}, which only a build of the warehouse has"
        )
    if not is_among(language, metric.languages):
        return f"reads {', '.join(sorted(metric.languages or ()))}, found {language}"
    if not outputs and any(family.reads_outputs for family in metric.score.families):
        return "weights edits by all systems' outputs: give the outputs by system to maege.score"
    return None


def _texts(
    metric: Metric,
    outputs: Mapping[str, Sequence[str]],
    sources: Sequence[str] | None,
    references: Sequence[Sequence[str | None]] | None,
    language: str,
    gold: AnnotatedGold | None,
) -> Texts:
    if not any(outputs.values()):
        raise TextsError("expected hypotheses to score, found no text")
    lengths = {name: len(texts) for name, texts in outputs.items()}
    n_sentences = next(iter(lengths.values()))
    inputs = {"source": sources, "references": references}
    for name in metric.inputs:
        if name in inputs and inputs[name] is None:
            raise TextsError(f"{metric.name} reads {', '.join(metric.inputs)}; found no {name}")
    lengths |= {name: len(texts) for name, texts in inputs.items() if texts is not None}
    for name, length in lengths.items():
        if length != n_sentences:
            raise TextsError(
                f"{name or 'hypotheses'}: found {length} texts; expected {n_sentences}, one for "
                "each sentence"
            )
    for number, listed in enumerate(references or (), start=1):
        if isinstance(listed, str):
            raise TextsError(
                f"expected a list of references for each hypothesis, found the text {listed!r} in "
                f"row {number}; write [[reference, ...], ...]"
            )
        if metric.reference_based and all(text is None for text in listed):
            raise TextsError(f"{metric.name} compares with references; row {number} has none")
    lists = [tuple(listed) for listed in references or ()]
    return Texts(
        sources=list(sources or [""] * n_sentences) * len(outputs),
        hypotheses=[text for texts in outputs.values() for text in texts],
        references=(lists or [()] * n_sentences) * len(outputs),
        outputs=list(zip(*outputs.values(), strict=True)) * len(outputs),
        language=language,
        gold=gold,
        edits=[] if gold is None else gold.edits_of(list(outputs)),
    )


# --- Metrics as SQL functions, such as `gleu(source, hypothesis, references)` ---
#
# The arguments are the inputs that the metric reads, in this order: texts, then a list of texts.
# The functions score a vector of rows at a time, with the same results as the marts. The result
# is NULL if the metric has no score, if an argument is NULL, or if the metric reads references
# and there are none. A NULL in the list is a missing reference. Runs of white space count as one
# space, and white space at the ends is ignored.

_LANGUAGE = "metric_language_"
_TYPES = {"source": "VARCHAR", "hypothesis": "VARCHAR", "references": "VARCHAR[]"}


def register_metrics(connection: duckdb.DuckDBPyConnection, language: str = ENGLISH) -> None:
    """Register every metric that this machine can compute from texts alone, under its name.

    Excluded are metrics that read LanguageTool's errors, metrics that weight by the outputs of all
    systems, and metrics that cannot read the language of the texts (a BCP 47 tag). Raises
    TextsError if this process has a connection to the same database with another language.
    """
    present = functions_of(connection)
    # The functions belong to the database, so all connections of a process share them. One more
    # function, which is never called, has their language in its name.
    used = [name.removeprefix(_LANGUAGE) for name in present if name.startswith(_LANGUAGE)]
    if any(other != language for other in used):
        raise TextsError(
            f"language {language}: another connection of this process reads the same marts with "
            f"the language {used[0]}; close it first"
        )
    if not used:
        connection.create_function(f"{_LANGUAGE}{language}", squeezed, ["VARCHAR"], "VARCHAR")
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


# The cache keeps the functions until the process ends: see sql_registration.py.
@cache
def _function(metric: Metric, language: str) -> Any:  # noqa: ANN401 (DuckDB chooses the type)
    def scores(*columns: Any) -> Any:  # noqa: ANN401 (Arrow's, which has no types)
        import pyarrow as pa

        inputs: dict[str, list[Any]] = {
            name: list(map(_squeezed, column.to_pylist()))
            for name, column in zip(metric.inputs, columns, strict=True)
        }
        # Rows with a NULL argument or without any reference get no score.
        complete = [
            row for row, parts in enumerate(zip(*inputs.values(), strict=True)) if [] not in parts
        ]
        row_scores = np.full(len(columns[0]), np.nan)
        if complete:
            rows = {name: [values[row] for row in complete] for name, values in inputs.items()}
            outputs = {"": rows["hypothesis"]}
            row_scores[complete] = sentence_scores(
                metric, outputs, rows.get("source"), rows.get("references"), language
            )[0]
        return pa.array(row_scores, pa.float64(), from_pandas=True)

    return arrow_function(scores, len(metric.inputs))


def _squeezed(value: str | list[str | None] | None) -> str | list[str]:
    """Return a text, or the texts of a list without NULL; an empty list for NULL."""
    if isinstance(value, str):
        return squeezed(value)
    return [squeezed(text) for text in value or () if text is not None]
