"""The Python interface: connect to the marts, score texts, list metrics, and read cards.

Data frames need pandas, which the extra `notebook` installs.
"""

import warnings
from collections.abc import Iterable, Mapping
from itertools import zip_longest
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Literal, get_args

import duckdb

from maege.analysis.direct.scores import (
    TextsError,
    corpus_scores,
    listed_metrics,
    metric_of_texts,
    register_metrics,
    sentence_scores,
)
from maege.analysis.direct.texts import AnnotatedGold
from maege.analysis.extraction.pipeline import ENGLISH
from maege.analysis.metrics.scores import Reference
from maege.analysis.options import check_option
from maege.analysis.sql_registration import register
from maege.analysis.texts import squeezed
from maege.arguments import ONE, Arguments, read_arguments, read_texts
from maege.cards.facts import read_card
from maege.comparison.reading import read_gold
from maege.ingest.findings import BadInputError, Findings
from maege.ingest.languages import FORMS, NormalForm, canonical_tag, in_form, n_in_another_form
from maege.ingest.text_checks import PYTHON, Texts, add_suspicions, check_scored
from maege.ingest.warehouse import Warehouse, find_warehouse, open_marts
from maege.rows import pandas

if TYPE_CHECKING:
    from pandas import DataFrame

Level = Literal["sentence", "corpus"]


def connect(
    warehouse: str | Path | None = None, language: str = ENGLISH
) -> duckdb.DuckDBPyConnection:
    """Return a read-only connection to the published marts, with the SQL functions of MAEGE.

    The functions are the statistics of docs/connect.md, and a function per metric, such as
    `gleu(source, hypothesis, references)`. They need pyarrow (extra `warehouse`) when called.

    Args:
        warehouse: folder of the warehouse. Default: MAEGE_WAREHOUSE, or `warehouse`.
        language: BCP 47 tag of the language of the texts that the metrics score.

    Raises:
        TextsError: the language is not a valid tag, or this process has a connection to these
            marts with another language.
        WarehouseError: nothing is published, or the file cannot be opened.

    """
    language = _language(language)
    connection = open_marts(_warehouse(warehouse))
    register(connection)
    register_metrics(connection, language)
    return connection


def score(
    metric: str,
    sources: Iterable[str] | None = None,
    hypotheses: Iterable[str] | Mapping[str, Iterable[str]] = (),
    references: object = None,
    *,
    gold: str | PathLike[str] | None = None,
    level: Level = "sentence",
    gleu_rng: Reference = "py2",
    language: str | None = None,
    unicode: NormalForm | None = None,
    force: bool = False,
) -> "DataFrame":
    """Score texts with a metric; the scores equal those of the marts for the same texts.

    Returns a data frame with the columns system, sentence_id (from 0) and score. At corpus level
    the columns are system, n_sentences, score and signature, with the corpus score that the metric
    defines; for one system the frame also has `.score`, `.signature` and `float()`. A single output
    without a name is called `hypotheses`. Missing scores are NaN.

    Texts can be lists, tuples, arrays, columns of a data frame or other iterables. A string is one
    sentence. White space is normalised to single spaces, and removed at both ends.

    Args:
        metric: name of a metric that needs only texts, such as `gleu`; see the mart `metrics`.
        sources: the original sentences, tokenised; None if the metric reads no sources. A single
            source, and its references, are used for every hypothesis.
        hypotheses: one text per sentence. Several systems are a mapping by name, or a data frame
            with a column per system.
        references: one text, or a list of texts, for each sentence. Or whole references, each with
            one text per sentence: a mapping by name, a data frame or a list of columns. For a
            single source, also a list of its references. None, NaN and NA mean a missing
            reference. None if the metric reads no references.
        gold: an M2 file with the sources and the edits of all annotators, instead of references.
            Metrics that compare edits read the annotators' edits; other metrics read the sources
            with these edits applied, as in `compare`.
        level: `sentence` for a score per sentence, `corpus` for a score of the whole output.
        gleu_rng: how GLEU draws references for the corpus score, as in the variable of that name;
            `expected` for the expectation without draws.
        language: BCP 47 tag of the language of all texts, as in a manifest. Default: English.
        unicode: the normal form to convert all texts to, NFC or NFD. None leaves texts unchanged,
            with a warning if sources or hypotheses have another form than their references.
        force: whether to score texts that look wrong, such as untokenised or shifted ones.

    Raises:
        TextsError: the metric or an option is unknown, the metric needs more than texts, arguments
            are missing, of different lengths or ambiguous, texts look wrong, or the gold file is
            invalid or excludes another argument.
        ModuleNotFoundError: pandas is not installed.

    """
    frame = pandas().DataFrame
    check_option("level", level, get_args(Level), TextsError)
    check_option("gleu_rng", gleu_rng, get_args(Reference), TextsError)
    named_language = None if language is None else _language(language)
    language = named_language or ENGLISH
    annotated = None
    if gold is None:
        unchanged = read_arguments(sources, hypotheses, references)
    else:
        if references is not None or unicode is not None:
            raise TextsError("found gold and references or unicode; expected one of them")
        annotated = _gold(gold, language)
        unchanged = _with_sources(annotated, str(gold), sources, hypotheses)
    arguments = unchanged.each(squeezed)
    if unicode is not None:
        check_option("unicode", unicode, FORMS, TextsError)
        arguments = arguments.each(lambda text: in_form(text, unicode))
    scorer = metric_of_texts(metric, arguments.outputs.keys() != {ONE}, language)
    _check_texts(unchanged, named_language, force=force)
    if annotated is not None:
        arguments = arguments._replace(references=annotated.references)
    elif scorer.reference_based:
        if unicode is None:
            _warn_of_forms(arguments)
        _warn_of_blank_references(arguments)
    systems = list(arguments.outputs)
    if level == "corpus":
        from maege.corpus_scores import CorpusScores

        return CorpusScores(
            {
                "system": systems,
                "n_sentences": [len(texts) for texts in arguments.outputs.values()],
                "score": corpus_scores(scorer, *arguments, gleu_rng, language, annotated),
                "signature": scorer.signature(),
            }
        )
    scores = sentence_scores(scorer, *arguments, language, annotated)
    n_sentences = scores.shape[1]
    return frame(
        {
            "system": [name for name in systems for _ in range(n_sentences)],
            "sentence_id": list(range(n_sentences)) * len(systems),
            "score": scores.ravel(),
        }
    )


