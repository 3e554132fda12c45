"""The inputs that a metric has to score according to the last build, and their cost."""

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from operator import itemgetter
from typing import Any

import duckdb

from maege.analysis.metrics.families.base import is_among
from maege.analysis.metrics.own.declared import OwnMetric
from maege.analysis.metrics.own.functions import Inputs, count, part_of
from maege.analysis.metrics.own.interface import Cost
from maege.ingest.warehouse import WarehouseError

# --- Inputs of each corpus ---

_KEYS = {
    "source": "source_text_id",
    "hypothesis": "hypothesis_text_id",
    "other": "references_key",
    "references": "references_key",
}
# Metrics that compare two texts score steps of lattices, which are the same in every draw.
_STEPS = "(select *, 0 as first_draw from pairs.compared_steps)"
# Value of `draws` for all draws.
ALL_DRAWS = 2**31 - 1
# Each distinct input once. `place` is the position of the first sentence that needs the input, in
# the order in which samples take sentences.
_REQUESTED = """
    with requested as (
        select
            {keys}, min(inputs.corpus) as corpus, min(inputs.sentence_id) as sentence_id,
            any_value(inputs.hypothesis_text_id) as text,
            bool_or(inputs.first_draw < $draws) as is_first,
            min(sentences.place) filter (where inputs.first_draw < $draws) as place
        from {inputs} as inputs
        inner join caches.sentence_order as sentences
            on inputs.corpus = sentences.corpus and inputs.sentence_id = sentences.sentence_id
        where list_contains($corpora, inputs.corpus)
            and coalesce(sentences.place <= $sentences, true)
        group by {keys}
    )
"""


class NotBuiltError(WarehouseError):
    """No build has stored inputs yet."""


@dataclass(frozen=True)
class Choice:
    """The selection of inputs that a metric has to score, from its entry in metrics.yml.

    `reads` are some of source, hypothesis, other and references. Empty `languages` mean all.
    Without `sample_sentences`, all sentences are scored. Without `draws`, the number of draws of
    sampled corpora is that of metrics that read edits.
    """

    reads: tuple[str, ...] = ()
    languages: tuple[str, ...] = ()
    sample_sentences: int | None = None
    draws: int | None = None


def choice_of(definition: OwnMetric) -> Choice:
    """Return the selection of inputs for a metric of metrics.yml."""
    draws = ALL_DRAWS if definition.asks_all_draws else definition.draws
    return Choice(definition.inputs, definition.languages, definition.sample_sentences, draws)


@dataclass(frozen=True)
class Corpus:
    """Numbers of distinct inputs of one corpus, of all draws and of the first draws."""

    corpus: str
    n_sentences: int
    n_inputs: int
    n_hypotheses: int
    n_inputs_first_draws: int


