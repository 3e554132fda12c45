"""`maege metric try`: a few inputs scored, and what all of them would take, before it is spent."""

import math
import statistics
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, field, replace
from hashlib import sha256
from pathlib import Path
from typing import Any

import duckdb

from maege.analysis.metrics.own.batches import n_processes, sorted_batches
from maege.analysis.metrics.own.family import function_hosting, hosting_of, log_of
from maege.analysis.metrics.own.functions import FunctionError, search_folders
from maege.analysis.metrics.own.interface import Cost, Unavailable
from maege.analysis.metrics.own.results import Inputs, Scored, count, part_of
from maege.analysis.metrics.own.served import Description, Hosting, Server, device_of
from maege.building.project import SAMPLE, source
from maege.ingest.findings import BadInputError, Findings
from maege.ingest.raw_tables.readings import suspicions_of_corpus
from maege.ingest.text_checks import INGESTED, add_suspicions
from maege.ingest.warehouse import Warehouse, WarehouseError, open_build
from maege.metric.asked_inputs import (
    ALL_DRAWS,
    Affordable,
    AskedInputs,
    Choice,
    Corpus,
    Limits,
    NotBuiltError,
    Step,
    affordable,
    steps_of,
    total,
)
from maege.metric.file import read_own_metrics
from maege.names import did_you_mean

# More than rounding in another order of a batch, which is some 1e-7 of a score.
_SAME = 1e-6
_MOST_MISSING = 0.01
# The output of the sample that is its source.
SOURCE = "INPUT.txt"


@dataclass(frozen=True)
class Options:
    """How a metric is tried.

    Attributes:
        sample: how many inputs are scored.
        workers: of a build.
        seconds: time limit of a call, in place of that of the class.
        choice: which inputs are counted; a class says itself what it reads.
        force: whether corpora are used whose texts look wrong.
        limits: money and hours that scoring may take.

    """

    sample: int = 128
    workers: int = 1
    seconds: float | None = None
    choice: Choice = field(default_factory=Choice)
    limits: Limits = field(default_factory=Limits)
    force: bool = False


@dataclass(frozen=True)
class Trial:
    """Cost and scores of a few inputs, in seconds, megabytes and US dollars.

    Tokens and money are those of the inputs tried, as far as they were not asked before; `steps`
    has those of all inputs of the first draws.
    """

    metric: str
    n_tried: int
    device: str
    setup_seconds: float
    inputs_a_second: float
    megabytes: float | None
    lowest: float | None
    highest: float | None
    n_distinct: int
    n_missing: int
    failure: str | None
    alone_or_in_batch: float | None
    prompt_tokens: float
    completion_tokens: float
    usd: float
    notice: str
    processes: int
    corpora: tuple[Corpus, ...]
    warnings: tuple[str, ...]
    steps: tuple[Step, ...]
    options: Options

    @property
    def failed(self) -> bool:
        """Whether no input has a score."""
        return self.n_missing == self.n_tried

    def hours(self, n_inputs: int) -> float:
        """Return what so many inputs take in all processes, if these do not slow each other."""
        seconds = n_inputs / self.inputs_a_second / self.processes
        return (self.setup_seconds + seconds) / 3600

    def cost(self, corpus: Corpus) -> Cost:
        """Return what the first draws of a corpus cost."""
        return total(step for step in self.steps if step.corpus == corpus.corpus)

    def affordable(self) -> Affordable | None:
        """Return the most sentences within the limits; None where there are no limits or inputs."""
        if self.options.limits == Limits() or not self.steps:
            return None
        return affordable(self.steps, self.hours, self.options.limits)

    def as_dict(self) -> dict[str, Any]:
        """Return all of it, with the projections of each corpus."""
        found = asdict(self)
        del found["steps"], found["options"]
        for record, corpus in zip(found["corpora"], self.corpora, strict=True):
            cost = self.cost(corpus)
            record["hours_of_n_inputs"] = self.hours(corpus.n_inputs)
            record["hours_of_n_inputs_first_draws"] = self.hours(corpus.n_inputs_first_draws)
            record["usd_of_n_inputs"] = cost.usd * _all_draws(corpus)
            record["usd_of_n_inputs_first_draws"] = cost.usd
        within = self.affordable()
        found["affordable"] = None if within is None else asdict(within)
        return found