def metrics(language: str = ENGLISH) -> "DataFrame":
    """Return the built-in metrics that `score` knows, one row per metric.

    Columns: metric, inputs (source, hypothesis, references), languages (NULL for all),
    is_available, and reason: why `score` cannot compute the metric here, and what to do.

    Args:
        language: BCP 47 tag of the language of the texts.

    Raises:
        TextsError: the language is not a valid tag.
        ModuleNotFoundError: pandas is not installed.

    """
    return pandas().DataFrame(listed_metrics(_language(language)))


def card(
    metric: str, corpus: str | None = None, warehouse: str | Path | None = None
) -> "DataFrame":
    """Return the facts that `maege card` prints about a metric, one row each as in `metric_cards`.

    Without published marts, they are facts of the results that the package contains, with a
    warning.

    Args:
        metric: name of the metric.
        corpus: the corpus to evaluate it on. Default: the largest that the metric scored.
        warehouse: folder of the warehouse, as for `connect`.

    Raises:
        UnknownError: the metric, or its scores on the corpus, are not in the published marts.
        WarehouseError: the marts cannot be opened.
        ModuleNotFoundError: pandas is not installed.

    """
    frame = pandas().DataFrame
    read = read_card(_warehouse(warehouse), metric, corpus)
    if read.notice is not None:
        warnings.warn(read.notice, stacklevel=2)
    return frame(read.facts)


def _gold(path: str | PathLike[str], language: str) -> AnnotatedGold:
    try:
        read, notes = read_gold(Path(path))
    except BadInputError as error:
        raise TextsError(error.findings.as_text()) from None
    for note in notes:
        warnings.warn(note.text, stacklevel=3)
    return AnnotatedGold(read.gold, language)


def _with_sources(gold: AnnotatedGold, path: str, sources: object, hypotheses: object) -> Arguments:
    arguments = read_arguments(gold.sources, hypotheses, None)
    for name, texts in arguments.outputs.items():
        if len(texts) != len(gold.sources):
            raise TextsError(
                f"{name}: found {len(texts):,} texts; expected {len(gold.sources):,}, one for each "
                f"sentence of {path}"
            )
    if sources is not None and [*map(squeezed, read_texts("sources", sources))] != gold.sources:
        raise TextsError(
            f"sources: found other sentences than those of {path}; expected None, because the gold "
            "has the sources"
        )
    return arguments


def _check_texts(arguments: Arguments, language: str | None, *, force: bool) -> None:
    outputs, sources, references = arguments
    if not any(outputs.values()):
        return
    columns = zip_longest(*references or ())
    suspicions = check_scored(
        None if sources is None else Texts("sources", sources),
        [Texts(f"references {n} of each sentence", texts) for n, texts in enumerate(columns, 1)],
        [Texts(name, texts) for name, texts in outputs.items()],
        language,
        # A single source for all hypotheses cannot be shifted against them.
        is_aligned=sources is None or len({*sources}) > 1,
    )
    findings = Findings()
    add_suspicions(suspicions, PYTHON, findings)
    if len(findings) and not force:
        raise TextsError(findings.as_text())
    for finding in findings:
        warnings.warn(f"{finding.place}: {finding.found}", stacklevel=3)


def _warn_of_forms(arguments: Arguments) -> None:
    differing = [
        f"{n} of {len(texts)} texts in {name}"
        for name, texts in {"sources": arguments.sources or [], **arguments.outputs}.items()
        if (n := n_in_another_form(texts, arguments.references or []))
    ]
    if differing:
        warnings.warn(
            f"{', '.join(differing)} are in another Unicode normal form than their references, so "
            "that equal words differ; unicode='NFC' converts all texts",
            stacklevel=3,
        )


def _warn_of_blank_references(arguments: Arguments) -> None:
    references = arguments.references or []
    sources = arguments.sources or ["text"] * len(references)
    blank = [
        not text.strip()
        # Different lengths are reported later.
        for source, texts in zip(sources, references, strict=False)
        if source.strip()
        for text in texts
    ]
    if any(blank):
        warnings.warn(
            f"{sum(blank)} of {len(blank)} references are blank, which means deletion of the "
            "sentence; for a missing reference, give None",
            stacklevel=3,
        )


def _language(tag: str) -> str:
    try:
        return canonical_tag(str(tag))
    except ValueError as error:
        raise TextsError(f"language: found {tag!r}; expected {error}") from None


def _warehouse(folder: str | Path | None) -> Warehouse:
    return find_warehouse() if folder is None else Warehouse(Path(folder))
