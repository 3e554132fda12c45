"""The commands for metrics of the user's own: maege metric ..."""

from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from maege.commands.outcome import FAILED, AsJson, argument, failures, option, print_json
from maege.ingest.findings import BadInputError, Findings
from maege.ingest.warehouse import find_warehouse

metric = typer.Typer(
    no_args_is_help=True,
    rich_markup_mode=None,
    help="Check and try your own metrics. A metric in metrics.yml is scored and evaluated like the "
    "built-in ones; docs/your-metric.md has an entry to copy for each kind.",
)
Name = Annotated[str, argument("A metric of metrics.yml.", "NAME")]


@metric.command()
def check(as_json: AsJson = False) -> None:
    """Show the metrics of metrics.yml, and whether each is valid and available.

    Each fault of the file is reported with its line (exit code 2). The exit code is 1 if a function
    cannot be imported, a class cannot be created, or a language model cannot be read.

    \b
    Entries of metrics.yml are, for example:
      metrics:
        overlap: {function: module:score, inputs: [hypothesis, references]}
        impara: {metric_class: module:Class, parameters: {folder: impara-qe}}
        elsewhere: {inputs: [source, hypothesis]}

    \b
    Examples:
      maege metric check
    """  # noqa: D301 - click reads the \b
    # Imported late, as in the other commands: these imports take longer than most commands.
    from maege.analysis.metrics.own.declared import find_metrics_file
    from maege.metric.file import PAGE, check_metrics, scored_by

    path = find_metrics_file()
    with failures(as_json, f"Correct {path}, then repeat the command."):
        metrics = check_metrics(find_warehouse())
    is_available = not any(entry["problem"] for entry in metrics.values())
    if as_json:
        print_json(metrics)
    else:
        for name, entry in metrics.items():
            typer.echo(
                f"{name}: {'not available' if entry['problem'] else 'available'}; scored by "
                f"{scored_by(entry)}; reads {', '.join(entry['inputs']) or 'unknown inputs'}; "
                f"{'higher' if entry['higher_is_better'] else 'lower'} is better"
            )
            for text in filter(None, (entry["problem"], entry["notice"])):
                typer.echo(f"  {text}")
        if not metrics:
            typer.echo(f"{path} has no metrics. {PAGE} shows how to add one.")
        elif is_available:
            typer.echo("Next: maege metric try NAME, or maege build")
    if not is_available:
        raise typer.Exit(FAILED)


@metric.command("try")
def try_it(
    name: Name,
    sample: Annotated[int, option("How many inputs are scored.", "N", min=1)] = 128,
    as_json: AsJson = False,
) -> None:
    """Score a few inputs of the last build, and estimate the cost of all of them.

    Without a build the inputs come from the sample in the package. They are the same in each trial,
    and no score is kept. Exit code 1 if the metric fails at every input.

    The command prints set-up time, speed, memory, the range of scores, failures, and differences
    between scores computed alone and in a batch. For each corpus it prints the number of inputs and
    the hours, and tokens and price if the class estimates them. They depend on sample_sentences and
    draws in metrics.yml.

    \b
    Examples:
      maege metric try mymetric
      maege metric try mymetric --sample 32
    """  # noqa: D301 - click reads the \b
    from maege.metric.file import find_metric
    from maege.metric.trial import shown, try_metric

    with failures(as_json, "Nothing was kept."):
        trial = try_metric(name, find_metric(name, "code"), find_warehouse(), sample)
    if as_json:
        print_json(trial)
    else:
        typer.echo("\n".join(shown(trial)))
    if trial["n_missing"] == trial["n_tried"]:
        raise typer.Exit(FAILED)


@metric.command()
def retry(name: Name) -> None:
    """Retry the inputs at which a function or class failed, in the next dbt build.

    Without this command, builds retry them only if the module or the entry in metrics.yml changes.
    For a judge, requests that the provider answered with an error are sent again, too. For a metric
    by file, the loaded scores are deleted.

    \b
    Examples:
      maege metric retry mymetric && dbt build && maege publish
    """  # noqa: D301 - click reads the \b
    from maege.metric.batches import forget_errors
    from maege.metric.file import JUDGE, find_metric
    from maege.metric.scores import forget_failures, forget_scores

    with failures(as_json=False, reassurance="Nothing was changed."):
        definition = find_metric(name)
        forget = forget_scores if definition.by_file else forget_failures
        n_forgotten = forget(find_warehouse(), name)
        if definition.metric_class == JUDGE:
            forget_errors(name, definition)
    if definition.by_file:
        typer.echo(f"{name}: {n_forgotten:,} loaded scores were deleted.\nNext: maege build")
    else:
        next_step = "\nNext: dbt build && maege publish" if n_forgotten else ""
        typer.echo(f"{name}: {n_forgotten:,} failed inputs will be tried again.{next_step}")


@metric.command()
def unigrams(
    folder: Annotated[Path, argument("Folder of a model that transformers saved.", "FOLDER")],
    text: Annotated[
        Path,
        argument("Text with one sentence per line.", "TEXT", exists=True, dir_okay=False),
    ],
) -> None:
    """Count a transformer's tokens in a text, once, before it scores fluency.

    The counts are written to unigrams.tsv in the folder. The text should resemble the texts to
    score.

    \b
    Examples:
      maege metric unigrams gpt2 news.txt
    """  # noqa: D301 - click reads the \b
    from maege.analysis.metrics.fluency import missing_reader
    from maege.analysis.metrics.language_models import count_unigrams
    from maege.analysis.metrics.model_files import ModelFileError
    from maege.ingest.reading import read_text
    from maege.ingest.warehouse import WarehouseError

    findings = Findings()
    with failures(as_json=False, reassurance="Nothing was written."):
        if missing := missing_reader(folder):
            raise WarehouseError(f"{missing.reason}; {missing.remedy}")
        lines = read_text(text, findings)
        if lines is None:
            raise BadInputError(findings)
        try:
            n_tokens = count_unigrams(folder, lines.lines)
        except (ModelFileError, OSError) as error:
            raise WarehouseError(str(error)) from None
    typer.echo(f"{n_tokens:,} tokens counted.\nNext: maege metric check")


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
    from maege.metric.batches import write_batch
    from maege.metric.file import find_metric

    if out.suffix != ".jsonl":
        raise typer.BadParameter("a file that ends in .jsonl", param_hint="--out")
    with failures(as_json, "Nothing was written."):
        written = write_batch(find_warehouse(), name, find_metric(name, "judge"), out)
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
    from maege.metric.batches import read_answers
    from maege.metric.file import find_metric

    with failures(as_json, "The stored answers are unchanged."):
        result = read_answers(name, find_metric(name, "judge"), files)
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
    from maege.metric.file import find_metric
    from maege.metric.scores import FORMATS, write_requests

    if out.suffix not in FORMATS:
        raise typer.BadParameter(f"a file that ends in {', '.join(FORMATS)}", param_hint="--out")
    with failures(as_json, "Nothing was written."):
        n_requests = write_requests(find_warehouse(), name, find_metric(name, "file"), out)
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
    from maege.metric.file import find_metric
    from maege.metric.scores import load_scores

    with failures(as_json, "The scores are as before."):
        find_metric(name, "file")
        loaded = load_scores(find_warehouse(), name, file, partial=partial)
    if as_json:
        print_json({**asdict(loaded), "findings": []})
    else:
        typer.echo(
            f"{loaded.metric}: {loaded.loaded:,} scores loaded; {loaded.scored:,} of "
            f"{loaded.requested:,} inputs have a score.\nNext: maege build"
        )
