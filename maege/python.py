"""What programs and notebooks use: the marts with our functions, scores of texts, and cards.

Frames are pandas', which the extra `notebook` installs.
"""

from collections.abc import Mapping, Sequence
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import duckdb

from analysis.direct.scores import corpus_scores, metric_of_texts, sentence_scores
from analysis.direct.sql import register_metrics
from analysis.extraction.pipeline import ENGLISH
from analysis.metrics.draws import Reference
from analysis.sql_registration import register
from ingest.warehouse import Warehouse, find_warehouse, open_marts
from maege.cards.facts import read_card

if TYPE_CHECKING:
    from pandas import DataFrame

# What a system is called whose output is given without a name.
ONE = "hypotheses"


def connect(
    warehouse: str | Path | None = None, language: str = ENGLISH
) -> duckdb.DuckDBPyConnection:
    """Return a read-only connection to the published marts, with the functions of this project.

    Those are the statistics of docs/reading-the-marts.md, and the metrics by their names, such as
    `gleu(source, hypothesis, references)`.

    Args:
        warehouse: its folder; by default the one that MAEGE_WAREHOUSE names, else `warehouse`.
        language: of the texts that the metrics are given, a tag of BCP 47.

    Raises:
        WarehouseError: nothing is published there, or it cannot be opened.

    """
    connection = open_marts(_warehouse(warehouse))
    register(connection)
    register_metrics(connection, language)
    return connection


def score(
    metric: str,
    sources: Sequence[str] | None,
    hypotheses: Sequence[str] | Mapping[str, Sequence[str]],
    references: Sequence[Sequence[str]] | None = None,
    *,
    level: Literal["sentence", "corpus"] = "sentence",
    gleu_rng: Reference = "py2",
    language: str = ENGLISH,
) -> "DataFrame":
    """Return the scores of texts, equal to those of the marts for the same texts.

    A frame with the columns system, sentence_id (from 0) and score, or at corpus level system,
    n_sentences, score and signature, by the metric's own rule for a corpus. The system is called
    `hypotheses` where one output is given without a name. Scores that do not exist are NaN.

    Args:
        metric: a metric of texts alone, such as `gleu`; see the mart `metrics`.
        sources: the original sentences, tokenised; None where the metric reads none.
        hypotheses: one text a sentence, or by the name of each system.
        references: for each sentence a list of texts; None where the metric reads none.
        level: of sentences one by one, or of the whole output.
        gleu_rng: the draws of references in the corpus score of GLEU, as in the variable of that
            name; `expected` for none.
        language: of all texts, a tag of BCP 47, as in a manifest.

    Raises:
        TextsError: there is no such metric, it takes more than texts, or parts are missing or of
            different lengths.
        ModuleNotFoundError: pandas is not installed.

    """
    frame = _pandas().DataFrame
    outputs = hypotheses if isinstance(hypotheses, Mapping) else {ONE: hypotheses}
    known = metric_of_texts(metric, isinstance(hypotheses, Mapping), language)
    systems = list(outputs)
    if level == "corpus":
        return frame(
            {
                "system": systems,
                "n_sentences": [len(texts) for texts in outputs.values()],
                "score": corpus_scores(known, outputs, sources, references, gleu_rng, language),
                "signature": known.signature(),
            }
        )
    scores = sentence_scores(known, outputs, sources, references, language)
    n_sentences = scores.shape[1]
    return frame(
        {
            "system": [name for name in systems for _ in range(n_sentences)],
            "sentence_id": list(range(n_sentences)) * len(systems),
            "score": scores.ravel(),
        }
    )


def card(
    metric: str, corpus: str | None = None, warehouse: str | Path | None = None
) -> "DataFrame":
    """Return what `maege card` prints of a metric: its facts, a row each, as in `metric_cards`.

    Args:
        metric: by name.
        corpus: where it is judged; by default the largest that has scores of it.
        warehouse: its folder, as for `connect`.

    Raises:
        UnknownError: the metric, or its scores on the corpus, are not in the published marts.
        WarehouseError: nothing is published there, or it cannot be opened.
        ModuleNotFoundError: pandas is not installed.

    """
    return _pandas().DataFrame(read_card(_warehouse(warehouse), metric, corpus).facts)


def _warehouse(folder: str | Path | None) -> Warehouse:
    return find_warehouse() if folder is None else Warehouse(Path(folder))


def _pandas() -> Any:  # noqa: ANN401 (a module)
    try:
        return import_module("pandas")
    except ModuleNotFoundError as error:
        raise ModuleNotFoundError(
            "pandas, of which frames are made, is not installed: "
            "pip install 'maege-warehouse[notebook]'"
        ) from error