class AskedInputs:
    """The inputs of one metric, read from an open build database.

    Raises NotBuiltError if nothing is built, or if an older version built the database.
    """

    def __init__(self, connection: duckdb.DuckDBPyConnection, choice: Choice) -> None:
        self._connection = connection
        self._reads = choice.reads
        self._keys = ", ".join(_KEYS[name] for name in choice.reads)
        self._inputs = _STEPS if "other" in choice.reads else "caches.scoring_inputs"
        try:
            corpora = connection.execute("select corpus, language from raw.corpora").fetchall()
            connection.execute(f"select first_draw from {self._inputs} limit 0")  # noqa: S608
            connection.execute("from caches.sentence_order limit 0")
            (n_edit_draws,) = connection.execute(
                "select max(n_draws) from corpora.metric_registry where reads_gold"
            ).fetchall()[0]
        except (duckdb.CatalogException, duckdb.BinderException):
            raise NotBuiltError(
                "Nothing is built here, or not since maege was upgraded. Run: maege build"
            ) from None
        languages = frozenset(choice.languages) or None
        self._choice = {
            "corpora": [corpus for corpus, language in corpora if is_among(language, languages)],
            "sentences": choice.sample_sentences,
            "draws": ALL_DRAWS if "other" in choice.reads else choice.draws or n_edit_draws,
        }

    def corpora(self) -> list[Corpus]:
        """Return the inputs of each corpus; a shared input counts for one corpus only."""
        rows = self._rows(
            "select corpus, count(distinct sentence_id), count(*), count(distinct text), "
            "count(*) filter (where is_first) from requested group by corpus order by corpus"
        )
        return [Corpus(*row) for row in rows]

    def texts(self, most: int | None = None) -> Inputs:
        """Return the texts of the inputs of the first draws, by the name of the input.

        Args:
            most: number of inputs, selected by a hash and so the same each time. Default: all, in
                the order of sentences.

        """
        order = "corpus, sentence_id" if most is None else f"hash({self._keys})"
        return self._texts(
            self._rows(
                f"select {self._keys} from requested where is_first "  # noqa: S608 - our own names
                f"order by {order}, {self._keys} limit $most",
                {"most": most},
            )
        )

    def by_sentence(self) -> Iterator[tuple[str, int, Inputs]]:
        """Yield corpus, n, and the inputs of the first draws that the corpus' nth sentence adds.

        Sentences are in the order in which samples take them.
        """
        rows = self._rows(
            f"select corpus, place, {self._keys} from requested where is_first "  # noqa: S608
            f"order by place, corpus, {self._keys}"
        )
        inputs = self._texts([row[2:] for row in rows])
        start = 0
        for (corpus, place), sentence_rows in groupby(rows, key=itemgetter(0, 1)):
            stop = start + len(list(sentence_rows))
            yield corpus, place, part_of(inputs, start, stop)
            start = stop

    def _texts(self, rows: Sequence[tuple[int, ...]]) -> Inputs:
        columns = {name: [row[at] for row in rows] for at, name in enumerate(self._reads)}
        lists = self._named(
            "select references_key, text_ids from pairs.reference_contents where references_key",
            columns.get("references", columns.get("other", [])),
        )
        texts_alone = [name for name in self._reads if name in ("source", "hypothesis")]
        named = [key for name in texts_alone for key in columns[name]]
        named += [key for keys in lists.values() for key in keys if key is not None]
        texts = self._named("select text_id, text from pairs.texts where text_id", named)
        inputs: dict[str, list[Any]] = {
            name: [texts[key] for key in columns[name]] for name in texts_alone
        }
        if "other" in columns:
            inputs["other"] = [texts[lists[key][0]] for key in columns["other"]]
        if "references" in columns:
            inputs["references"] = [
                [texts[text_id] for text_id in lists[key] if text_id is not None]
                for key in columns["references"]
            ]
        return inputs

    def _rows(self, sql: str, more: Mapping[str, Any] | None = None) -> list[tuple[Any, ...]]:
        common_tables = _REQUESTED.format(keys=self._keys, inputs=self._inputs)
        return self._connection.execute(
            common_tables + sql, {**self._choice, **(more or {})}
        ).fetchall()

    def _named(self, sql: str, keys: list[int]) -> dict[int, Any]:
        result = self._connection.execute(f"{sql} in (select unnest($keys))", {"keys": keys})
        return dict(result.fetchall())


# --- Cost of whole sentences of a nested sample ---


@dataclass(frozen=True)
class Step:
    """The inputs that one more sentence of a corpus adds, and their cost."""

    corpus: str
    place: int
    n_inputs: int
    cost: Cost


@dataclass(frozen=True)
class Limits:
    """Limits of the cost: US dollars and hours."""

    usd: float = math.inf
    hours: float = math.inf


@dataclass(frozen=True)
class Affordable:
    """The largest number of sentences per corpus within the limits, and their cost.

    If all sentences are within the limits, `n_sentences` is that of the largest corpus.
    """

    n_sentences: int
    n_inputs: int
    hours: float
    usd: float
    is_all: bool


def steps_of(
    sentences: Iterable[tuple[str, int, Inputs]], estimate: Callable[[Inputs], Cost]
) -> list[Step]:
    """Return a step for each sentence: its corpus, its position and the inputs that it adds."""
    return [
        Step(corpus, place, count(inputs), estimate(inputs)) for corpus, place, inputs in sentences
    ]


def total(steps: Iterable[Step]) -> Cost:
    """Return the cost of all steps."""
    costs = [step.cost for step in steps]
    return Cost(
        sum(cost.prompt_tokens for cost in costs),
        sum(cost.completion_tokens for cost in costs),
        sum(cost.usd for cost in costs),
    )


def affordable(
    steps: Sequence[Step], hours_of: Callable[[int], float], limits: Limits
) -> Affordable:
    """Return the largest number of sentences per corpus within the limits; 0 if one exceeds them.

    Args:
        steps: in the order in which samples take sentences: the first of each corpus, then the
            second of each, and so on.
        hours_of: returns the hours needed for a number of inputs.
        limits: limits of the total cost.

    """
    largest = Affordable(0, 0, 0.0, 0.0, is_all=not steps)
    n_inputs, usd = 0, 0.0
    for at, step in enumerate(steps):
        n_inputs += step.n_inputs
        usd += step.cost.usd
        is_last = at == len(steps) - 1
        if not is_last and steps[at + 1].place == step.place:
            continue
        hours = hours_of(n_inputs)
        if usd > limits.usd or hours > limits.hours:
            break
        largest = Affordable(step.place, n_inputs, hours, usd, is_all=is_last)
    return largest
