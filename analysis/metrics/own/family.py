"""A metric of the user's own: a function that somebody else wrote, or scores made elsewhere.

Its score is its only statistic. Whatever such a function does wrong is kept as the failure of the
inputs that caused it (results.py, isolated.py); these have no score. The other inputs, and other
metrics, are not touched by it.
"""

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from maege.analysis.extraction.pipeline import Missing
from maege.analysis.metrics.own.declared import OwnMetric, declared_metrics, find_metrics_file
from maege.analysis.metrics.own.functions import (
    FunctionError,
    check_arguments,
    load_function,
    problem_with_source,
    search_folders,
    source_sha256,
)
from maege.analysis.metrics.own.isolated import Calls, score_isolated
from maege.analysis.metrics.own.results import Inputs, Scored, shortened

# Work of one call in units of the cheapest family: some thousand calls make a chunk.
COST = 20


@dataclass(frozen=True)
class OwnFamily:
    """One metric of metrics.yml, as workers get it.

    `content` names what its scores come from besides its inputs: the hash of the function's module,
    or of the scores that were loaded. `missing` says why the function cannot be called.
    """

    metric: str
    definition: OwnMetric
    folders: tuple[str, ...]
    content: str
    missing: Missing | None = None

    @property
    def name(self) -> str:
        """The family's name, which no family of the warehouse has."""
        return f"own:{self.metric}"

    def signature(self) -> str:
        """Return what the cache key holds: all that a score depends on besides its inputs."""
        about = self.definition
        kind = "scores" if about.function is None else "sha256"
        parts = [self.metric]
        if about.function is not None:
            parts.append(f"function:{about.function}")
        parts.append(f"inputs:{'+'.join(about.inputs)}")
        parts += [f"{key}:{value}" for key, value in sorted(about.parameters.items())]
        return "|".join([*parts, f"{kind}:{self.content[:12]}", f"v:{about.version}"])

    def problem_here(self) -> str | None:
        """Return why the function is not on this machine as it was where the chunk was made.

        There it was called once; a worker that lacks it must not take that for its failure.
        """
        if self.definition.function is None:
            return None
        return problem_with_source(self.definition.function, self.folders, self.content)

    def compute(self, inputs: Inputs) -> list[Scored]:
        """Return one result for each input, whose parts stand in lists of one length.

        What the function prints goes to `logs/METRIC.log` in the warehouse folder.
        """
        if self.definition.function is None:
            raise ValueError(f"the scores of {self.metric} come from a file, not from a function")
        warehouse = Path(os.environ.get("MAEGE_WAREHOUSE") or "warehouse")
        calls = Calls(
            self.definition.function,
            self.folders,
            tuple(self.definition.parameters.items()),
            self.definition.batch,
            self.content,
            str(warehouse / "logs" / f"{self.metric}.log"),
        )
        return score_isolated(calls, inputs, self.definition.seconds)


def own_families(loaded_scores: Mapping[str, str] | None = None) -> list[OwnFamily]:
    """Return the metrics of metrics.yml by function and by file, with the functions imported.

    Args:
        loaded_scores: by metric, the hash of the scores that came by file.

    Raises:
        ValueError: metrics.yml has faults.

    """
    path = find_metrics_file()
    folders = search_folders(path)
    families = []
    for name, definition in declared_metrics(path).items():
        if definition.language_model is not None:
            continue
        content, missing = (loaded_scores or {}).get(name, "none"), None
        if definition.function is not None:
            try:
                check_arguments(load_function(definition.function, folders), definition.arguments)
                content = source_sha256(definition.function, folders)
            except FunctionError as error:
                content = "missing"
                missing = Missing(
                    f"{definition.function} cannot be called: {shortened(str(error))}",
                    "install or correct the module, or name another function: "
                    f"maege metric remove {name}, then maege metric add",
                )
        families.append(OwnFamily(name, definition, folders, content, missing))
    return families