def try_metric(hosting: Hosting, warehouse: Warehouse, options: Options) -> Trial:
    """Return what a metric by class did with a sample of what the last build asked metrics.

    The sample is of texts by hash: the same in each trial.

    Args:
        hosting: the class.
        warehouse: a build that has corpora; where nothing is built the inputs are the sample's,
            and it is not said what all would take.
        options: how it is tried.

    Raises:
        WarehouseError: the metric cannot be had.
        BadInputError: texts of the last build look wrong.

    """
    suspicions = _check_corpora(warehouse, force=options.force)
    try:
        with Server(hosting) as server:
            about = server.describe()
        about = about._replace(seconds=options.seconds or about.seconds)
        choice = replace(options.choice, reads=about.reads)
        if hosting.reads and choice.draws is None:
            choice = replace(choice, draws=ALL_DRAWS)
        options = replace(options, choice=choice)
        corpora, inputs, sentences = _asked(warehouse, choice, options.sample)
        device = device_of(about.device, 0)
        with Server(hosting, device) as server:
            setup = server.setup()
            # Before they are scored: stored answers of a judge cost nothing.
            cost = server.estimate(inputs)
            steps = steps_of(sentences, server.estimate)
            scored, rate = _timed(server, about, inputs)
            alone = _alone(server, about, inputs, scored)
            megabytes = server.peak_megabytes()
    except (FunctionError, Unavailable) as error:
        raise WarehouseError(f"{hosting.metric}: {error}") from None
    good = [result.score for result in scored if result.failure is None]
    failures = [result.failure for result in scored if result.failure is not None]
    return Trial(
        metric=hosting.metric,
        n_tried=len(scored),
        device=device,
        setup_seconds=setup,
        inputs_a_second=rate,
        megabytes=megabytes,
        lowest=min(good, default=None),
        highest=max(good, default=None),
        n_distinct=len(set(good)),
        n_missing=len(failures),
        failure=failures[0] if failures else None,
        alone_or_in_batch=alone,
        **asdict(cost),
        notice=about.notice,
        processes=n_processes(about.processes, options.workers),
        corpora=tuple(corpora),
        warnings=(
            *(f"{suspicion.place}: {suspicion.found}" for suspicion in suspicions),
            *_warnings(about, good, failures, alone, rate),
            *_cost_warnings(cost, steps, options.limits),
        ),
        steps=tuple(steps),
        options=options,
    )


def _check_corpora(warehouse: Warehouse, *, force: bool) -> Findings:
    """Return what looks wrong with the texts of the last build; raise BadInputError unless forced.

    What was accepted at ingest does not look wrong.
    """
    findings = Findings()
    if warehouse.build.is_file():
        with open_build(warehouse, read_only=True) as connection, suppress(duckdb.CatalogException):
            rows = connection.execute("select corpus from raw.corpora order by corpus").fetchall()
            for (corpus,) in rows:
                add_suspicions(suspicions_of_corpus(connection, corpus), INGESTED, findings)
    if len(findings) and not force:
        raise BadInputError(findings)
    return findings


def hosting_to_try(
    what: str,
    parameters: dict[str, str],
    inputs: str | None,
    python: Path | None,
    metrics_file: Path,
) -> Hosting:
    """Return what is tried: MODULE:OBJECT as it is given, or a metric of metrics.yml by name.

    Raises WarehouseError where it has no function or class of that name.
    """
    folders = search_folders(metrics_file)
    reads = tuple(name.strip() for name in (inputs or "").split(",") if name.strip())
    if ":" in what:
        interpreter = None if python is None else str(python.absolute())
        arguments = tuple(parameters.items())
        return Hosting(what, folders, arguments, log_of("metric_try"), interpreter, reads)
    known = read_own_metrics(metrics_file)
    definition = known.get(what)
    if definition is None or not (definition.metric_class or definition.function):
        near = did_you_mean(what, known)
        raise WarehouseError(
            f"{metrics_file} has no class or function {what}. {near or 'Name one as MODULE:OBJECT'}"
        )
    if definition.metric_class:
        return hosting_of(what, definition, folders)
    return function_hosting(what, definition, folders)


