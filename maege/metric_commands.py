"""The commands for metrics of the user's own: metric add, list, remove, retry; requests; scores."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from maege.ingest.findings import BadInputError, Findings
from maege.ingest.warehouse import WarehouseError, find_warehouse
from maege.outcome import fail, failures, print_json, refuse

if TYPE_CHECKING:
    from maege.analysis.metrics.own.declared import OwnMetric
    from maege.own_scores import Loaded

metric = typer.Typer(
    no_args_is_help=True,
    rich_markup_mode=None,
    help="Have a metric of your own scored and judged like the built-in ones.",
)
AsJson = Annotated[bool, typer.Option("--json", help="Print the answer as JSON.")]
Name = Annotated[str, typer.Argument(metavar="NAME", help="A metric of metrics.yml.")]
UNCHANGED = "metrics.yml is as before."


@metric.command()
def add(
    name: Annotated[str, typer.Option(metavar="NAME", help="What the marts will call it.")],
    inputs: Annotated[
        str | None,
        typer.Option(
            metavar="LIST",
            help="What it reads: some of source,hypothesis,references. A language model: nothing "
            "but the hypothesis.",
        ),
    ] = None,
    function: Annotated[
        str | None,
        typer.Argument(metavar="[MODULE:FUNCTION]", help="Where Python finds it."),
    ] = None,
    by_file: Annotated[
        bool, typer.Option("--file", help="Scored elsewhere: maege requests, maege scores.")
    ] = False,
    language_model: Annotated[
        Path | None,
        typer.Option(
            metavar="PATH",
            help="Fluency by this model: an ARPA file, a KenLM binary, or a folder that "
            "transformers saved.",
        ),
    ] = None,
    lower: Annotated[
        bool, typer.Option("--lower", help="Give the language model texts in lower case.")
    ] = False,
    unigrams: Annotated[
        Path | None,
        typer.Option(
            metavar="TEXT",
            exists=True,
            dir_okay=False,
            help="For a transformer, once: a text, one sentence a line, whose tokens are counted "
            "into unigrams.tsv in its folder.",
        ),
    ] = None,
    batch: Annotated[
        bool, typer.Option("--batch", help="The function is given lists and returns a list.")
    ] = False,
    lower_is_better: Annotated[
        bool, typer.Option("--lower-is-better", help="Such as a count of errors.")
    ] = False,
    parameter: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME=VALUE",
            help="Given to the function as text, by name, and kept in the signature: a change "
            "rescores.",
        ),
    ] = None,
    seconds: Annotated[
        float,
        typer.Option(
            metavar="N", min=0.001, help="What a call may take; what takes longer is a failure."
        ),
    ] = 60,
    languages: Annotated[
        str | None,
        typer.Option(
            metavar="TAG,...", help="Languages that it can read, as in manifests; any, if left out."
        ),
    ] = None,
    version: Annotated[
        str, typer.Option(metavar="TEXT", help="Change it where other code that it calls changed.")
    ] = "1",
) -> None:
    """Register a metric in metrics.yml; the next maege build scores it, with no variable to set.

    The function is called with the inputs that it reads as keyword arguments:
    score(source=..., hypothesis=..., references=[...]) returns a number. With --batch each is a
    list with one entry a call, and it returns a list. The module is imported by name: from an
    installed package, or from beside metrics.yml. metrics.yml stands beside dbt_project.yml, or
    where MAEGE_METRICS says.

    A language model is read whole and named by its SHA-256. KenLM binaries take the package kenlm,
    folders torch and transformers.

    \b
    Examples:
      maege metric add mypackage.module:score --name mymetric --inputs source,hypothesis
      maege metric add --file --name neural --inputs hypothesis,references
      maege metric add --language-model news.arpa --lower --name fluency_news
      maege metric add --language-model gpt2 --unigrams news.txt --name fluency_gpt2
      maege metric add maege.analysis.metrics.own.comparison:sacrebleu --name sacrebleu \\
          --inputs hypothesis,references
    """  # noqa: D301 - click reads the \b
    from maege.analysis.metrics.own.functions import (
        FunctionError,
        check_arguments,
        load_function,
        search_folders,
    )
    from maege.metrics_file import parse_own_metric, write_own_metrics
    from maege.own_scores import ingested_metrics

    if sum((function is not None, by_file, language_model is not None)) != 1:
        raise typer.BadParameter("give one of MODULE:FUNCTION, --file and --language-model")
    if language_model is None and inputs is None:
        raise typer.BadParameter("give what the metric reads", param_hint="--inputs")
    if unigrams is not None and (language_model is None or not language_model.is_dir()):
        raise typer.BadParameter("only a transformer's folder takes it", param_hint="--unigrams")
    path = _metrics_file()
    with failures(as_json=False, reassurance=UNCHANGED):
        metrics = _own_metrics(path)
        model = _declared_model(language_model, unigrams, path) if language_model else {}
        added = parse_own_metric(
            name,
            {
                "function": function,
                "inputs": [part.strip() for part in (inputs or "hypothesis").split(",")],
                "batch": batch,
                "higher_is_better": not lower_is_better,
                "version": version,
                "seconds": seconds,
                "parameters": _parameters(parameter or []),
                "languages": [tag.strip() for tag in languages.split(",")] if languages else [],
                **model,
                "lower": lower,
            },
        )
        if name in metrics:
            fail(f"{path} has {name} already. To replace it: maege metric remove {name}", False)
        if corpus := ingested_metrics(find_warehouse()).get(name):
            fail(f"Corpus {corpus} brings sentence scores of {name}. Choose another name.", False)
        if added.function is not None:
            try:
                called = load_function(added.function, search_folders(path))
                check_arguments(called, added.arguments)
            except FunctionError as error:
                fail(f"{added.function}: {error}\n{UNCHANGED}", False)
        write_own_metrics(path, {**metrics, name: added})
    typer.echo(f"{name} added to {path}.")
    if added.by_file:
        typer.echo(f"Next: maege build, then maege requests {name} --out requests.jsonl")
    else:
        typer.echo("Next: maege build")


@metric.command("list")
def list_metrics(as_json: AsJson = False) -> None:
    """Show the metrics of metrics.yml.

    \b
    Examples:
      maege metric list
    """  # noqa: D301 - click reads the \b
    path = _found_file()
    with failures(as_json, UNCHANGED):
        metrics = _own_metrics(path)
    if as_json:
        print_json({name: entry.model_dump(mode="json") for name, entry in metrics.items()})
        return
    if not metrics:
        typer.echo(f"{path} has no metrics. To register one: maege metric add --help")
        return
    from rich.console import Console
    from rich.table import Table

    table = Table(box=None, pad_edge=False)
    for column in ("metric", "reads", "better", "scored by"):
        table.add_column(column)
    for name, entry in metrics.items():
        better = "higher" if entry.higher_is_better else "lower"
        scored_by = entry.function or entry.language_model or "file"
        table.add_row(name, ", ".join(entry.inputs), better, scored_by)
    Console(highlight=False, markup=False).print(table)


@metric.command()
def remove(name: Name) -> None:
    """Take a metric out of metrics.yml; the next maege build leaves it out of the marts.

    Scores that came by file are deleted. What a function scored stays in the cache.

    \b
    Examples:
      maege metric remove mymetric
    """  # noqa: D301 - click reads the \b
    from maege.metrics_file import write_own_metrics
    from maege.own_scores import forget_scores

    path = _metrics_file()
    with failures(as_json=False, reassurance=UNCHANGED):
        metrics = _own_metrics(path)
        removed = _known(name, metrics)
        n_scores = forget_scores(find_warehouse(), name) if removed.by_file else 0
        write_own_metrics(path, {key: value for key, value in metrics.items() if key != name})
    scores = f", and its {n_scores:,} scores from the warehouse" if n_scores else ""
    typer.echo(f"{name} removed from {path}{scores}.\nNext: maege build")


@metric.command()
def retry(name: Name) -> None:
    """Have the next dbt build call a function again for the inputs that it failed at.

    Otherwise these are tried again only when the function's module or definition changes.

    \b
    Examples:
      maege metric retry mymetric && dbt build && maege publish
    """  # noqa: D301 - click reads the \b
    from maege.own_scores import forget_failures

    with failures(as_json=False, reassurance="Nothing was changed."):
        _known(name, _own_metrics(_found_file()))
        n_failures = forget_failures(find_warehouse(), name)
    next_step = "\nNext: dbt build && maege publish" if n_failures else ""
    typer.echo(f"{name}: {n_failures:,} failed inputs will be tried again.{next_step}")


def requests(
    name: Name,
    out: Annotated[Path, typer.Option(metavar="FILE", help="Ends in .parquet, .jsonl or .csv.")],
    as_json: AsJson = False,
) -> None:
    """Write the inputs of a metric by file that lack a score, each once, with ids.

    Ids are made from the content of the inputs: the same in every warehouse and build.

    \b
    Examples:
      maege requests neural --out requests.jsonl
      maege requests neural --out requests.parquet
    """  # noqa: D301 - click reads the \b
    from maege.own_scores import FORMATS, write_requests

    if out.suffix not in FORMATS:
        raise typer.BadParameter(f"a file that ends in {', '.join(FORMATS)}", param_hint="--out")
    with failures(as_json, "Nothing was written."):
        n_requests = write_requests(find_warehouse(), name, _by_file(name), out)
    if as_json:
        print_json({"path": str(out), "requests": n_requests})
    elif n_requests:
        typer.echo(f"{n_requests:,} inputs written to {out}.\nNext: maege scores {name} FILE")
    else:
        typer.echo(f"{n_requests} inputs written to {out}: {name} has all of its scores.")


def scores(
    name: Name,
    file: Annotated[
        Path, typer.Argument(metavar="FILE", help="Columns id, score; .parquet, .jsonl or .csv.")
    ],
    partial: Annotated[
        bool, typer.Option("--partial", help="Accept that inputs are left without a score.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Load scores that were made elsewhere; the next maege build uses them.

    Scores that are there already are replaced. Ids that are missing, doubled or unknown, and scores
    that are no numbers are listed, and then nothing is loaded (exit code 2).

    \b
    Examples:
      maege scores neural scores.csv
      maege scores neural first_half.jsonl --partial
    """  # noqa: D301 - click reads the \b
    from maege.own_scores import load_scores

    with failures(as_json, "The scores are as before."):
        _by_file(name)
        loaded = load_scores(find_warehouse(), name, file, partial=partial)
    if as_json:
        print_json({**loaded.__dict__, "findings": []})
    else:
        _show_loaded(loaded)


