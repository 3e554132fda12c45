"""`maege metric add`: writes a function, class, model or file of scores to metrics.yml."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from maege.commands.outcome import argument, fail, failures, option, refuse
from maege.ingest.warehouse import find_warehouse

if TYPE_CHECKING:
    from maege.analysis.metrics.own.declared import OwnMetric

UNCHANGED = "metrics.yml is unchanged."
JUDGE = "maege.analysis.metrics.judge.judge:Judge"

# Options that `maege metric try` has, too.
Reads = Annotated[
    str | None,
    option(
        "Inputs of the metric: some of source,hypothesis,references. Classes declare their "
        "inputs, and language models read the hypothesis only.",
        "LIST",
    ),
]
Parameters = Annotated[
    list[str] | None,
    option(
        "Keyword argument for the function or class, as text. It is part of the signature: "
        "a new value means that all scores are computed again.",
        "NAME=VALUE",
    ),
]
Seconds = Annotated[
    float | None,
    option(
        "Time limit of a call in seconds; a longer call counts as a failure. Default: 60 for "
        "a function, and the limit that the class declares.",
        "N",
        min=0.001,
    ),
]
SampleSentences = Annotated[
    int | None,
    option(
        "For an expensive metric: score only N sentences of each corpus. If N is increased "
        "later, the scores are kept.",
        "N",
        min=1,
    ),
]
Draws = Annotated[
    int | None,
    option(
        "Score only the first N draws of sampled corpora. Default: all draws for a function; "
        "for a class the same number as for metrics that read edits.",
        "N",
        min=1,
    ),
]
Python = Annotated[
    Path | None, option("Python interpreter of another environment, to run the class with.", "PATH")
]


def add(
    name: Annotated[str, option("Name of the metric in the marts.", "NAME")],
    inputs: Reads = None,
    function: Annotated[
        str | None, argument("Module and name of the function or class.", "[MODULE:OBJECT]")
    ] = None,
    by_file: Annotated[
        bool,
        option(
            "Scores are computed elsewhere: maege metric requests, maege metric load.",
            None,
            "--file",
        ),
    ] = False,
    language_model: Annotated[
        Path | None,
        option(
            "Score fluency with this model: an ARPA file, a KenLM binary, or a folder saved "
            "by transformers.",
            "PATH",
        ),
    ] = None,
    judge: Annotated[
        str | None, option("LLM judge: model name, used with --base-url and --prompt.", "MODEL")
    ] = None,
    base_url: Annotated[
        str | None, option("Judge: URL of its server, without /chat/completions.", "URL")
    ] = None,
    prompt: Annotated[
        str,
        option(
            "Judge: name of a prompt (kobayashi-s, kobayashi-s-fluency, kobayashi-e, dsgram, "
            "compare) or a file with the placeholders {source}, {hypothesis}, {edits} or "
            "{references}. With {other}, the judge compares the hypothesis with another one.",
            "NAME|FILE",
        ),
    ] = "kobayashi-s",
    price: Annotated[
        str | None, option("Judge: US dollars per million input and output tokens.", "IN,OUT")
    ] = None,
    budget: Annotated[
        float | None,
        option("Judge: limit in US dollars, after which no request is sent.", "USD", min=0),
    ] = None,
    yes: Annotated[
        bool, option("Judge on another machine: accept requests without a budget.", None, "--yes")
    ] = False,
    setting: Annotated[
        list[str] | None,
        option(
            "Keyword argument for a class on which no score depends, such as a device: a new "
            "value does not change the signature.",
            "NAME=VALUE",
        ),
    ] = None,
    lower: Annotated[
        bool, option("Convert texts to lower case for the language model.", None, "--lower")
    ] = False,
    unigrams: Annotated[
        Path | None,
        option(
            "Transformer: text with one sentence per line. Its token counts are written to "
            "unigrams.tsv in the folder of the model; needed once.",
            "TEXT",
            exists=True,
            dir_okay=False,
        ),
    ] = None,
    batch: Annotated[
        bool, option("The function takes lists and returns a list of scores.", None, "--batch")
    ] = False,
    lower_is_better: Annotated[
        bool, option("Lower scores are better, as in a count of errors.", None, "--lower-is-better")
    ] = False,
    parameter: Parameters = None,
    seconds: Seconds = None,
    sample_sentences: SampleSentences = None,
    draws: Draws = None,
    python: Python = None,
    languages: Annotated[
        str | None,
        option("BCP 47 tags of its languages, as in manifests. Default: all.", "TAG,..."),
    ] = None,
    version: Annotated[
        str, option("Version; change it if code outside its module changes.", "TEXT")
    ] = "1",
) -> None:
    """Register a metric in metrics.yml; the next maege build scores it, with no variable to set.

    A function is called with its inputs as keyword arguments: score(source=..., hypothesis=...,
    references=[...]) returns a number. With --batch, each argument is a list with one entry per
    input, and the function returns a list. The module is imported from an installed package or from
    the folder of metrics.yml. That file is in the folder of dbt_project.yml, unless MAEGE_METRICS
    names another path.

    A class, such as a subclass of maege.Metric, is created once per process and called with batches
    of inputs of similar length. It declares its inputs and runs in separate processes. To estimate
    its cost first: maege metric try.

    A judge is called with temperature 0 and a seed. Its API key is read from the environment
    variable OPENAI_API_KEY, or the one in --setting key_variable=NAME, and is not stored. Whole
    answers are kept in judge_answers.sqlite of the warehouse. A judge on another machine needs
    --price and --budget, or --yes.

    A language model is identified by its SHA-256. KenLM binaries need the package kenlm, folders
    need torch and transformers.

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

    sources = (function is not None, by_file, language_model is not None, judge is not None)
    if sum(sources) != 1:
        raise typer.BadParameter(
            "give exactly one of MODULE:OBJECT, --file, --language-model and --judge"
        )
    if by_file and inputs is None:
        raise typer.BadParameter("give the inputs of the metric", param_hint="--inputs")
    if unigrams is not None and (language_model is None or not language_model.is_dir()):
        raise typer.BadParameter(
            "only the folder of a transformer has this option", param_hint="--unigrams"
        )
    judge_options = {
        "--base-url": base_url,
        "--price": price,
        "--budget": budget,
        "--yes": yes or None,
    }
    for name_of_option, value in judge_options.items():
        if judge is None and value is not None:
            raise typer.BadParameter("only a judge has this option", param_hint=name_of_option)
    path = file_to_write()
    with failures(as_json=False, reassurance=UNCHANGED):
        metrics = own_metrics(path)
        model = _declared_model(language_model, unigrams, path) if language_model else {}
        parameters, settings = parameters_of(parameter or []), parameters_of(setting or [])
        if judge is not None:
            function = JUDGE
            parameters |= _judge_parameters(judge, base_url, prompt)
            settings |= _limits(base_url or "", price, budget, unlimited=yes)
        called = called_as(function, parameters | settings, python, path) if function else {}
        if function and inputs is None and "inputs" not in called:
            raise typer.BadParameter("give the inputs of the function", param_hint="--inputs")
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
                "parameters": parameters,
                "settings": settings,
                "languages": [tag.strip() for tag in languages.split(",")] if languages else [],
                **model,
                "lower": lower,
                **called,
                "higher_is_better": not lower_is_better,
            },
        )
        if name in metrics:
            fail(
                f"{path} already has {name}. To replace it, first run: maege metric remove {name}",
                False,
            )
        if corpus := ingested_metrics(find_warehouse()).get(name):
            fail(
                f"Corpus {corpus} has sentence scores of a metric {name}. Choose another name.",
                False,
            )
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
    """Return the path of metrics.yml."""
    from maege.analysis.metrics.own.declared import find_metrics_file

    return find_metrics_file()