def _timed(server: Server, about: Description, inputs: Inputs) -> tuple[list[Scored], float]:
    """Return results in the order of the inputs, and inputs a second without the first batch."""
    n_inputs = count(inputs)
    results: list[Scored] = [Scored(math.nan)] * n_inputs
    paces = []
    for batch in sorted_batches(inputs, [0], about.batch_size):
        started = time.monotonic()
        for row, result in zip(batch.rows, server.score(batch.inputs, about.seconds), strict=True):
            results[row] = result
        paces.append((time.monotonic() - started) / len(batch.rows))
    # What a library does at its first call is no pace; nor are short texts alone.
    pace = statistics.fmean(paces[1:] or paces)
    return results, 1 / max(pace, 1e-9)


def _alone(
    server: Server, about: Description, inputs: Inputs, scored: Sequence[Scored]
) -> float | None:
    """Return the largest difference of a score made alone; None where there is none to compare."""
    if about.batch_size == 1:
        return None
    rows = [row for row, result in enumerate(scored) if result.failure is None][:3]
    found = [(row, server.score(part_of(inputs, row, row + 1), about.seconds)[0]) for row in rows]
    return max((abs(result.score - scored[row].score) for row, result in found), default=None)


def _warnings(
    about: Description,
    good: Sequence[float],
    failures: Sequence[str],
    alone: float | None,
    rate: float,
) -> list[str]:
    found = []
    if len(set(good)) == 1:
        found.append("every input has the same score")
    if good and len(failures) > _MOST_MISSING * (len(good) + len(failures)):
        found.append("more than 1 % of the inputs have no score: sentences will be left out")
    if alone is not None and not alone <= _SAME:
        found.append(f"a score changes by {alone:.1g} with the other inputs of its batch")
    if about.batch_size / rate > about.seconds / 2:
        found.append(
            f"a batch takes {about.batch_size / rate:.0f} of the {about.seconds:.0f} seconds that "
            "it may: lower batch_size, or raise --seconds"
        )
    return found


def _cost_warnings(cost: Cost, steps: Sequence[Step], limits: Limits) -> list[str]:
    found = []
    if cost == Cost() and total(steps) != Cost():
        found.append("these inputs were asked before: hours are those of reading what was answered")
    if limits.usd < math.inf and steps and not total(steps).usd:
        found.append("no money is estimated: the budget limits nothing")
    return found


def _asked(
    warehouse: Warehouse, choice: Choice, sample: int
) -> tuple[list[Corpus], Inputs, list[tuple[str, int, Inputs]]]:
    """Return the corpora of the last build, some inputs, and those that each sentence adds.

    Where none was built there are inputs of the sample alone.
    """
    if warehouse.build.is_file():
        with open_build(warehouse, read_only=True) as connection, suppress(NotBuiltError):
            asked = AskedInputs(connection, choice)
            if corpora := asked.corpora():
                return corpora, asked.texts(sample), list(asked.by_sentence())
    return [], _of_sample(choice.reads, sample), []


def _of_sample(reads: Sequence[str], sample: int) -> Inputs:
    """Return inputs of the corpus that the package has, each once, in the order of a hash."""

    def lines(path: Path) -> list[str]:
        return path.read_text("utf-8").splitlines()

    folder = source() / SAMPLE
    outputs = sorted(path for path in folder.glob("outputs/*.txt") if path.name != SOURCE)
    references = [lines(path) for path in sorted(folder.glob("references/*.txt"))]
    columns = {
        "source": lines(folder / "outputs" / SOURCE) * len(outputs),
        "hypothesis": [line for path in outputs for line in lines(path)],
        # Of another system.
        "other": [line for path in (*outputs[1:], outputs[0]) for line in lines(path)],
        "references": list(zip(*references, strict=True)) * len(outputs),
    }
    rows = dict.fromkeys(zip(*(columns[name] for name in reads), strict=True))
    chosen = sorted(rows, key=lambda row: sha256(repr(row).encode()).digest())[:sample]
    return {
        name: [list(text) if name == "references" else text for text in column]
        for name, column in zip(reads, zip(*chosen, strict=True), strict=True)
    }


