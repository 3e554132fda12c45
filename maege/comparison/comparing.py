"""Compute the result of a comparison from its inputs, with the cache of edits."""

from collections.abc import Callable
from contextlib import closing, nullcontext
from importlib.metadata import version

from maege.analysis.compare.comparison import compare_systems
from maege.analysis.compare.gold import Inputs, NoStore, Settings
from maege.analysis.compare.results import Note, Result
from maege.analysis.extraction.pipeline import REMEDY, Missing, pipeline_status, rules_of
from maege.comparison.cache import Cache, default_path
from maege.comparison.reading import Read, suspicions_of
from maege.ingest.findings import BadInputError, Findings
from maege.ingest.text_checks import Caller, add_suspicions

DISTRIBUTION = "maege"


def compare_files(
    read: Read,
    settings: Settings,
    *,
    processes: int,
    keeps: bool,
    force: bool,
    language: str | None,
    caller: Caller,
    warn: Callable[[str], None],
) -> Result:
    """Compare the outputs.

    Args:
        read: gold and outputs.
        settings: options of the comparison.
        processes: number of processes that parse texts; 0 parses in this process.
        keeps: whether to use and fill the user's cache of edits.
        force: whether to compare texts that look wrong, with a note about each.
        language: the language that the user or the corpus names; None if neither does.
        caller: the words for a message that says how to continue.
        warn: called with a message if the cache cannot be used.

    Raises:
        BadInputError: something looks wrong with an output, or edits are not available.

    """
    warnings = _missing_errant(read, settings, caller)
    add_suspicions(suspicions_of(read, language), caller, warnings)
    if len(warnings) and not force:
        raise BadInputError(warnings)
    notes = [
        *read.notes,
        *(Note("forced", f"{each.place}: {each.found}", is_warning=True) for each in warnings),
    ]
    inputs = Inputs(read.gold, read.outputs, settings, version(DISTRIBUTION), tuple(notes))
    with closing(Cache(default_path(), warn)) if keeps else nullcontext(NoStore()) as store:
        return compare_systems(inputs, store, processes)


def _missing_errant(read: Read, settings: Settings, caller: Caller) -> Findings:
    """Return a finding if texts need ERRANT and it is not installed."""
    findings = Findings()
    status = pipeline_status(settings.language)
    has_texts = any(output.annotations is None for output in read.outputs)
    if rules_of(settings.language) and isinstance(status, Missing) and has_texts:
        findings.add(
            read.outputs[0].path,
            0,
            f"text, from which ERRANT cannot extract edits here: {status.reason}",
            "ERRANT and its pipeline, or M2 files",
            f"{REMEDY}. Or {caller.proceed}: edits are then extracted by alignment, without types.",
        )
    return findings
