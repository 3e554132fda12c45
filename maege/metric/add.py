"""`maege metric add`: writes a function, class, model or file of scores to metrics.yml."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from maege.commands.outcome import fail, failures, refuse
from maege.ingest.warehouse import find_warehouse

if TYPE_CHECKING:
    from maege.analysis.metrics.own.declared import OwnMetric

UNCHANGED = "metrics.yml is as before."
JUDGE = "maege.analysis.metrics.judge.judge:Judge"

# Options of `maege metric try` as well.
Reads = Annotated[
    str | None,
    typer.Option(
        metavar="LIST",
        help="What it reads: some of source,hypothesis,references. A class says so itself; a "
        "language model reads nothing but the hypothesis.",
    ),
]
Parameters = Annotated[
    list[str] | None,
    typer.Option(
        metavar="NAME=VALUE",
        help="Given to the function or class as text, by name, and kept in the signature: a change "
        "rescores.",
    ),
]
Seconds = Annotated[
    float | None,
    typer.Option(
        metavar="N",
        min=0.001,
        help="What a call may take; what takes longer is a failure. A function: 60, if left out; a "
        "class says so itself.",
    ),
]
SampleSentences = Annotated[
    int | None,
    typer.Option(
        metavar="N",
        min=1,
        help="For an expensive metric: score N sentences of each corpus only. A larger N "
        "later keeps the scores of a smaller one.",
    ),
]
Draws = Annotated[
    int | None,
    typer.Option(
        metavar="N",
        min=1,
        help="Score the first N draws of sampled corpora only. Default: all for a function, as "
        "many as for metrics that read edits for a class.",
    ),
]
Python = Annotated[
    Path | None,
    typer.Option(
        metavar="PATH", help="Another Python interpreter, which runs the class with its packages."
    ),
]


def add(
    name: Annotated[str, typer.Option(metavar="NAME", help="What the marts will call it.")],
    inputs: Reads = None,
    function: Annotated[
        str | None,
        typer.Argument(metavar="[MODULE:OBJECT]", help="Where Python finds the function or class."),
    ] = None,
    by_file: Annotated[
        bool,
        typer.Option("--file", help="Scored elsewhere: maege metric requests, maege metric load."),
    ] = False,
    language_model: Annotated[
        Path | None,
        typer.Option(
            metavar="PATH",
            help="Fluency by this model: an ARPA file, a KenLM binary, or a folder that "
            "transformers saved.",
        ),
    ] = None,
    judge: Annotated[
        str | None,
        typer.Option(
            metavar="MODEL", help="A model that scores by a prompt, with --base-url and --prompt."
        ),
    ] = None,
    base_url: Annotated[
        str | None,
        typer.Option(
            metavar="URL", help="Of a judge: its server, up to and without /chat/completions."
        ),
    ] = None,
    prompt: Annotated[
        str,
        typer.Option(
            metavar="NAME|FILE",
            help="Of a judge: kobayashi-s, kobayashi-s-fluency, kobayashi-e, dsgram, compare, or a "
            "text with {source}, {hypothesis}, {edits} or {references} in it, or with {other}, "
            "beside which the hypothesis is better or not.",
        ),
    ] = "kobayashi-s",
    price: Annotated[
        str | None,
        typer.Option(
            metavar="IN,OUT", help="Of a judge: US dollars for a million tokens sent and answered."
        ),
    ] = None,
    budget: Annotated[
        float | None,
        typer.Option(
            metavar="USD", min=0, help="Of a judge: after so many US dollars it asks no more."
        ),
    ] = None,
    yes: Annotated[
        bool, typer.Option("--yes", help="Of a judge elsewhere: no budget is needed.")
    ] = False,
    setting: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME=VALUE",
            help="Given to a class as parameters are, but no score depends on it: a change "
            "rescores nothing.",
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
    parameter: Parameters = None,
    seconds: Seconds = None,
    sample_sentences: SampleSentences = None,
    draws: Draws = None,
    python: Python = None,
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

    A function is called with the inputs that it reads as keyword arguments:
    score(source=..., hypothesis=..., references=[...]) returns a number. With --batch each is a
    list with one entry a call, and it returns a list. The module is imported by name: from an
    installed package, or from beside metrics.yml. metrics.yml stands beside dbt_project.yml, or
    where MAEGE_METRICS says.

    A class, such as one of maege.Metric, is set up once a process and called with batches of about
    one length; it says itself what it reads. All of it happens in processes of its own. To see
    first what it takes: maege metric try.

    A judge is asked at temperature 0 with a seed. Its key is taken from the environment
    (OPENAI_API_KEY, or --setting key_variable=NAME) and stands nowhere else. Whole answers are kept
    in judge_answers.sqlite of the warehouse; elsewhere than on this machine it needs a price and a
    budget, or --yes.

    A language model is read whole and named by its SHA-256. KenLM binaries take the package kenlm,
    folders torch and transformers.

    \b
    Examples:
      maege metric add mypackage.module:score --name mymetric --inputs source,hypothesis
      maege metric add mypackage.module:Metric --name impara --parameter folder=impara-qe
      maege metric add mypackage.module:Metric --name expensive --sample-sentences 130 --draws 2
      maege metric add --judge qwen2.5 --base-url http://127.0.0.1:8000/v1 --name judge
      maege metric add --judge MODEL --base-url URL --name bought --price 0.15,0.60 --budget 5
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
    from maege.metric.file import parse_own_metric, write_own_metrics
    from maege.metric.scores import ingested_metrics

    ways = (function is not None, by_file, language_model is not None, judge is not None)
    if sum(ways) != 1:
        raise typer.BadParameter("give one of MODULE:OBJECT, --file, --language-model, --judge")
    if by_file and inputs is None:
        raise typer.BadParameter("give what the metric reads", param_hint="--inputs")
    if unigrams is not None and (language_model is None or not language_model.is_dir()):
        raise typer.BadParameter("only a transformer's folder takes it", param_hint="--unigrams")
    judge_options = {
        "--base-url": base_url,
        "--price": price,
        "--budget": budget,
        "--yes": yes or None,
    }
    for option, value in judge_options.items():
        if judge is None and value is not None:
            raise typer.BadParameter("only a judge takes it", param_hint=option)
    path = file_to_write()
    with failures(as_json=False, reassurance=UNCHANGED):
        metrics = own_metrics(path)
        model = _declared_model(language_model, unigrams, path) if language_model else {}
        given, settings = parameters_of(parameter or []), parameters_of(setting or [])
        if judge is not None:
            function = JUDGE
            given |= _asked_judge(judge, base_url, prompt)
            settings |= _limits(base_url or "", price, budget, unlimited=yes)
        called = called_as(function, given | settings, python, path) if function else {}
        if function and inputs is None and "inputs" not in called:
            raise typer.BadParameter("give what the function reads", param_hint="--inputs")
        if called.get("higher_is_better") is False:
            lower_is_better = True
        added = parse_own_metric(
            name,
            {
                "inputs": [part.strip() for part in (inputs or "hypothesis").split(",")],
                "batch": batch,
                "version": version,
                "seconds": seconds,
                "sample_sentences": sample_sentences,
                "draws": draws,
                "parameters": given,
                "settings": settings,
                "languages": [tag.strip() for tag in languages.split(",")] if languages else [],
                **model,
                "lower": lower,
                **called,
                "higher_is_better": not lower_is_better,
            },
        )
        if name in metrics:
            fail(f"{path} has {name} already. To replace it: maege metric remove {name}", False)
        if corpus := ingested_metrics(find_warehouse()).get(name):
            fail(f"Corpus {corpus} brings sentence scores of {name}. Choose another name.", False)
        if added.function is not None:
            try:
                check_arguments(
                    load_function(added.function, search_folders(path)), added.arguments
                )
            except FunctionError as error:
                fail(f"{added.function}: {error}\n{UNCHANGED}", False)
        write_own_metrics(path, {**metrics, name: added})
    typer.echo(f"{name} added to {path}.")
    if added.by_file:
        typer.echo(f"Next: maege build, then maege metric requests {name} --out requests.jsonl")
    else:
        typer.echo("Next: maege build")


def metrics_path() -> Path:
    """Return where metrics.yml is looked for."""
    from maege.analysis.metrics.own.declared import find_metrics_file

    return find_metrics_file()


def own_metrics(path: Path) -> "dict[str, OwnMetric]":
    """Return the metrics of the file; raise BadInputError on faults."""
    from maege.metric.file import read_own_metrics

    return read_own_metrics(path)


def file_to_write() -> Path:
    """Return the file to write, which stands where the build will look for it."""
    path = metrics_path()
    if path == Path("metrics.yml") and not Path("dbt_project.yml").is_file():
        fail(
            "There is no dbt_project.yml here, so a build would not find metrics.yml. Change to "
            "the folder that has it, or name the file in MAEGE_METRICS.",
            as_json=False,
        )
    return path


def parameters_of(given: list[str]) -> dict[str, str]:
    """Return parameters by name from NAME=VALUE; raise BadParameter."""
    parameters: dict[str, str] = {}
    for text in given:
        key, equals, value = text.partition("=")
        if not equals or key in parameters:
            raise typer.BadParameter(f"{text!r}: expected NAME=VALUE, each name once")
        parameters[key] = value
    return parameters


def called_as(
    name: str, parameters: dict[str, str], python: Path | None, metrics_file: Path
) -> dict[str, object]:
    """Return what metrics.yml says of a function or, with what it says of itself, of a class."""
    import inspect

    from maege.analysis.metrics.own.family import log_of
    from maege.analysis.metrics.own.functions import FunctionError, load_function, search_folders
    from maege.analysis.metrics.own.served import Hosting, Server

    if ":" not in name:  # what is expected is said with the other faults
        return {"function": name}
    folders = search_folders(metrics_file)
    # An absolute path, but not through links: a virtual environment's Python is one.
    interpreter = None if python is None else str(python.absolute())
    try:
        if python is None and not inspect.isclass(load_function(name, folders)):
            return {"function": name}
        log = log_of("metric_add")
        hosting = Hosting(name, folders, tuple(parameters.items()), log, interpreter)
        with Server(hosting) as server:
            about = server.describe()
    except FunctionError as error:
        fail(f"{name}: {error}\n{UNCHANGED}", False)
    if about.notice:
        typer.echo(f"{name}: {about.notice}.")
    return {
        "metric_class": name,
        "inputs": list(about.reads),
        "higher_is_better": about.higher_is_better,
        **({} if interpreter is None else {"python": interpreter}),
    }


def _asked_judge(model: str, base_url: str | None, prompt: str) -> dict[str, str]:
    if base_url is None:
        raise typer.BadParameter("give the judge's server", param_hint="--base-url")
    file = Path(prompt)
    # A build may be started elsewhere.
    named = str(file.resolve()) if file.is_file() else prompt
    return {"model": model, "base_url": base_url, "prompt": named}


def _limits(
    base_url: str, price: str | None, budget: float | None, *, unlimited: bool
) -> dict[str, str]:
    """Return what a judge may spend; raise BadParameter where it could spend without end."""
    from maege.analysis.metrics.judge.client import is_loopback

    if not (is_loopback(base_url) or unlimited or (price and budget is not None)):
        raise typer.BadParameter(
            "give what it may spend, with --price, or accept without a limit: --yes",
            param_hint="--budget",
        )
    limits = {"price": price, "budget": None if budget is None else f"{budget:g}"}
    return {name: value for name, value in limits.items() if value is not None}


def _declared_model(path: Path, unigrams: Path | None, metrics_file: Path) -> dict[str, object]:
    # Only here, because these imports take longer than most commands.
    from maege.analysis.metrics.referenceless.language_models.interface import ModelFileError
    from maege.language_models import declared_model

    try:
        return declared_model(path, unigrams, metrics_file)
    except ModelFileError as error:
        refuse(f"{error}\n{UNCHANGED}")