def shown(trial: Trial) -> list[str]:
    """Return the lines that a terminal shows."""
    lines = [
        f"{trial.metric}: {trial.n_tried} inputs on {trial.device}",
        f"  set-up {trial.setup_seconds:.1f} s, then {trial.inputs_a_second:,.1f} inputs a second"
        + ("" if trial.megabytes is None else f"; {trial.megabytes:,.0f} MB a process"),
    ]
    if trial.notice:
        lines.insert(1, f"  {trial.notice}")
    if trial.failed:
        lines.insert(
            0, f"{trial.metric} failed at all {trial.n_tried} inputs. The first: {trial.failure}"
        )
    if trial.lowest is not None and trial.highest is not None:
        lines.append(
            f"  scores {trial.lowest:.3f} to {trial.highest:.3f}, {trial.n_distinct} distinct"
        )
    if trial.n_missing and not trial.failed:
        lines.append(
            f"  missing {trial.n_missing} ({trial.n_missing / trial.n_tried:.1%}): {trial.failure}"
        )
    if trial.alone_or_in_batch is not None:
        lines.append(f"  alone and in a batch scores differ by {trial.alone_or_in_batch:.1g}")
    processes = f"{trial.processes} process{'es' if trial.processes > 1 else ''}"
    for corpus in trial.corpora:
        scope = " of the sample" if trial.options.choice.sample_sentences else ""
        lines.append(f"  {corpus.corpus}, {corpus.n_sentences:,} sentences{scope}, in {processes}:")
        for inputs, design, share in _designs(corpus, trial.options.choice):
            lines.append(
                f"    {design}: {inputs:,} inputs, {_time(trial.hours(inputs))}"
                + _money(trial.cost(corpus), share)
            )
    if (within := trial.affordable()) is not None:
        lines.append(_within(within))
    if not trial.corpora:
        lines.append(
            "  nothing is built here: these were inputs of the sample, and what all would take is "
            "known after maege build"
        )
    lines += [f"  WARNING {warning}" for warning in trial.warnings]
    return lines


def _designs(corpus: Corpus, choice: Choice) -> list[tuple[int, str, float]]:
    n_first = corpus.n_inputs_first_draws
    if "other" in choice.reads:
        return [(n_first, "steps in both orders (as a build asks)", 1.0)]
    if choice.draws == ALL_DRAWS:
        return [(n_first, "all draws (as a build asks)", 1.0)]
    number = f"{choice.draws} " if choice.draws else ""
    first = "first draw" if choice.draws == 1 else f"first {number}draws"
    return [
        (n_first, f"{first} (as a build asks)", 1.0),
        (corpus.n_inputs, "all draws", _all_draws(corpus)),
    ]


def _time(hours: float) -> str:
    return f"{hours:.1f} h" if hours >= 1 else f"{math.ceil(hours * 60)} min"


def _money(cost: Cost, share: float = 1) -> str:
    if cost == Cost():
        return ""
    return (
        f", {cost.prompt_tokens * share / 1e6:.2f} M tokens asked and "
        f"{cost.completion_tokens * share / 1e6:.2f} M answered, {cost.usd * share:,.2f} USD"
    )


def _all_draws(corpus: Corpus) -> float:
    return corpus.n_inputs / max(1, corpus.n_inputs_first_draws)


def _within(found: Affordable) -> str:
    if not found.n_sentences:
        return "  within the limits: not one sentence of each corpus"
    sentences = f"{found.n_sentences:,} sentences of each corpus (--sample-sentences)"
    return (
        f"  within the limits: {'all sentences' if found.is_all else sentences}, "
        f"{found.n_inputs:,} inputs, {_time(found.hours)}, {found.usd:,.2f} USD"
    )
