"""`maege train`: train grammaticality_gug on the user's own copy of GUG."""

from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from maege.analysis.languagetool.installation import INSTALL, SERVER_VERSION
from maege.commands.outcome import AsJson, failures, option, print_json
from maege.ingest.findings import BadInputError, Findings
from maege.ingest.warehouse import Warehouse, WarehouseError, find_warehouse, open_build

if TYPE_CHECKING:
    from maege.analysis.metrics.families import FloatArray
    from maege.analysis.metrics.gug import GugModel
    from maege.ingest.formats.scores import Judged


train = typer.Typer(
    no_args_is_help=True,
    rich_markup_mode=None,
    help="Train a metric on data that may not be redistributed.",
)


@train.command()
def grammaticality(
    gug: Annotated[Path, option("Folder with gug_annotations.tsv.", "DIR")],
    languagetool: Annotated[
        Literal["6.6", "3.7"] | None,
        option(
            "The version whose errors are among the features. Default: 6.6 if LanguageTool "
            "is enabled, otherwise none."
        ),
    ] = None,
    without_languagetool: Annotated[
        bool,
        option(
            "Exclude its errors even if LanguageTool is enabled.", None, "--without-languagetool"
        ),
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Train the metric grammaticality_gug on GUG, and evaluate it on the test part.

    The metric is a logistic regression. Its features are misspellings, scores of a language model,
    and the errors of LanguageTool if maege languagetool enable or --languagetool selects it.
    Training takes some seconds, and a minute with LanguageTool. The coefficients are stored in the
    warehouse and replace earlier ones. With errors of version 6.6 as features, builds also score
    lt; with those of 3.7, the version of the paper's year, they also score lt37.

    \b
    Examples:
      maege train grammaticality --gug ../gug-data && maege build
      maege train grammaticality --gug ../gug-data --languagetool 3.7
      maege train grammaticality --gug ../gug-data --without-languagetool --json
    """  # noqa: D301 - click reads the \b
    # Only here, because these imports take longer than most commands.
    import numpy as np

    from maege.analysis.metrics.gug import ERROR_FEATURES, GRAMMATICAL, NO_ENGLISH, evaluate
    from maege.analysis.metrics.gug import train as train_model
    from maege.analysis.metrics.languagetool import GRAMMAR_METRICS
    from maege.analysis.metrics.own.declared import find_metrics_file
    from maege.ingest.formats.scores import read_gug
    from maege.metric.file import read_metrics_file

    version = languagetool or SERVER_VERSION
    by = next(by for by in ERROR_FEATURES if GRAMMAR_METRICS[by].languagetool == version)
    missing = GRAMMAR_METRICS[by].missing
    with failures(as_json, "The stored coefficients are unchanged."):
        if missing and languagetool and not without_languagetool:
            raise WarehouseError(f"{missing.reason}: {INSTALL}, then repeat the command")
        is_enabled = languagetool or read_metrics_file(find_metrics_file()).languagetool
        if not missing and not is_enabled:
            missing = GRAMMAR_METRICS[by].unselected
        findings = Findings()
        sentences = read_gug(gug, findings)
        if len(findings):
            raise BadInputError(findings)
        features = _features(sentences, None if missing or without_languagetool else by)
        averages = np.array([sentence.average for sentence in sentences])
        is_test = np.array([sentence.part == "test" for sentence in sentences])
        experts = np.array([sentence.expert for sentence in sentences])
        chosen = ~is_test & (experts != NO_ENGLISH)
        model = train_model(
            {name: values[chosen] for name, values in features.items()},
            averages[chosen] >= GRAMMATICAL,
        )
        test = evaluate(
            model, {name: values[is_test] for name, values in features.items()}, averages[is_test]
        )
        _store(find_warehouse(), model)
    n_sentences, errors_by = int(chosen.sum()), model.errors_by
    if as_json:
        about = {"languagetool": errors_by is not None, "errors_by": errors_by}
        results = {"test": asdict(test), "coefficients": model.coefficients}
        print_json({"sentences": n_sentences, **about, **results})
        return
    errors = "with" if errors_by else "without"
    reason = f" ({missing.reason})" if missing and not without_languagetool else ""
    typer.echo(f"Trained on {n_sentences:,} sentences, {errors} LanguageTool's errors{reason}.")
    typer.echo(
        f"Test part, {test.sentences:,} sentences: accuracy {test.accuracy:.3f} (the larger class "
        f"{test.larger_class:.3f}), r with the average judgment {test.pearson_r:.3f}"
    )
    typer.echo("Next: maege build")


def _store(warehouse: Warehouse, model: "GugModel") -> None:
    from maege.ingest.raw_tables import record_change

    with open_build(warehouse, read_only=False) as connection:
        connection.execute("create schema if not exists raw")
        connection.execute(
            "create or replace table raw.grammaticality_coefficients as select "
            "unnest($1::varchar[]) as feature, unnest($2::double[]) as coefficient",
            [[*model.coefficients], [*model.coefficients.values()]],
        )
        record_change(connection)


def _features(sentences: "Sequence[Judged]", errors_by: str | None) -> "dict[str, FloatArray]":
    import numpy as np

    from maege.analysis.metrics import gug

    texts = gug.split([sentence.text for sentence in sentences])
    statistics = dict(zip(gug.STATISTICS, gug.load_reader().read(texts).T, strict=True))
    features: dict[str, FloatArray] = gug.text_features(statistics)
    if errors_by:
        errors = np.array(_errors(errors_by, [" ".join(tokens) for tokens in texts]), np.float64)
        n_tokens = statistics["tokens"]
        features |= gug.error_features(errors_by, 1 - errors / np.maximum(n_tokens, 1), n_tokens)
    return features


def _errors(by: str, texts: list[str]) -> list[int]:
    from maege.analysis.languagetool.checking import check_texts, workers_here
    from maege.analysis.languagetool.matches import LanguageToolError
    from maege.analysis.metrics.languagetool import GRAMMAR_METRICS

    metric, counts = GRAMMAR_METRICS[by], []
    version = metric.languagetool
    workers = workers_here(version, len(texts))
    try:
        for chunk in check_texts(version, texts, workers, disabled_rules=metric.disabled_rules):
            for checked in chunk:
                if checked.error is not None:
                    raise LanguageToolError(checked.error)
                counts.append(len(checked.matches))
    except LanguageToolError as error:
        raise WarehouseError(
            f"LanguageTool did not check the sentences: {error}. Repeat the command, or train "
            "without it: --without-languagetool"
        ) from error
    return counts
