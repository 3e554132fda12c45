"""`maege.compare`: the results of the command as objects and data frames."""

import hashlib
import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, get_args

from maege.analysis.compare.results import GoldEdits, Result
from maege.analysis.direct.scores import TextsError
from maege.analysis.metrics.errant import BETA, Matching
from maege.analysis.options import check_number, check_option
from maege.arguments import read_texts
from maege.comparison.as_json import as_record, fields
from maege.comparison.comparing import compare_files
from maege.comparison.corpus_reading import read_corpus
from maege.comparison.pages.html import as_html
from maege.comparison.reading import Read, distinct_names, read_files
from maege.comparison.terminal import as_text
from maege.ingest.findings import BadInputError
from maege.ingest.reading import TextFile
from maege.ingest.text_checks import PYTHON
from maege.ingest.warehouse import Warehouse, WarehouseError, find_warehouse
from maege.names import UnknownError
from maege.rows import pandas

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
        return as_text(self.result, n_examples=0).rstrip()

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
        return pandas().DataFrame(
            [
                {
                    "system": system.name,
                    "metric": metric,
                    **fields(score, "value:score ci.low:ci_low ci.high:ci_high"),
                    **(fields(score.counts, "tp fp fn precision recall") if score.counts else {}),
                    **fields(score, "ranks.rank ranks.low:rank_low ranks.high:rank_high"),
                }
                for system in self.result.systems
                for metric, score in system.scores.items()
            ]
        )

    @property
    def comparisons(self) -> "DataFrame":
        """One row per pair and metric: the difference b - a, its interval and its test."""
        names = (
            "a b metric difference ci.low:ci_low ci.high:ci_high p_randomisation:p_value p_holm "
            "mark depends_on_annotator"
        )
        return self._frame(self.result.comparisons, names)

    @property
    def types(self) -> "DataFrame":
        """One row per pair and error type."""
        names = (
            "a b type:error_type counts_a.f_score:f_score_a counts_b.f_score:f_score_b difference "
            "ci.low:ci_low ci.high:ci_high p_value q_value n_sentences is_tested"
        )
        return self._frame(self.result.types, names)

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
                    **fields(scored, "output annotator"),
                    **dict(zip(("tp", "fp", "fn"), scored.counts, strict=True)),
                }
                for sentence in self.result.sentences
                for system, scored in zip(self.result.systems, sentence.systems, strict=True)
            ]
        )

    def _frame(self, rows: Sequence[object], names: str) -> "DataFrame":
        return pandas().DataFrame([fields(row, names) for row in rows])


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
    check_number("cat", cat, 1, 3, is_whole=True, error=ComparisonError)
    check_number("beta", beta, 0, error=ComparisonError)
    check_number("alpha", alpha, 0, 1, error=ComparisonError)
    check_number("resamples", resamples, 0, is_whole=True, error=ComparisonError)
    check_number("seed", seed, 0, is_whole=True, error=ComparisonError)
    check_number("processes", processes, 1, is_whole=True, error=ComparisonError)
    if margin is not None:
        check_number("margin", margin, 0, error=ComparisonError)
    try:
        if corpus is not None:
            if gold is not None or outputs or sources is not None or references:
                raise ComparisonError("found a corpus and files or texts; expected one of the two")
            read = _read_corpus(corpus, systems, reference_set, warehouse)
        else:
            read = _read_files(gold, outputs, sources, references)
        result = compare_files(
            read,
            metrics,
            language,
            # Not in this process, where NumPy may have several threads, which parse slower.
            processes=processes,
            keeps=cache,
            force=force,
            caller=PYTHON,
            warn=lambda text: warnings.warn(text, stacklevel=3),
            match=match,
            gold_edits=gold_edits,
            beta=beta,
            tier=cat,
            # A string is a single pattern.
            types=types if types is None else (types,) if isinstance(types, str) else tuple(types),
            resamples=resamples,
            seed=seed,
            alpha=alpha,
            all_pairs=all_pairs,
            margin=margin,
        )
    except BadInputError as error:
        raise ComparisonError(error.findings.as_text()) from None
    except (UnknownError, WarehouseError) as error:
        raise ComparisonError(str(error)) from None
    return Compared(result)


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
    if not isinstance(outputs, Mapping):
        listed = [outputs] if isinstance(outputs, str | PathLike) else outputs
        paths = [Path(path) for path in listed]
        outputs = dict(zip(distinct_names(paths), paths, strict=True))
    return read_files(
        [_file(f"outputs[{name!r}]", output) for name, output in outputs.items()],
        None if gold is None else Path(gold),
        None if sources is None else _file("sources", sources),
        [_file(f"references[{n}]", reference) for n, reference in enumerate(references)],
        tuple(outputs),
    )


def _read_corpus(
    corpus: str,
    systems: Sequence[str],
    reference_set: str | None,
    warehouse: str | PathLike[str] | None,
) -> Read:
    if isinstance(systems, str) or not systems or len(set(systems)) < len(systems):
        raise ComparisonError(f"systems: found {systems!r}; expected a list of different names")
    folder = find_warehouse() if warehouse is None else Warehouse(Path(warehouse))
    return read_corpus(folder, corpus, systems, reference_set)


def _file(name: str, path_or_texts: PathOrTexts) -> Path | TextFile:
    if isinstance(path_or_texts, str | PathLike):
        return Path(path_or_texts)
    try:
        # Texts may have line ends. Tabs remain, so that the check of texts reports them.
        lines = [text.replace("\n", " ") for text in read_texts(name, path_or_texts)]
    except TextsError as error:
        raise ComparisonError(str(error)) from None
    content = "".join(f"{line}\n" for line in lines).encode("utf-8", "surrogatepass")
    return TextFile(name, lines, hashlib.sha256(content).hexdigest(), len(content))
