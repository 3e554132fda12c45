"""Compute the result of a comparison from its inputs, with a cache of edits.

The cache is one SQLite file per user. The key of a row is a hash of the program that computed it,
its versions and code, and the texts. The value has edits and counts, which include the words of
corrections but no whole sentences. Scores are not stored. If the file is damaged, locked or cannot
be written, the comparison warns once and runs without it.
"""

import hashlib
import os
import sqlite3
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, nullcontext
from functools import cache
from importlib.metadata import version
from pathlib import Path
from typing import Any

import platformdirs

from maege import analysis
from maege.analysis.compare.comparison import compare_systems
from maege.analysis.compare.gold import Inputs, NoStore, Settings
from maege.analysis.compare.results import Note, Result
from maege.analysis.extraction.pipeline import ENGLISH, REMEDY, Missing, pipeline_status, rules_of
from maege.comparison.reading import Read, suspicions_of
from maege.ingest.findings import BadInputError, Findings
from maege.ingest.text_checks import Caller, add_suspicions
from maege.names import did_you_mean

COUNTED = ("errant", "m2")


class NoMetricError(LookupError):
    """A metric is unknown or needs more than texts; the message lists the available ones."""


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
    """Compare the outputs.

    Args:
        read: gold and outputs.
        metrics: names of metrics; errant is always added. None for the default.
        language: canonical tag of the language that the user names; None for that of the corpus.
        processes: number of processes that parse texts; 0 parses in this process.
        keeps: whether to use and fill the user's cache of edits.
        force: whether to compare texts that look wrong, with a note about each.
        caller: the words for a message that says how to continue.
        warn: called with a message if the cache cannot be used.
        options: other values of `Settings`.

    Raises:
        BadInputError: something looks wrong with an output, or edits are not available.
        NoMetricError: a metric is unknown, or needs more than texts.
        UnknownTypeError: no error type matches a pattern of the option `types`.

    """
    named_language = language or read.language
    language = named_language or ENGLISH
    has_references = read.gold.reference_texts is not None
    chosen = chosen_metrics(metrics, has_references=has_references, language=language)
    settings = Settings(metrics=chosen, language=language, **options)
    warnings = _missing_errant(read, language, caller)
    add_suspicions(suspicions_of(read, named_language), caller, warnings)
    if len(warnings) and not force:
        raise BadInputError(warnings)
    notes = [
        *read.notes,
        *(
            Note("forced", f"{finding.place}: {finding.found}", is_warning=True)
            for finding in warnings
        ),
    ]
    inputs = Inputs(read.gold, read.outputs, settings, version("maege"), tuple(notes))
    with closing(Cache(default_path(), warn)) if keeps else nullcontext(NoStore()) as store:
        return compare_systems(inputs, store, processes)


def chosen_metrics(
    metrics: Sequence[str] | None, *, has_references: bool, language: str
) -> tuple[str, ...]:
    """Return the requested metrics, ERRANT first. Raises NoMetricError.

    Default: those that count edits, and GLEU if there are reference texts.
    """
    if metrics is None:
        return (*COUNTED, "gleu") if has_references else COUNTED
    # A string is iterable, but means one name.
    metrics = [metrics] if isinstance(metrics, str) else metrics
    uncounted = [metric for metric in metrics if metric not in COUNTED]
    if uncounted:
        # Imported late: loading all metrics takes 0.25 s.
        from maege.analysis.compare.inference import text_metrics

        available = text_metrics(language)
        names = (*COUNTED, *available)
        for metric in uncounted:
            if metric not in available:
                near = did_you_mean(metric, names)
                if isinstance(metric, str) and "," in metric:
                    near = "Write a list with one name in each entry."
                shown = metric if str(metric).strip() else repr(metric)
                listed = ", ".join(names)
                raise NoMetricError(
                    f"there is no metric {shown} of texts; known: {listed}. {near}".rstrip()
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


# --- The cache of edits ---

FILE = "compare-2.sqlite"
FOLDER = "MAEGE_CACHE"
# A larger file is replaced by an empty one.
LARGEST_BYTES = 500_000_000
SECONDS_TO_WAIT = 2.0
# All builds of SQLite accept at least 999 parameters per statement.
AT_ONCE = 900
# Modules that edits and counts depend on.
CODE = ("extraction", "metrics/m2", "edits.py", "compare/edits.py", "compare/gold.py")

_SCHEMA = """
    create table if not exists made (key blob primary key, made text not null) without rowid
"""


class Cache:
    """A `Store` in a file; `warn` is called once if the file cannot be used."""

    def __init__(self, path: Path, warn: Callable[[str], None]) -> None:
        self._path, self._warn = path, warn
        self._connection: sqlite3.Connection | None = None
        with self._giving_up():
            path.parent.mkdir(parents=True, exist_ok=True)
            if path.exists() and path.stat().st_size > LARGEST_BYTES:
                path.unlink()
            self._connection = sqlite3.connect(path, timeout=SECONDS_TO_WAIT)
            self._connection.execute(_SCHEMA)

    def known(
        self, signature: str, inputs: Sequence[tuple[str, ...]]
    ) -> dict[tuple[str, ...], str]:
        """Return the stored outputs of the program with this signature for the texts."""
        outputs: dict[tuple[str, ...], str] = {}
        if self._connection is not None:
            by_key = {key_of(signature, texts): texts for texts in inputs}
            keys = list(by_key)
            with self._giving_up():
                for start in range(0, len(keys), AT_ONCE):
                    part = keys[start : start + AT_ONCE]
                    places = ",".join("?" * len(part))
                    query = f"select key, made from made where key in ({places})"  # noqa: S608
                    rows = self._connection.execute(query, part)
                    outputs |= {by_key[key]: output for key, output in rows}
        return outputs

    def keep(self, signature: str, outputs: Mapping[tuple[str, ...], str]) -> None:
        """Store a program's outputs for texts."""
        if self._connection is not None:
            rows = [(key_of(signature, texts), output) for texts, output in outputs.items()]
            with self._giving_up(), self._connection:
                self._connection.executemany("insert or ignore into made values (?, ?)", rows)

    def close(self) -> None:
        """Close the file."""
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    @contextmanager
    def _giving_up(self) -> Iterator[None]:
        """Close the file and warn if the block fails."""
        try:
            yield
        except (sqlite3.Error, OSError) as error:
            self.close()
            self._warn(
                f"{self._path} cannot be used ({error}). Nothing is stored for the next "
                f"comparison. Remove the file, or name another folder in {FOLDER}."
            )


def default_path() -> Path:
    """Return the file in the folder that MAEGE_CACHE names, else in the user's cache."""
    return Path(os.environ.get(FOLDER) or platformdirs.user_cache_dir("maege")) / FILE


def key_of(signature: str, texts: Sequence[str]) -> bytes:
    """Return the key of a program's output for texts."""
    digest = hashlib.blake2b(digest_size=16)
    for part in (_code(), signature, *texts):
        # Each part is preceded by its length, so that different lists have different keys.
        encoded = part.encode("utf-8", "surrogatepass")
        digest.update(len(encoded).to_bytes(8, "little") + encoded)
    return digest.digest()


@cache
def _code() -> str:
    folder = Path(analysis.__file__).parent
    digest = hashlib.sha256()
    for name in CODE:
        path = folder / name
        for module in sorted(path.glob("*.py")) if path.is_dir() else [path]:
            digest.update(module.read_bytes())
    return digest.hexdigest()
