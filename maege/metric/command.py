"""The commands for metrics of the user's own: maege metric ..."""

import math
import os
from dataclasses import asdict, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from maege.commands.outcome import FAILED, AsJson, argument, failures, option, print_json
from maege.ingest.findings import BadInputError, Findings
from maege.ingest.warehouse import WarehouseError, find_warehouse
from maege.metric.add import (
    JUDGE,
    UNCHANGED,
    Draws,
    Parameters,
    Python,
    Reads,
    SampleSentences,
    Seconds,
    add,
    file_to_write,
    metrics_path,
    own_metrics,
    parameters_of,
)
from maege.names import did_you_mean

if TYPE_CHECKING:
    from maege.analysis.metrics.own.declared import OwnMetric

metric = typer.Typer(
    no_args_is_help=True,
    rich_markup_mode=None,
    help="Try your own metric, or add it: then it is scored and evaluated like the built-in ones.",
)
Name = Annotated[str, argument("A metric of metrics.yml.", "NAME")]


metric.command()(add)


@metric.command("try")
def try_it(
    target: Annotated[str, argument("Or the name of a metric of metrics.yml.", "MODULE:OBJECT")],
    parameter: Parameters = None,
    inputs: Reads = None,
    python: Python = None,
    sample: Annotated[int, option("How many inputs are scored.", "N", min=1)] = 128,
    seconds: Seconds = None,
    sample_sentences: SampleSentences = None,
    draws: Draws = None,
    budget: Annotated[
        float | None,
        option("Estimate how many sentences this amount of US dollars pays for.", "USD", min=0),
    ] = None,
    hours: Annotated[
        float | None, option("Estimate how many sentences can be scored in this time.", "N", min=0)
    ] = None,
    force: Annotated[bool, option("Use corpora whose texts look wrong.", None, "--force")] = False,
    as_json: AsJson = False,
) -> None:
    """Score a few inputs of the last build, and estimate the cost of all of them.

    Without a build the inputs come from the sample in the package. They are the same in each trial,
    and no score is kept. Exit code 1 if the metric fails at every input.

    The command prints set-up time, speed, memory, the range of scores, failures, and differences
    between scores computed alone and in a batch. For each corpus it prints the number of inputs and
    the hours, and tokens and price if the class estimates them. They depend on the options for
    sentences and draws; their default for a metric of metrics.yml is in that file.

    \b
    Examples:
      maege metric try mypackage.module:Metric --parameter folder=impara-qe
      maege metric try mypackage.module:score --inputs source,hypothesis --sample 32
      maege metric try mymetric
      maege metric try mymetric --sample-sentences 130 --draws 2
      maege metric try judge --budget 5 --hours 2
    """  # noqa: D301 - click reads the \b
    from maege.metric.asked_inputs import Choice, Limits, choice_of
    from maege.metric.trial import Options, hosting_to_try, shown, try_metric

    with failures(as_json, "Nothing was kept."):
        path = metrics_path()
        hosting = hosting_to_try(target, parameters_of(parameter or []), inputs, python, path)
        definition = own_metrics(path).get(target)
        declared = choice_of(definition) if definition else Choice()
        options = Options(
            sample=sample,
            workers=os.cpu_count() or 1,
            seconds=seconds,
            choice=replace(
                declared,
                sample_sentences=sample_sentences or declared.sample_sentences,
                draws=draws or declared.draws,
            ),
            limits=Limits(
                math.inf if budget is None else budget, math.inf if hours is None else hours
            ),
            force=force,
        )
        trial = try_metric(hosting, find_warehouse(), options)
    if as_json:
        print_json(trial.as_dict())
    else:
        typer.echo("\n".join(shown(trial)))
    if trial.failed:
        raise typer.Exit(FAILED)


@metric.command("list")
def list_metrics(as_json: AsJson = False) -> None:
    """Show the metrics of metrics.yml.

    \b
    Examples:
      maege metric list
    """  # noqa: D301 - click reads the \b
    path = metrics_path()
    with failures(as_json, UNCHANGED):
        metrics = own_metrics(path)
    if as_json:
        print_json({name: entry.model_dump(mode="json") for name, entry in metrics.items()})
        return
    if not metrics:
        typer.echo(f"{path} has no metrics. To register one: maege metric add --help")
        return
    from rich.table import Table

    from maege.terminal import Terminal

    table = Table(box=None, pad_edge=False)
    for column in ("metric", "reads", "better", "scored by"):
        table.add_column(column)
    for name, entry in metrics.items():
        better = "higher" if entry.higher_is_better else "lower"
        scored_by = entry.function or entry.metric_class or entry.language_model or "file"
        table.add_row(name, ", ".join(entry.inputs), better, scored_by)
    Terminal().print(table)


