"""Training of `grammaticality_gug` on the user's own copy of GUG."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from maege.analysis.languagetool.checking import check_texts
from maege.analysis.languagetool.installation import SERVER_VERSION
from maege.analysis.languagetool.matches import LanguageToolError
from maege.analysis.metrics.families.base import FloatArray
from maege.analysis.metrics.gug.family import STATISTICS, load_reader
from maege.analysis.metrics.gug.score import GugModel, error_features, text_features
from maege.analysis.metrics.gug.training import (
    GRAMMATICAL,
    NO_ENGLISH,
    Evaluation,
    evaluate,
    split,
    train,
)
from maege.analysis.metrics.languagetool import GRAMMAR_METRICS
from maege.analysis.stored.grammar_rows import PROCESSES, SERVER_CONNECTIONS
from maege.ingest.findings import BadInputError, Findings
from maege.ingest.formats.scores import Judged, read_gug
from maege.ingest.raw_tables import record_change
from maege.ingest.warehouse import Warehouse, WarehouseError, open_build


@dataclass(frozen=True)
class Trained:
    """A model, the number of its training sentences, and its results on the test part."""

    model: GugModel
    sentences: int
    test: Evaluation


def train_grammaticality(warehouse: Warehouse, folder: Path, errors_by: str | None) -> Trained:
    """Train the model on the sentences of the folder and store its coefficients.

    Args:
        warehouse: stores the coefficients, which replace earlier ones.
        folder: the release of GUG.
        errors_by: the metric of ERROR_FEATURES whose errors are among the features, if any.

    Raises:
        BadInputError: the folder lacks the file, or the file has faults.
        WarehouseError: the warehouse or LanguageTool cannot be used.

    """
    findings = Findings()
    sentences = read_gug(folder, findings)
    if len(findings):
        raise BadInputError(findings)
    features = _features(sentences, errors_by)
    averages = np.array([sentence.average for sentence in sentences])
    of_test = np.array([sentence.part == "test" for sentence in sentences])
    experts = np.array([sentence.expert for sentence in sentences])
    chosen = ~of_test & (experts != NO_ENGLISH)
    model = train(_rows(features, chosen), averages[chosen] >= GRAMMATICAL)
    trained = Trained(
        model,
        int(chosen.sum()),
        evaluate(model, _rows(features, of_test), averages[of_test]),
    )
    _store(warehouse, model)
    return trained


def _features(sentences: Sequence[Judged], errors_by: str | None) -> dict[str, FloatArray]:
    """Return every feature with one value per sentence."""
    texts = split([sentence.text for sentence in sentences])
    of = dict(zip(STATISTICS, load_reader().read(texts).T, strict=True))
    found: dict[str, FloatArray] = text_features(of)
    if errors_by:
        errors = _errors(errors_by, [" ".join(tokens) for tokens in texts])
        share = errors / np.maximum(of["tokens"], 1)
        found |= error_features(errors_by, 1 - share, of["tokens"])
    return found


def _errors(by: str, texts: list[str]) -> FloatArray:
    """Return how many errors LanguageTool finds in each text, as this metric counts them."""
    metric, counts = GRAMMAR_METRICS[by], []
    version = metric.languagetool
    workers = SERVER_CONNECTIONS if version == SERVER_VERSION else PROCESSES
    try:
        for chunk in check_texts(version, texts, workers, disabled_rules=metric.disabled_rules):
            for checked in chunk:
                if checked.error is not None:
                    raise LanguageToolError(checked.error)
                counts.append(len(checked.matches))
    except LanguageToolError as error:
        raise WarehouseError(
            f"LanguageTool did not check the sentences: {error}. Repeat the command, or train "
            "without it: --without-languagetool"
        ) from error
    return np.array(counts, dtype=np.float64)


def _rows(features: dict[str, FloatArray], chosen: NDArray[np.bool_]) -> dict[str, FloatArray]:
    return {name: values[chosen] for name, values in features.items()}


def _store(warehouse: Warehouse, model: GugModel) -> None:
    names, values = zip(*model.coefficients.items(), strict=True)
    rows = pa.table({"feature": names, "coefficient": pa.array(values, pa.float64())})
    with open_build(warehouse, read_only=False) as connection:
        connection.register("trained", rows)
        connection.execute("create schema if not exists raw")
        connection.execute(
            "create or replace table raw.grammaticality_coefficients as select * from trained"
        )
        record_change(connection)
