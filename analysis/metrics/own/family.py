"""User-defined metrics: a function or class from the user's code, a file, or a language model.

The score is the only statistic. If the function fails, the failure is stored for the inputs that
caused it, and these have no score.
"""

import math
import os
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from maege.analysis.extraction.pipeline import Missing
from maege.analysis.metrics.fluency import ModelFluency, ModelFluencyScore
from maege.analysis.metrics.model_files import file_hash
from maege.analysis.metrics.own.declared import OwnMetric, declared_metrics, find_metrics_file
from maege.analysis.metrics.own.interface import (
    FunctionError,
    Inputs,
    Scored,
    Unavailable,
    count,
    problem_with_source,
    search_folders,
    shortened,
)
from maege.analysis.metrics.own.served import Description, Hosting, Server
from maege.analysis.metrics.registry import Metric

# Work of one call in units of the cheapest family: about a thousand calls make a chunk.
COST = 20
# Timeout of a function call in seconds, if metrics.yml has none.
SECONDS = 60.0


@dataclass(frozen=True)
class OwnFamily:
    """One metric of metrics.yml, in the form that workers receive.

    `content` is a hash of the function's module or of the loaded scores; `about` is for classes.
    """

    metric: str
    definition: OwnMetric
    folders: tuple[str, ...]
    content: str
    missing: Missing | None = None
    about: Description | None = None

    @property
    def name(self) -> str:
        return f"own:{self.metric}"

    def signature(self) -> str:
        about = self.definition
        kind = "scores" if about.by_file else "sha256"
        parts = [self.metric]
        if about.function is not None:
            parts.append(f"function:{about.function}")
        if about.metric_class is not None:
            parts.append(f"class:{about.metric_class}")
        parts.append(f"inputs:{'+'.join(about.inputs)}")
        parts += [f"{key}:{value}" for key, value in sorted(about.parameters.items())]
        if self.about is not None and self.about.signature:
            parts.append(f"made:{self.about.signature}")
        return "|".join([*parts, f"{kind}:{self.content[:12]}", f"v:{about.version}"])

    def problem_here(self) -> str | None:
        if self.definition.function is None:
            return None
        return problem_with_source(self.definition.function, self.folders, self.content)

    def compute(self, inputs: Inputs) -> list[Scored]:
        hosting = hosting_of(self.metric, self.definition, self.folders)
        try:
            return _server(hosting, self.content).score(inputs, self.definition.seconds or SECONDS)
        # A function has no set-up that may succeed later. Only classes can stop their metric for a
        # build.
        except Unavailable as error:
            return [Scored(math.nan, shortened(str(error)))] * count(inputs)


@cache
def _server(hosting: Hosting, content: str) -> Server:
    del content
    return Server(hosting)


def hosting_of(metric: str, definition: OwnMetric, folders: tuple[str, ...]) -> Hosting:
    python = definition.python and str(Path(folders[0]) / Path(definition.python).expanduser())
    warehouse = Path(os.environ.get("MAEGE_WAREHOUSE") or "warehouse")
    return Hosting(
        str(definition.function or definition.metric_class),
        folders,
        tuple((definition.parameters | definition.settings).items()),
        str(warehouse / "logs" / f"{metric}.log"),
        python,
        reads=definition.inputs if definition.function else (),
        batch=definition.batch,
    )


def described(metric: str, definition: OwnMetric, folders: tuple[str, ...]) -> Description:
    with Server(hosting_of(metric, definition, folders)) as server:
        about = server.describe()
    if definition.inputs not in ((), about.reads):
        raise FunctionError(
            f"it reads {', '.join(about.reads)}, but metrics.yml has {', '.join(definition.inputs)}"
        )
    default = SECONDS if definition.function else about.seconds
    return about._replace(seconds=definition.seconds or default)


def own_families(loaded_scores: Mapping[str, str] | None = None) -> list[OwnFamily]:
    path = find_metrics_file()
    folders = search_folders(path)
    families = []
    for name, definition in declared_metrics(path).items():
        if definition.language_model is not None:
            continue
        if definition.by_file:
            content = (loaded_scores or {}).get(name, "none")
            families.append(OwnFamily(name, definition, folders, content))
        else:
            families.append(_called(name, definition, folders))
    return families


def _called(name: str, definition: OwnMetric, folders: tuple[str, ...]) -> OwnFamily:
    try:
        about = described(name, definition, folders)
    except FunctionError as error:
        missing = Missing(
            f"{definition.function or definition.metric_class} cannot be called: "
            f"{shortened(str(error))}",
            f"install or correct the module, or correct {name} in metrics.yml",
        )
        return OwnFamily(name, definition, folders, "missing", missing)
    declared = definition.model_copy(
        update={
            "inputs": about.reads,
            "higher_is_better": definition.higher_is_better and about.higher_is_better,
        }
    )
    is_class = definition.metric_class is not None
    return OwnFamily(name, declared, folders, about.sha256, about=about if is_class else None)


# --- Language models in metrics.yml, each as a metric: fluency by that model ---


def model_metrics() -> dict[str, Metric]:
    file = find_metrics_file()
    metrics = {}
    for name, entry in declared_metrics(file).items():
        if entry.language_model is None:
            continue
        path = file.resolve().parent / Path(entry.language_model).expanduser()
        # The family reports a model that does not exist.
        sha256 = entry.sha256 or (file_hash(path) if path.exists() else "")
        # A transformer takes about a hundred times as long as n-grams.
        cost = 400 if path.is_dir() else 1
        languages = frozenset(entry.languages) or None
        metrics[name] = Metric(
            name,
            entry.version,
            ModelFluencyScore(ModelFluency(name, path, sha256, entry.lower, languages, cost)),
            (("log", "10"), *sorted(entry.parameters.items())),
            f"Asano et al. 2017, with the language model {path.name}",
        )
    return metrics


def model_families() -> list[ModelFluency]:
    scores = (metric.score for metric in model_metrics().values())
    return [score.family for score in scores if isinstance(score, ModelFluencyScore)]
