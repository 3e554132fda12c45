"""Compute the result of a comparison from its inputs, with the user's cache of edits."""

import os
from collections.abc import Callable, Sequence
from contextlib import closing
from importlib.metadata import version
from pathlib import Path
from typing import Any

import platformdirs

from maege.analysis.compare.comparison import compare_systems
from maege.analysis.compare.gold import Cache, Inputs, Settings
from maege.analysis.compare.results import Note, Result
from maege.analysis.extraction.pipeline import ENGLISH, REMEDY, Missing, pipeline_status, rules_of
from maege.comparison.reading import Read, suspicions_of
from maege.ingest.findings import BadInputError, Findings
from maege.ingest.languages import canonical_tag
from maege.ingest.text_checks import Caller, add_suspicions
from maege.names import UnknownError, did_you_mean

COUNTED = ("errant", "m2")


def compare_files(
    read: Read,
    metrics: Sequence[str] | None,
    language: str | None,
    *,
    processes: int,
    keeps: bool,
    force: bool,
    caller: Caller,
    warn: Callable[[str], None],
    **options: Any,  # noqa: ANN401 - they have different types
) -> Result:
    """Compare the outputs; raises BadInputError and UnknownError.

    `language` is None for that of the corpus. With `processes` = 0 this process parses. `keeps`:
    use and fill the user's cache of edits; `warn` is called if it cannot be used. With `force`,
    texts that look wrong are compared, with a note. `options` are other values of `Settings`.
    """
    try:
        language = None if language is None else canonical_tag(str(language))
    except ValueError as error:
        raise UnknownError(f"language: found {language!r}; expected {error}") from None
    named_language = language or read.language
    language = named_language or ENGLISH
    has_references = read.gold.reference_texts is not None
    chosen = _chosen_metrics(metrics, has_references=has_references, language=language)
    settings = Settings(metrics=chosen, language=language, **options)
    warnings = _missing_errant(read, language, caller)
    add_suspicions(suspicions_of(read, named_language), caller, warnings)
    if len(warnings) and not force:
        raise BadInputError(warnings)
    forced = (
        Note("forced", f"{finding.place}: {finding.found}", is_warning=True) for finding in warnings
    )
    notes = (*read.notes, *forced)
    inputs = Inputs(read.gold, read.outputs, settings, version("maege"), notes)
    folder = os.environ.get("MAEGE_CACHE") or platformdirs.user_cache_dir("maege")
    path = Path(folder) / "compare-2.sqlite"
    with closing(Cache(path, warn) if keeps else Cache()) as cache:
        return compare_systems(inputs, cache, processes)


def _chosen_metrics(
    metrics: Sequence[str] | None, *, has_references: bool, language: str
) -> tuple[str, ...]:
    if metrics is None:
        return (*COUNTED, "gleu") if has_references else COUNTED
    # A string is iterable, but means one name.
    metrics = [metrics] if isinstance(metrics, str) else metrics
    if not set(metrics) <= set(COUNTED):
        # Imported late: loading all metrics takes 0.25 s.
        from maege.analysis.compare.inference import text_metrics

        known = (*COUNTED, *text_metrics(language))
        for metric in metrics:
            if metric not in known:
                near = did_you_mean(metric, known)
                raise UnknownError(
                    f"there is no metric {metric} of texts; known: {', '.join(known)}. {near}"
                )
    return tuple(dict.fromkeys((COUNTED[0], *metrics)))


def _missing_errant(read: Read, language: str, caller: Caller) -> Findings:
    findings = Findings()
    status = pipeline_status(language)
    has_texts = any(output.annotations is None for output in read.outputs)
    if rules_of(language) and isinstance(status, Missing) and has_texts:
        findings.add(
            read.outputs[0].path,
            0,
            f"text, from which ERRANT cannot extract edits here: {status.reason}",
            "ERRANT and its pipeline, or M2 files",
            f"{REMEDY}. Or {caller.proceed}: edits are then extracted by alignment, without types.",
        )
    return findings