@metric.command()
def remove(name: Name) -> None:
    """Remove a metric from metrics.yml; the next maege build removes it from the marts.

    Scores loaded from files are deleted. Scores of functions stay in the cache.

    \b
    Examples:
      maege metric remove mymetric
    """  # noqa: D301 - click reads the \b
    from maege.analysis.stored.stops import forget_stop
    from maege.metric.file import write_own_metrics
    from maege.metric.scores import forget_scores

    path = file_to_write()
    with failures(as_json=False, reassurance=UNCHANGED):
        metrics = own_metrics(path)
        removed = _find_metric(name, metrics)
        warehouse = find_warehouse()
        n_scores = forget_scores(warehouse, name) if removed.by_file else 0
        forget_stop(name, warehouse.folder)
        write_own_metrics(path, {key: value for key, value in metrics.items() if key != name})
    scores = f", and its {n_scores:,} scores from the warehouse" if n_scores else ""
    typer.echo(f"{name} removed from {path}{scores}.\nNext: maege build")


@metric.command()
def retry(name: Name) -> None:
    """Retry the inputs at which a function failed, in the next dbt build.

    Without this command, builds retry them only if the function's module or definition changes.
    For a judge, requests that the provider answered with an error are sent again, too.

    \b
    Examples:
      maege metric retry mymetric && dbt build && maege publish
    """  # noqa: D301 - click reads the \b
    from maege.metric.scores import forget_failures

    with failures(as_json=False, reassurance="Nothing was changed."):
        definition = _find_metric(name, own_metrics(metrics_path()))
        n_failures = forget_failures(find_warehouse(), name)
        if definition.metric_class == JUDGE:
            from maege.metric.scores import forget_errors

            forget_errors(name, definition)
    next_step = "\nNext: dbt build && maege publish" if n_failures else ""
    typer.echo(f"{name}: {n_failures:,} failed inputs will be tried again.{next_step}")


@metric.command()
def batch(
    name: Name,
    out: Annotated[Path, option("Its name ends in .jsonl.", "FILE")],
    as_json: AsJson = False,
) -> None:
    """Write the requests that the next build would send to a judge, for a batch endpoint.

    The file has a line per request, in the format of OpenAI-compatible endpoints; no API key is
    needed. The inputs are those of the last build. Requests with an answer are excluded; those
    answered with an error or without a score are written again. If all requests have answers, a
    build sends none.

    \b
    Examples:
      maege metric batch judge --out requests.jsonl
    """  # noqa: D301 - click reads the \b
    from maege.metric.scores import write_batch

    if out.suffix != ".jsonl":
        raise typer.BadParameter("a file that ends in .jsonl", param_hint="--out")
    with failures(as_json, "Nothing was written."):
        written = write_batch(find_warehouse(), name, _judge(name), out)
    if as_json:
        print_json({"path": str(out) if written.requests else None, **asdict(written)})
    elif not written.requests:
        typer.echo(f"{name}: all requests have answers, so no file was written.\nNext: maege build")
    else:
        cost = written.cost
        typer.echo(
            f"Requests written to {out}: {written.requests:,}, of which {written.written_before:,} "
            f"were written before; about {cost.prompt_tokens / 1e6:.2f} M input tokens and "
            f"{cost.completion_tokens / 1e6:.2f} M output tokens, {cost.usd:,.2f} USD.\n"
            f"Next: send the file to the provider, then maege metric answers {name} FILE"
        )


