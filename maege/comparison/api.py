"""`maege.compare`: the results of the command as objects and data frames."""

import hashlib
import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, get_args

from maege.analysis.compare.gold import Settings
from maege.analysis.compare.results import GoldEdits, Result
from maege.analysis.compare.types import UnknownTypeError
from maege.analysis.direct.scores import TextsError
from maege.analysis.extraction.pipeline import ENGLISH
from maege.analysis.metrics.errant import BETA, Matching
from maege.analysis.options import check_number, check_option
from maege.arguments import is_nameless, read_texts
from maege.comparison.as_json import as_record
from maege.comparison.comparing import compare_files
from maege.comparison.corpus_reading import FromCorpus, read_corpus
from maege.comparison.metrics import NoMetricError, chosen_metrics
from maege.comparison.pages.html import as_html
from maege.comparison.reading import Files, Read, distinct_names, read_files
from maege.comparison.terminal import as_text
from maege.frames import pandas
from maege.ingest.findings import BadInputError, UnknownNameError
from maege.ingest.languages import canonical_tag
from maege.ingest.reading import TextFile
from maege.ingest.text_checks import PYTHON
from maege.ingest.warehouse import Warehouse, WarehouseError, find_warehouse

if TYPE_CHECKING:
    from pandas import DataFrame

PathOrTexts = str | PathLike[str] | Sequence[str]


class ComparisonError(ValueError):
    """Files or texts that cannot be compared; the message says where and what to do."""


@dataclass(frozen=True)
class Compared:
    """A comparison: `result` has all results, the other attributes have parts as data frames.

    `print` shows the tables of `maege compare`; a notebook shows the page.
    """

    result: Result

    def __str__(self) -> str:
        return "\n".join(line.plain for line in as_text(self.result, n_examples=0))

    def _repr_html_(self) -> str:
        page = escape(as_html(self.result))
        return f'<iframe srcdoc="{page}" style="width: 100%; height: 40em; border: 0"></iframe>'

    @property
    def record(self) -> dict[str, Any]:
        """The JSON output of `maege compare`, as dictionaries and lists."""
        return as_record(self.result)

    @property
    def scores(self) -> "DataFrame":
        """One row per system and metric: score, interval, counts if it has them, ranks."""
        rows = []
        for system in self.result.systems:
            for score in system.scores.values():
                counts = score.counts._asdict() if score.counts is not None else {}
                counts.pop("f_score", None)
                rows.append(
                    {
                        "system": system.name,
                        "metric": score.metric,
                        "score": score.value,
                        "ci_low": score.ci and score.ci.low,
                        "ci_high": score.ci and score.ci.high,
                        **counts,
                        "rank": score.ranks and score.ranks.rank,
                        "rank_low": score.ranks and score.ranks.low,
                        "rank_high": score.ranks and score.ranks.high,
                    }
                )
        return pandas().DataFrame(rows)

    @property
    def comparisons(self) -> "DataFrame":
        """One row per pair and metric: the difference b - a, its interval and its test."""
        return pandas().DataFrame(
            [
                {
                    "a": comparison.a,
                    "b": comparison.b,
                    "metric": comparison.metric,
                    "difference": comparison.difference,
                    "ci_low": comparison.ci and comparison.ci.low,
                    "ci_high": comparison.ci and comparison.ci.high,
                    "p_value": comparison.p_randomisation,
                    "p_holm": comparison.p_holm,
                    "mark": comparison.mark,
                    "depends_on_annotator": comparison.depends_on_annotator,
                }
                for comparison in self.result.comparisons
            ]
        )

    @property
    def types(self) -> "DataFrame":
        """One row per pair and error type."""
        return pandas().DataFrame(
            [
                {
                    "a": row.a,
                    "b": row.b,
                    "error_type": row.type,
                    "f_score_a": row.counts_a.f_score,
                    "f_score_b": row.counts_b.f_score,
                    "difference": row.difference,
                    "ci_low": row.ci and row.ci.low,
                    "ci_high": row.ci and row.ci.high,
                    "p_value": row.p_value,
                    "q_value": row.q_value,
                    "n_sentences": row.n_sentences,
                    "is_tested": row.is_tested,
                }
                for row in self.result.types
            ]
        )

    @property
    def edits(self) -> "DataFrame":
        """One row per edit that only one system of a pair has."""
        return pandas().DataFrame([vars(change) for change in self.result.changes])

    @property
    def sentences(self) -> "DataFrame":
        """One row per sentence and system: output, the annotator used for scoring, and counts."""
        return pandas().DataFrame(
            [
                {
                    "sentence_id": sentence.id,
                    "system": system.name,
                    "source": sentence.source,
                    "output": sentence_of_system.output,
                    "annotator": sentence_of_system.annotator,
                    "tp": sentence_of_system.counts[0],
                    "fp": sentence_of_system.counts[1],
                    "fn": sentence_of_system.counts[2],
                }
                for sentence in self.result.sentences
                for system, sentence_of_system in zip(
                    self.result.systems, sentence.systems, strict=True
                )
            ]
        )


