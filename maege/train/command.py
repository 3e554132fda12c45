"""The command `maege train grammaticality`."""

from dataclasses import asdict
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from maege.analysis.languagetool.installation import INSTALL, SERVER_VERSION
from maege.commands.outcome import AsJson, failures, option, print_json
from maege.ingest.warehouse import WarehouseError, find_warehouse


class LanguageTool(StrEnum):
    """The versions that a model can be trained with."""

    CURRENT = SERVER_VERSION
    OF_THE_PAPER = "3.7"


train = typer.Typer(
    no_args_is_help=True,
    rich_markup_mode=None,
    help="Train a metric on data that may not be redistributed.",
)


@train.command()
def grammaticality(
    gug: Annotated[Path, option("Folder with gug_annotations.tsv.", "DIR")],
    languagetool: Annotated[
        LanguageTool | None,
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
    from maege.analysis.metrics.gug.score import ERROR_FEATURES
    from maege.analysis.metrics.languagetool import GRAMMAR_METRICS
    from maege.analysis.metrics.own.declared import find_metrics_file
    from maege.metric.file import languagetool_in
    from maege.train.grammaticality import train_grammaticality

    version = languagetool or LanguageTool.CURRENT
    by = next(by for by in ERROR_FEATURES if GRAMMAR_METRICS[by].languagetool == version.value)
    missing = GRAMMAR_METRICS[by].missing
    with failures(as_json, "The stored coefficients are unchanged."):
        if missing and languagetool and not without_languagetool:
            raise WarehouseError(f"{missing.reason}: {INSTALL}, then repeat the command")
        if not missing and not languagetool and not languagetool_in(find_metrics_file()):
            missing = GRAMMAR_METRICS[by].unselected
        trained = train_grammaticality(
            find_warehouse(), gug, None if missing or without_languagetool else by
        )
    errors_by, test = trained.model.errors_by, trained.test
    if as_json:
        print_json(
            {
                "sentences": trained.sentences,
                "languagetool": errors_by is not None,
                "errors_by": errors_by,
                "test": asdict(test),
                "coefficients": trained.model.coefficients,
            }
        )
        return
    errors = "with" if errors_by else "without"
    why = f" ({missing.reason})" if missing and not without_languagetool else ""
    typer.echo(f"Trained on {trained.sentences:,} sentences, {errors} LanguageTool's errors{why}.")
    typer.echo(
        f"Test part, {test.sentences:,} sentences: accuracy {test.accuracy:.3f} (the larger class "
        f"{test.larger_class:.3f}), r with the average judgment {test.pearson_r:.3f}"
    )
    typer.echo("Next: maege build")