def add_commands(app: typer.Typer) -> None:
    """Add these commands to the program."""
    app.add_typer(metric, name="metric")
    app.command()(requests)
    app.command()(scores)


def _show_loaded(loaded: "Loaded") -> None:
    typer.echo(
        f"{loaded.metric}: {loaded.loaded:,} scores loaded; {loaded.scored:,} of "
        f"{loaded.requested:,} inputs have one.\nNext: maege build"
    )


def _found_file() -> Path:
    """Return where metrics.yml is looked for."""
    from maege.analysis.metrics.own.declared import find_metrics_file

    return find_metrics_file()


def _own_metrics(path: Path) -> "dict[str, OwnMetric]":
    from maege.metrics_file import read_own_metrics

    return read_own_metrics(path)


def _metrics_file() -> Path:
    """Return the file to write, which stands where the build will look for it."""
    path = _found_file()
    if path == Path("metrics.yml") and not Path("dbt_project.yml").is_file():
        fail(
            "There is no dbt_project.yml here, so a build would not find metrics.yml. Change to "
            "the folder that has it, or name the file in MAEGE_METRICS.",
            as_json=False,
        )
    return path


def _parameters(given: list[str]) -> dict[str, str]:
    parameters: dict[str, str] = {}
    for text in given:
        key, equals, value = text.partition("=")
        if not equals or key in parameters:
            raise typer.BadParameter(f"{text!r}: expected NAME=VALUE, each name once")
        parameters[key] = value
    return parameters


def _declared_model(path: Path, unigrams: Path | None, metrics_file: Path) -> dict[str, object]:
    # Only here, because these imports take longer than most commands.
    from maege.analysis.metrics.referenceless.language_models import ModelFileError
    from maege.language_models import declared_model

    try:
        return declared_model(path, unigrams, metrics_file)
    except ModelFileError as error:
        refuse(f"{error}\n{UNCHANGED}")


def _known(name: str, metrics: "dict[str, OwnMetric]") -> "OwnMetric":
    if name not in metrics:
        raise WarehouseError(
            f"{_found_file()} has no metric {name}; it has: {', '.join(metrics) or 'none'}."
        )
    return metrics[name]


def _by_file(name: str) -> "OwnMetric":
    """Return the metric; raise BadInputError where its scores do not come by file."""
    path = _found_file()
    known = _known(name, _own_metrics(path))
    if not known.by_file:
        scored_by = f"function {known.function}" if known.function else "language model"
        findings = Findings()
        findings.add(
            str(path),
            0,
            f"the {scored_by} for {name}",
            "a metric that was added with --file",
            f"Run maege build, which scores it; or maege metric remove {name}, then "
            "maege metric add --file.",
        )
        raise BadInputError(findings)
    return known