def compare(
    gold: str | PathLike[str] | None = None,
    outputs: Mapping[str, PathOrTexts] | Sequence[str | PathLike[str]] = (),
    *,
    sources: PathOrTexts | None = None,
    references: Sequence[PathOrTexts] = (),
    corpus: str | None = None,
    systems: Sequence[str] = (),
    reference_set: str | None = None,
    warehouse: str | PathLike[str] | None = None,
    metrics: Sequence[str] | None = None,
    match: Matching = "cs",
    gold_edits: GoldEdits | None = None,
    beta: float = BETA,
    cat: Literal[1, 2, 3] = 3,
    types: Sequence[str] | None = (),
    resamples: int = 10_000,
    seed: int = 1,
    alpha: float = 0.05,
    all_pairs: bool = False,
    margin: float | None = None,
    language: str | None = None,
    processes: int = 1,
    cache: bool = True,
    force: bool = False,
) -> Compared:
    """Compare systems; the numbers are those of `maege compare`.

    Args:
        gold: an M2 file; None if there are `sources` and `references`.
        outputs: files, or lists with one text per sentence, by system name; or a list of files,
            named by their file names. The first is the baseline.
        sources: a file, or one text per sentence; needed with `references`.
        references: a list of references, each a file or a list with one text per sentence.
        corpus: a corpus of a warehouse, instead of gold, outputs, sources and references.
        systems: systems of the corpus; the first is the baseline.
        reference_set: a reference set of the corpus. Default: its first with annotators' edits.
        warehouse: folder of the warehouse. Default: MAEGE_WAREHOUSE, or `warehouse`.
        metrics: names of metrics; errant is always added. Default: errant and m2, and gleu with
            references.
        match: the rule for matching edits, as in errant_compare.
        gold_edits: `given`, `typed` or `auto`: use the gold edits unchanged, with types by ERRANT,
            or extracted by ERRANT. Default: `given` if the gold has ERRANT's types, else `auto`.
        beta: weight of recall.
        cat: error types by operation (1), by category (2), or both (3).
        types: patterns of the error types to report; None for no table of types.
        resamples: number of resamples for tests and intervals; 0 skips both.
        seed: seed for the resamples.
        alpha: significance level after correction for multiple tests.
        all_pairs: whether to compare all pairs of systems, not only with the baseline.
        margin: a difference below which systems count as equivalent; None for no such test.
        language: language of the texts, a BCP 47 tag. Default: that of the corpus, or en.
        processes: number of processes that parse texts.
        cache: whether to use and fill the cache of edits.
        force: whether to compare texts that look wrong, such as shifted or untokenised lines.

    Raises:
        ComparisonError: files or texts cannot be compared, or an option has an invalid value.

    """
    check_option("match", match, get_args(Matching), ComparisonError)
    if gold_edits is not None:
        check_option("gold_edits", gold_edits, get_args(GoldEdits), ComparisonError)
    check_number("cat", cat, 1, 3, whole=True, error=ComparisonError)
    check_number("beta", beta, 0, error=ComparisonError)
    check_number("alpha", alpha, 0, 1, error=ComparisonError)
    check_number("resamples", resamples, 0, whole=True, error=ComparisonError)
    check_number("seed", seed, 0, whole=True, error=ComparisonError)
    check_number("processes", processes, 1, whole=True, error=ComparisonError)
    if margin is not None:
        check_number("margin", margin, 0, error=ComparisonError)
    try:
        language = None if language is None else canonical_tag(str(language))
    except ValueError as error:
        raise ComparisonError(f"language: found {language!r}; expected {error}") from None
    try:
        if corpus is not None:
            if gold is not None or outputs or sources is not None or references:
                raise ComparisonError("found a corpus and files or texts; expected one of the two")
            read = _read_corpus(corpus, systems, reference_set, warehouse)
        else:
            read = _read_files(gold, outputs, sources, references)
    except BadInputError as error:
        raise ComparisonError(error.findings.as_text()) from None
    named_language = language or read.language
    language = named_language or ENGLISH
    try:
        has_references = read.gold.reference_texts is not None
        chosen = chosen_metrics(metrics, has_references=has_references, language=language)
    except NoMetricError as error:
        raise ComparisonError(str(error)) from None
    settings = Settings(
        metrics=chosen,
        match=match,
        gold_edits=gold_edits,
        beta=beta,
        tier=cat,
        types=None if types is None else _listed(types),
        resamples=resamples,
        seed=seed,
        alpha=alpha,
        all_pairs=all_pairs,
        margin=margin,
        language=language,
    )
    try:
        return Compared(
            compare_files(
                read,
                settings,
                # Not in this process, where NumPy may have several threads, which parse slower.
                processes=processes,
                keeps=cache,
                force=force,
                language=named_language,
                caller=PYTHON,
                warn=lambda text: warnings.warn(text, stacklevel=3),
            )
        )
    except BadInputError as error:
        raise ComparisonError(error.findings.as_text()) from None
    except UnknownTypeError as error:
        raise ComparisonError(f"types: {error}") from None


