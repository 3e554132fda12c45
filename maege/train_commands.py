"""The command `maege train grammaticality`."""

from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from ingest.warehouse import find_warehouse
from maege.outcome import failures, print_json

train = typer.Typer(
    no_args_is_help=True,
    rich_markup_mode=None,
    help="Train a metric on data of your own, which may not be passed on.",
)


@train.callback()
def _commands() -> None:
    """Keep `grammaticality` a command of its own while it is the only one."""


@train.command()
def grammaticality(
    gug: Annotated[
        Path, typer.Option(metavar="DIR", help="The folder that has gug_annotations.tsv.")
    ],
    without_languagetool: Annotated[
        bool,
        typer.Option(
            "--without-languagetool", help="Leave out its errors, where it is installed, too."
        ),
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print the answer as JSON.")] = False,
) -> None:
    """Train the metric grammaticality_gug on GUG, and say how it does on the test part.

    A logistic regression over misspellings, a language model, and the errors of LanguageTool 6.6
    where that is installed. Some seconds, and a minute for LanguageTool. The coefficients stay in
    the warehouse; another training replaces them.

    \b
    Examples:
      maege train grammaticality --gug ../gug-data && dbt build
      maege train grammaticality --gug ../gug-data --without-languagetool --json
    """  # noqa: D301 - click reads the \b
    # Only here, because these imports take longer than most commands.
    from analysis.metrics.languagetool import GRAMMAR_METRICS
    from maege.training import train_grammaticality

    missing = GRAMMAR_METRICS["lt"].missing
    with failures(as_json, "The coefficients are as before."):
        trained = train_grammaticality(
            find_warehouse(), gug, with_errors=missing is None and not without_languagetool
        )
    reads_errors, test = trained.model.reads_errors, trained.test
    if as_json:
        print_json(
            {
                "sentences": trained.sentences,
                "languagetool": reads_errors,
                "test": asdict(test),
                "coefficients": trained.model.coefficients,
            }
        )
        return
    errors = "with" if reads_errors else "without"
    why = f" ({missing.reason})" if missing and not without_languagetool else ""
    typer.echo(f"Trained on {trained.sentences:,} sentences, {errors} LanguageTool's errors{why}.")
    typer.echo(
        f"Test part, {test.sentences:,} sentences: accuracy {test.accuracy:.3f} (the larger class "
        f"{test.larger_class:.3f}), r with the average judgement {test.pearson_r:.3f}"
    )
    typer.echo("Next: dbt build")
