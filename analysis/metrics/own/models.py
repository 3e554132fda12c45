"""Language models in metrics.yml, each as a metric: fluency by that model."""

from pathlib import Path

from maege.analysis.metrics.own.declared import declared_metrics, find_metrics_file
from maege.analysis.metrics.referenceless.fluency import (
    ModelFluency,
    ModelFluencyScore,
    TransformerFluency,
)
from maege.analysis.metrics.registry import Metric


def model_metrics() -> dict[str, Metric]:
    """Return the metrics by name; raise ValueError if metrics.yml has faults.

    The function does not check whether a model exists and is complete.
    """
    file = find_metrics_file()
    metrics = {}
    for name, entry in declared_metrics(file).items():
        if entry.language_model is None or entry.sha256 is None:
            continue
        path = model_path(entry.language_model, file)
        kind = TransformerFluency if path.is_dir() else ModelFluency
        metrics[name] = Metric(
            name,
            entry.version,
            ModelFluencyScore(
                kind(name, path, entry.sha256, entry.lower, frozenset(entry.languages) or None)
            ),
            (("log", "10"), *sorted(entry.parameters.items())),
            f"Asano et al. 2017, with the language model {path.name}",
        )
    return metrics


def model_families() -> list[ModelFluency]:
    """Return the families whose statistics these metrics read."""
    scores = (metric.score for metric in model_metrics().values())
    return [score.family for score in scores if isinstance(score, ModelFluencyScore)]


def model_path(name: str, metrics_file: Path) -> Path:
    """Return the path of a model that metrics.yml names."""
    return metrics_file.resolve().parent / Path(name).expanduser()
