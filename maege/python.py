"""What programs and notebooks use: the marts with our functions, scores of texts, and cards.

Frames are pandas', which the extra `notebook` installs.
"""

import warnings
from collections.abc import Iterable, Mapping
from itertools import zip_longest
from pathlib import Path
from typing import TYPE_CHECKING, Literal, get_args

import duckdb

from maege.analysis.direct.scores import (
    TextsError,
    corpus_scores,
    listed_metrics,
    metric_of_texts,
    sentence_scores,
)
from maege.analysis.direct.sql import register_metrics
from maege.analysis.extraction.pipeline import ENGLISH
from maege.analysis.metrics.scores.draws import Reference
from maege.analysis.options import check_option
from maege.analysis.sql_registration import register
from maege.analysis.white_space import squeezed
from maege.arguments import ONE, Arguments, read_arguments
from maege.cards.facts import read_card
from maege.frames import pandas
from maege.ingest.corpora.normal_forms import FORMS, NormalForm, in_form, n_in_another_form
from maege.ingest.findings import Findings
from maege.ingest.manifests.language_tags import canonical_tag
from maege.ingest.text_checks import PYTHON, Texts, add_suspicions, check_scored
from maege.ingest.warehouse import Warehouse, find_warehouse, open_marts

if TYPE_CHECKING:
    from pandas import DataFrame

Level = Literal["sentence", "corpus"]


def connect(
    warehouse: str | Path | None = None, language: str = ENGLISH
) -> duckdb.DuckDBPyConnection:
    """Return a read-only connection to the published marts, with the functions of this project.

    Those are the statistics of docs/connect.md, and the metrics by their names, such as
    `gleu(source, hypothesis, references)`.

    Args:
        warehouse: its folder; by default the one that MAEGE_WAREHOUSE names, else `warehouse`.
        language: of the texts that the metrics are given, a tag of BCP 47.

    Raises:
        TextsError: the language is no tag.
        WarehouseError: nothing is published there, or it cannot be opened.

    """
    language = _language(language)
    connection = open_marts(_warehouse(warehouse))
    register(connection)
    register_metrics(connection, language)
    return connection


def score(
    metric: str,
    sources: Iterable[str] | None,
    hypotheses: Iterable[str] | Mapping[str, Iterable[str]],
    references: object = None,
    *,
    level: Level = "sentence",
    gleu_rng: Reference = "py2",
    language: str | None = None,
    unicode: NormalForm | None = None,
    force: bool = False,
) -> "DataFrame":
    """Return the scores of texts, equal to those of the marts for the same texts.

    A frame with the columns system, sentence_id (from 0) and score, or at corpus level system,
    n_sentences, score and signature, by the metric's own rule for a corpus. The system is called
    `hypotheses` where one output is given without a name. Scores that do not exist are NaN.

    Texts come as lists, tuples, arrays, columns of a frame or whatever yields them; one text alone
    is one sentence. White space counts as one space, and as none at the ends of a text.

    Args:
        metric: a metric of texts alone, such as `gleu`; see the mart `metrics`.
        sources: the original sentences, tokenised; None where the metric reads none. A single one
            is the source of every hypothesis, and its references are those of every hypothesis.
        hypotheses: one text a sentence; by the name of each system, or a frame with a column for
            each, where there are several.
        references: a text for each sentence, or a list of texts for each sentence; by name, or as
            a frame or a list of columns, one text a sentence for each reference; beside one source
            also its references as one list. None, NaN and the like stand for a reference that is
            not there. None alone where the metric reads none.
        level: of sentences one by one, or of the whole output.
        gleu_rng: the draws of references in the corpus score of GLEU, as in the variable of that
            name; `expected` for none.
        language: of all texts, a tag of BCP 47, as in a manifest; English if it is not given.
        unicode: the normal form to bring all texts to, NFC or NFD; None leaves them as they are,
            with a warning where sources or hypotheses are in another one than their references.
        force: whether to score texts that look wrong, such as untokenised or shifted ones.

    Raises:
        TextsError: there is no such metric or option, the metric takes more than texts, parts are
            missing, of different lengths or ambiguous, or texts look wrong.
        ModuleNotFoundError: pandas is not installed.

    """
    frame = pandas().DataFrame
    check_option("level", level, get_args(Level), TextsError)
    check_option("gleu_rng", gleu_rng, get_args(Reference), TextsError)
    named_language = None if language is None else _language(language)
    language = named_language or ENGLISH
    unchanged = read_arguments(sources, hypotheses, references)
    given = _in_form(unchanged.each(squeezed), unicode)
    known = metric_of_texts(metric, given.outputs.keys() != {ONE}, language)
    _check_texts(unchanged, named_language, force=force)
    if known.reference_based:
        if unicode is None:
            _warn_of_forms(given)
        _warn_of_blank_references(given)
    systems = list(given.outputs)
    if level == "corpus":
        return frame(
            {
                "system": systems,
                "n_sentences": [len(texts) for texts in given.outputs.values()],
                "score": corpus_scores(known, *given, gleu_rng, language),
                "signature": known.signature(),
            }
        )
    scores = sentence_scores(known, *given, language)
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
        language: of the texts, a tag of BCP 47.

    Raises:
        TextsError: the language is not a tag.
        ModuleNotFoundError: pandas is not installed.

    """
    return pandas().DataFrame(listed_metrics(_language(language)))


def card(
    metric: str, corpus: str | None = None, warehouse: str | Path | None = None
) -> "DataFrame":
    """Return what `maege card` prints of a metric: its facts, a row each, as in `metric_cards`.

    Without published marts, they are facts of the results that the package contains, with a
    warning.

    Args:
        metric: by name.
        corpus: where it is judged; by default the largest that has scores of it.
        warehouse: its folder, as for `connect`.

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


