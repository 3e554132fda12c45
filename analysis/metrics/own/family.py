"""User-defined metrics: a function or class from the user's code, or scores from a file.

The score is the only statistic. If the function fails, the failure is stored for the inputs that
caused it (functions.py, served.py), and these have no score. Other inputs and other metrics are not
affected.
"""

import math
import os
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from maege.analysis.extraction.pipeline import Missing
from maege.analysis.metrics.own.declared import OwnMetric, declared_metrics, find_metrics_file
from maege.analysis.metrics.own.functions import (
    FunctionError,
    Inputs,
    Scored,
    check_arguments,
    count,
    load_function,
    problem_with_source,
    search_folders,
    shortened,
    source_sha256,
)
from maege.analysis.metrics.own.interface import Unavailable
from maege.analysis.metrics.own.served import Description, Hosting, Server

# Work of one call in units of the cheapest family: about a thousand calls make a chunk.
COST = 20
# Timeout of a function call in seconds, if metrics.yml has none.
SECONDS = 60.0


@dataclass(frozen=True)
class OwnFamily:
    """One metric of metrics.yml, in the form that workers receive.

    `content` is a hash of everything that scores depend on besides inputs: the function's module,
    or the loaded scores. `missing` says why the function cannot be called. `about` is the
    self-description of a class with a set-up.
    """

    metric: str
    definition: OwnMetric
    folders: tuple[str, ...]
    content: str
    missing: Missing | None = None
    about: Description | None = None

    @property
    def name(self) -> str:
        """The family's name, which differs from all built-in families."""
        return f"own:{self.metric}"

    def signature(self) -> str:
        """Return everything that a score depends on besides its inputs, for the cache key."""
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
        """Return why the function on this machine differs from the one where the chunk was created.

        The function was called successfully there, so a worker without it must not record a failure
        of the function.
        """
        if self.definition.function is None:
            return None
        return problem_with_source(self.definition.function, self.folders, self.content)

    def compute(self, inputs: Inputs) -> list[Scored]:
        """Return one result for each input. All lists in `inputs` have the same length.

        The function's output goes to `logs/METRIC.log` in the warehouse folder.
        """
        hosting = function_hosting(self.metric, self.definition, self.folders)
        try:
            return _server(hosting, self.content).score(inputs, self.definition.seconds or SECONDS)
        # A function has no set-up that may succeed later. Only classes can stop their metric for a
        # build.
        except Unavailable as error:
            return [Scored(math.nan, shortened(str(error)))] * count(inputs)


@cache
def _server(hosting: Hosting, content: str) -> Server:
    """Return the process of a function, which runs until the worker ends."""
    del content
    return Server(hosting)


def log_of(metric: str) -> str:
    """Return the log file for a metric's output."""
    warehouse = Path(os.environ.get("MAEGE_WAREHOUSE") or "warehouse")
    return str(warehouse / "logs" / f"{metric}.log")


def function_hosting(metric: str, definition: OwnMetric, folders: tuple[str, ...]) -> Hosting:
    """Return the hosting of a metric that is a function."""
    if definition.function is None:
        raise ValueError(f"{metric} is not a metric by function")
    return Hosting(
        definition.function,
        folders,
        tuple(definition.parameters.items()),
        log_of(metric),
        reads=definition.inputs,
        batch=definition.batch,
    )


def hosting_of(metric: str, definition: OwnMetric, folders: tuple[str, ...]) -> Hosting:
    """Return the hosting of a metric that is a class."""
    if definition.metric_class is None:
        raise ValueError(f"{metric} is not a metric by class")
    return Hosting(
        definition.metric_class,
        folders,
        tuple((definition.parameters | definition.settings).items()),
        log_of(metric),
        definition.python,
    )


def described(metric: str, definition: OwnMetric, folders: tuple[str, ...]) -> Description:
    """Return a class's own description, with the timeout in metrics.yml; raise FunctionError.

    The class is not imported in this process.
    """
    with Server(hosting_of(metric, definition, folders)) as server:
        about = server.describe()
    if about.reads != definition.inputs:
        raise FunctionError(
            f"it reads {', '.join(about.reads)}, but metrics.yml has {', '.join(definition.inputs)}"
        )
    return about._replace(seconds=definition.seconds or about.seconds)


def own_families(loaded_scores: Mapping[str, str] | None = None) -> list[OwnFamily]:
    """Return the metrics of metrics.yml by function, class and file, with the functions imported.

    Args:
        loaded_scores: hash of the scores from a file, by metric.

    Raises:
        ValueError: metrics.yml has faults.
    """
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
        if definition.function is None:
            about = described(name, definition, folders)
            return OwnFamily(name, definition, folders, about.sha256, about=about)
        check_arguments(load_function(definition.function, folders), definition.arguments)
        content = source_sha256(definition.function, folders)
    except FunctionError as error:
        missing = Missing(
            f"{definition.function or definition.metric_class} cannot be called: "
            f"{shortened(str(error))}",
            "install or correct the module, or name another function: "
            f"maege metric remove {name}, then maege metric add",
        )
        return OwnFamily(name, definition, folders, "missing", missing)
    return OwnFamily(name, definition, folders, content)
