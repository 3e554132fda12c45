"""From what was read to a result, with the edits of earlier comparisons at hand."""

from collections.abc import Callable
from contextlib import nullcontext
from importlib.metadata import version

from maege.analysis.compare.comparison import compare_systems
from maege.analysis.compare.edits.extraction import NoStore
from maege.analysis.compare.inputs import Inputs, Settings
from maege.analysis.compare.results import Note, Result
from maege.analysis.extraction.pipeline import REMEDY, Missing, pipeline_status, rules_of
from maege.comparison.cache import Cache, default_path
from maege.comparison.likeness import english_share
from maege.comparison.reading import Read
from maege.ingest.findings import BadInputError, Findings

DISTRIBUTION = "maege"
# Of the words of sources: less is hardly English, more hardly anything else.
LEAST_ENGLISH, MOST_ENGLISH = 0.05, 0.1


def compare_files(
    read: Read,
    settings: Settings,
    *,
    processes: int,
    keeps: bool,
    force: bool,
    warn: Callable[[str], None],
) -> Result:
    """Return how the outputs compare.

    Args:
        read: gold and outputs.
        settings: what is asked for.
        processes: that parse texts; 0 parses in this one.
        keeps: whether edits are read from the user's cache, and kept there.
        force: whether warnings are noted, where they would stop.
        warn: what is told that the cache cannot be used.

    Raises:
        BadInputError: something looks wrong with an output, or edits cannot be had.

    """
    warnings = _on_edits(read, settings)
    warnings.extend(read.warnings)
    if len(warnings) and not force:
        raise BadInputError(warnings)
    notes = [
        *read.notes,
        *_on_language(read, settings.language),
        *(Note("forced", f"{one.place}: {one.found}", is_warning=True) for one in warnings),
    ]
    inputs = Inputs(read.gold, read.outputs, settings, version(DISTRIBUTION), tuple(notes))
    with Cache(default_path(), warn) if keeps else nullcontext(NoStore()) as store:
        return compare_systems(inputs, store, processes)


def _on_language(read: Read, language: str) -> list[Note]:
    """Return a note where sources do not look like texts of the language."""
    share = english_share(read.gold.gold.sources)
    if share is None:
        return []
    is_english = bool(rules_of(language))
    if is_english and share < LEAST_ENGLISH:
        said = "edits are those that the rules for English find; is it another, --language TAG?"
    elif not is_english and share > MOST_ENGLISH:
        said = "edits are found by alignment alone; is it English, --language en?"
    else:
        return []
    text = f"{share:.0%} of the sources' words are among the most common of English: {said}"
    return [Note("language", text, is_warning=True)]


def _on_edits(read: Read, settings: Settings) -> Findings:
    """Return what stands against finding edits as ERRANT does, where texts need it."""
    findings = Findings()
    status = pipeline_status(settings.language)
    has_texts = any(output.annotations is None for output in read.outputs)
    if rules_of(settings.language) and isinstance(status, Missing) and has_texts:
        findings.add(
            read.outputs[0].path,
            0,
            f"text, whose edits ERRANT cannot find here: {status.reason}",
            "ERRANT and its pipeline, or M2 files",
            f"{REMEDY}; or go on by plain alignment, without types, with --force.",
        )
    return findings