def _in_form(given: Arguments, form: NormalForm | None) -> Arguments:
    if form is None:
        return given
    check_option("unicode", form, FORMS, TextsError)
    return given.each(lambda text: in_form(text, form))


def _check_texts(given: Arguments, language: str | None, *, force: bool) -> None:
    """Raise TextsError if texts look wrong; only warn with `force`."""
    outputs, sources, references = given
    if not any(outputs.values()):
        return
    columns = zip_longest(*references or ())
    suspicions = check_scored(
        None if sources is None else Texts("sources", sources),
        [Texts(f"references {n} of each sentence", texts) for n, texts in enumerate(columns, 1)],
        [Texts(name, texts) for name, texts in outputs.items()],
        language,
        # One source for all hypotheses has no order.
        is_aligned=sources is None or len({*sources}) > 1,
    )
    findings = Findings()
    add_suspicions(suspicions, PYTHON, findings)
    if len(findings) and not force:
        raise TextsError(findings.as_text())
    for one in findings:
        warnings.warn(f"{one.place}: {one.found}", stacklevel=3)


def _warn_of_forms(given: Arguments) -> None:
    """Warn of texts that look like those of their references and are not equal to them."""
    texts = {"sources": given.sources or [], **given.outputs}
    counts = {
        name: n_in_another_form(listed, given.references or []) for name, listed in texts.items()
    }
    found = [f"{n} of {len(texts[name])} texts in {name}" for name, n in counts.items() if n]
    if found:
        warnings.warn(
            f"{', '.join(found)} are in another Unicode normal form than their references: what "
            "looks equal differs; unicode='NFC' brings all texts together",
            stacklevel=3,
        )


def _warn_of_blank_references(given: Arguments) -> None:
    """Warn of blank references of texts that are not blank, which delete the whole sentence."""
    references = given.references or []
    sources = given.sources or ["text"] * len(references)
    blank = [
        not text.strip()
        # Lengths that differ are said later.
        for source, texts in zip(sources, references, strict=False)
        if source.strip()
        for text in texts
        if text is not None
    ]
    if any(blank):
        warnings.warn(
            f"{sum(blank)} of {len(blank)} references are blank and read as deletion of the "
            "sentence; where they mean that there is no reference, give None",
            stacklevel=3,
        )


def _language(tag: str) -> str:
    try:
        return canonical_tag(str(tag))
    except ValueError as error:
        raise TextsError(f"language: found {tag!r}; expected {error}") from None


def _warehouse(folder: str | Path | None) -> Warehouse:
    return find_warehouse() if folder is None else Warehouse(Path(folder))