def own_metrics(path: Path) -> "dict[str, OwnMetric]":
    """Return the metrics of the file; raise BadInputError on faults."""
    from maege.metric.file import read_own_metrics

    return read_own_metrics(path)


def file_to_write() -> Path:
    """Return the path of metrics.yml to write; fail in a folder where builds would not read it."""
    path = metrics_path()
    if path == Path("metrics.yml") and not Path("dbt_project.yml").is_file():
        fail(
            "There is no dbt_project.yml here, so a build would not find metrics.yml. Change to "
            "the folder that has it, or name the file in MAEGE_METRICS.",
            as_json=False,
        )
    return path


def parameters_of(assignments: list[str]) -> dict[str, str]:
    """Return parameters by name from NAME=VALUE; raise BadParameter."""
    parameters: dict[str, str] = {}
    for text in assignments:
        key, equals, value = text.partition("=")
        if not equals or key in parameters:
            raise typer.BadParameter(f"{text!r}: expected NAME=VALUE, each name once")
        parameters[key] = value
    return parameters


def called_as(
    name: str, parameters: dict[str, str], python: Path | None, metrics_file: Path
) -> dict[str, object]:
    """Return the entry of a function, or of a class with its own declarations, in metrics.yml."""
    import inspect

    from maege.analysis.metrics.own.family import log_of
    from maege.analysis.metrics.own.functions import FunctionError, load_function, search_folders
    from maege.analysis.metrics.own.served import Hosting, Server

    if ":" not in name:  # reported later with the other faults
        return {"function": name}
    folders = search_folders(metrics_file)
    # An absolute path with links unresolved: the Python of a virtual environment is a link.
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


def _judge_parameters(model: str, base_url: str | None, prompt: str) -> dict[str, str]:
    if base_url is None:
        raise typer.BadParameter("give the URL of the judge's server", param_hint="--base-url")
    file = Path(prompt)
    # An absolute path, because a build may be started in another folder.
    named = str(file.resolve()) if file.is_file() else prompt
    return {"model": model, "base_url": base_url, "prompt": named}


def _limits(
    base_url: str, price: str | None, budget: float | None, *, unlimited: bool
) -> dict[str, str]:
    """Return price and budget of a judge; raise BadParameter if its cost would be unlimited."""
    from maege.analysis.metrics.judge.client import is_loopback

    if not (is_loopback(base_url) or unlimited or (price and budget is not None)):
        raise typer.BadParameter(
            "give a limit together with --price, or accept unlimited cost with --yes",
            param_hint="--budget",
        )
    limits = {"price": price, "budget": None if budget is None else f"{budget:g}"}
    return {name: value for name, value in limits.items() if value is not None}


def _declared_model(path: Path, unigrams: Path | None, metrics_file: Path) -> dict[str, object]:
    # Imported late: these imports take longer than most commands.
    from maege.analysis.metrics.language_models.interface import ModelFileError
    from maege.metric.file import declared_model

    try:
        return declared_model(path, unigrams, metrics_file)
    except ModelFileError as error:
        refuse(f"{error}\n{UNCHANGED}")