def _listed(names: Sequence[str]) -> tuple[str, ...]:
    """Return the names as a tuple; a string is a single name."""
    return (names,) if isinstance(names, str) else tuple(names)


def _read_files(
    gold: str | PathLike[str] | None,
    outputs: Mapping[str, PathOrTexts] | Sequence[str | PathLike[str]],
    sources: PathOrTexts | None,
    references: Sequence[PathOrTexts],
) -> Read:
    if gold is None and (sources is None or not references):
        raise ComparisonError(
            "expected gold, an M2 file, or sources with references; found neither"
        )
    if isinstance(references, str | PathLike):
        references = [references]
    if not outputs:
        raise ComparisonError("outputs: found no system; expected files or texts by system")
    if isinstance(outputs, Mapping):
        for name in outputs:
            if is_nameless(name):
                raise ComparisonError(
                    f"outputs: found a system with the name {name!r}; expected a name, such as "
                    "'base'"
                )
    else:
        listed = [outputs] if isinstance(outputs, str | PathLike) else outputs
        paths = [Path(path) for path in listed]
        outputs = dict(zip(distinct_names(paths), paths, strict=True))
    files = Files(
        [_file(f"outputs[{name!r}]", given) for name, given in outputs.items()],
        None if gold is None else Path(gold),
        Path() if sources is None else _file("sources", sources),
        [_file(f"references[{n}]", given) for n, given in enumerate(references)],
        tuple(outputs),
    )
    return read_files(files)


def _read_corpus(
    corpus: str,
    systems: Sequence[str],
    reference_set: str | None,
    warehouse: str | PathLike[str] | None,
) -> Read:
    if isinstance(systems, str) or not systems or len(set(systems)) < len(systems):
        raise ComparisonError(f"systems: found {systems!r}; expected a list of different names")
    folder = find_warehouse() if warehouse is None else Warehouse(Path(warehouse))
    try:
        return read_corpus(FromCorpus(folder, corpus, systems, reference_set))
    except (UnknownNameError, WarehouseError) as error:
        raise ComparisonError(str(error)) from None


def _file(name: str, given: PathOrTexts) -> Path | TextFile:
    if isinstance(given, str | PathLike):
        return Path(given)
    try:
        # Texts may have line ends. Tabs remain, so that the check of texts reports them.
        lines = [text.replace("\n", " ") for text in read_texts(name, given)]
    except TextsError as error:
        raise ComparisonError(str(error)) from None
    content = "".join(f"{line}\n" for line in lines).encode("utf-8", "surrogatepass")
    return TextFile(name, lines, hashlib.sha256(content).hexdigest(), len(content))