@metric.command()
def answers(
    name: Name,
    files: Annotated[
        list[Path], argument("Files of the provider with answers or errors.", "FILE...")
    ],
    as_json: AsJson = False,
) -> None:
    """Load a provider's answers to the requests of maege metric batch.

    The next build reads the scores from them and needs no API key. Errors are stored, too: their
    inputs have no score and are listed in metric_failures. If a line is not an answer to such a
    request, it is reported, and nothing is stored (exit code 2).

    \b
    Examples:
      maege metric answers judge answers.jsonl
      maege metric answers judge answers.jsonl errors.jsonl
    """  # noqa: D301 - click reads the \b
    from maege.metric.scores import read_answers

    with failures(as_json, "The stored answers are unchanged."):
        result = read_answers(name, _judge(name), files)
    if as_json:
        print_json({**asdict(result), "findings": []})
        return
    example = f", such as {result.example}" if result.example else ""
    typer.echo(
        f"{name}: answers stored: {result.answers:,}; errors: {result.errors:,}{example}; "
        f"requests without an answer: {result.unanswered:,}.\n"
        f"Next: maege build; or for the remaining requests: maege metric batch {name} --out FILE"
    )


@metric.command()
def requests(
    name: Name,
    out: Annotated[Path, option("File to write, ending in .parquet, .jsonl or .csv.", "FILE")],
    as_json: AsJson = False,
) -> None:
    """Write the inputs without a score, for a metric that is computed elsewhere.

    Ids are hashes of the inputs, so that they are the same in every warehouse and build.

    \b
    Examples:
      maege metric requests neural --out requests.jsonl
      maege metric requests neural --out requests.parquet
    """  # noqa: D301 - click reads the \b
    from maege.metric.scores import FORMATS, write_requests

    if out.suffix not in FORMATS:
        raise typer.BadParameter(f"a file that ends in {', '.join(FORMATS)}", param_hint="--out")
    with failures(as_json, "Nothing was written."):
        n_requests = write_requests(find_warehouse(), name, _by_file(name), out)
    if as_json:
        print_json({"path": str(out), "requests": n_requests})
    elif n_requests:
        typer.echo(f"{n_requests:,} inputs written to {out}.\nNext: maege metric load {name} FILE")
    else:
        typer.echo(f"{n_requests} inputs written to {out}: {name} has a score for every input.")


@metric.command("load")
def load_file(
    name: Name,
    file: Annotated[Path, argument("Columns id, score; .parquet, .jsonl or .csv.", "FILE")],
    partial: Annotated[
        bool, option("Accept that some inputs have no score.", None, "--partial")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Load scores that were computed elsewhere; the next maege build uses them.

    New scores replace old ones. Missing, repeated and unknown ids and scores that are not numbers
    are reported, and nothing is loaded then (exit code 2).

    \b
    Examples:
      maege metric load neural scores.csv
      maege metric load neural first_half.jsonl --partial
    """  # noqa: D301 - click reads the \b
    from maege.metric.scores import load_scores

    with failures(as_json, "The scores are as before."):
        _by_file(name)
        loaded = load_scores(find_warehouse(), name, file, partial=partial)
    if as_json:
        print_json({**loaded.__dict__, "findings": []})
    else:
        typer.echo(
            f"{loaded.metric}: {loaded.loaded:,} scores loaded; {loaded.scored:,} of "
            f"{loaded.requested:,} inputs have a score.\nNext: maege build"
        )


def _find_metric(name: str, metrics: "dict[str, OwnMetric]") -> "OwnMetric":
    if name not in metrics:
        near = did_you_mean(name, metrics)
        raise WarehouseError(
            f"{metrics_path()} has no metric {name}; it has: {', '.join(metrics) or 'none'}. {near}"
        )
    return metrics[name]


def _judge(name: str) -> "OwnMetric":
    return _scored(name, "--judge", "Name a judge; maege metric list shows them.")


def _by_file(name: str) -> "OwnMetric":
    remedy = (
        f"Run maege build, which scores it; or maege metric remove {name}, then maege metric add "
        "--file."
    )
    return _scored(name, "--file", remedy)


def _scored(name: str, option: str, remedy: str) -> "OwnMetric":
    path = metrics_path()
    definition = _find_metric(name, own_metrics(path))
    if definition.metric_class == JUDGE if option == "--judge" else definition.by_file:
        return definition
    if definition.language_model is not None:
        kind = "language model"
    elif definition.by_file:
        kind = "scores by file"
    elif definition.function:
        kind = f"function {definition.function}"
    else:
        kind = f"class {definition.metric_class}"
    findings = Findings()
    expected = f"a metric that was added with {option}"
    findings.add(str(path), 0, f"the {kind} for {name}", expected, remedy)
    raise BadInputError(findings)
