"""Overhead of scoring a function of the user's own over calling it in a plain loop.

Run with `python benchmarks/own_metric_speed.py`. Both score the same distinct made-up inputs: the
plain loop by calls alone; the warehouse's way by chunks, checks, tables and the spool, with one
worker and with two, whose start counts. Medians of several runs in turns. What a build does besides
(which inputs lack a score, and the marts) takes the same time whatever the function.
"""

import random
import statistics
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import pyarrow as pa
from sacrebleu.metrics.chrf import CHRF

from maege.analysis.keys import content_key
from maege.analysis.metrics.own.declared import OwnMetric
from maege.analysis.metrics.own.family import OwnFamily
from maege.analysis.workers.chunks import plan_chunks, score_chunk
from maege.analysis.workers.run import run_chunks
from maege.analysis.workers.spool import Spool, packed

SENTENCES = 500
HYPOTHESES_PER_SENTENCE = 20
REFERENCES = 2
WORDS = 20
CHUNK_COST = 20_000  # as models/scoring/metric_statistics.py has it
COST = 20
REPETITIONS = 5
GOAL = 0.15

_CHRF = CHRF()

Corpus = tuple[pa.Table, dict[int, str], dict[int, tuple[str, ...]]]


def chrf(hypothesis: str, references: list[str]) -> float:
    """Return chrF by sacreBLEU: what is called."""
    return float(_CHRF.sentence_score(hypothesis, references).score)


def made_up_corpus() -> Corpus:
    """Return requests, texts and reference lists as the model gets them."""
    generator = random.Random(1)  # noqa: S311
    texts: dict[int, str] = {}
    references: dict[int, tuple[str, ...]] = {}
    rows = []
    for sentence in range(SENTENCES):
        words = [f"word{generator.randrange(5000)}" for _ in range(WORDS)]
        key = sentence + 1
        references[key] = tuple(_changed(words, generator) for _ in range(REFERENCES))
        hypotheses = {_changed(words, generator) for _ in range(HYPOTHESES_PER_SENTENCE)}
        for text in sorted(hypotheses):
            texts[content_key(text)] = text
            rows.append(("made_up", sentence, "own:chrf", 1, key, 0, content_key(text), COST))
    names = (
        *("corpus", "sentence_id", "family", "signature_key", "references_key"),
        *("source_text_id", "hypothesis_text_id", "cost"),
    )
    requests = pa.table(dict(zip(names, zip(*rows, strict=True), strict=True)))
    return requests, texts, references


def _changed(words: list[str], generator: random.Random) -> str:
    return " ".join(word[::-1] if generator.random() < 0.1 else word for word in words)


def plain_loop(corpus: Corpus) -> list[float]:
    """Return the scores by calls in a loop."""
    requests, texts, references = corpus
    columns = (requests[name].to_pylist() for name in ("hypothesis_text_id", "references_key"))
    return [
        chrf(hypothesis=texts[text_id], references=list(references[key]))
        for text_id, key in zip(*columns, strict=True)
    ]


def warehouse_way(corpus: Corpus, workers: int) -> list[float]:
    """Return the scores in the order in which chunks finished, after spooling them."""
    requests, texts, references = corpus
    definition = OwnMetric.model_validate(
        {"function": "own_metric_speed:chrf", "inputs": ["hypothesis", "references"]}
    )
    family = OwnFamily("chrf", definition, (str(Path(__file__).parent),), "unchanged")
    scores: list[float] = []
    with tempfile.TemporaryDirectory() as folder:
        spool = Spool(Path(folder))

        def keep(rows: pa.Table) -> None:
            spool.append(packed(rows))
            scores.extend(rows["statistics"].combine_chunks().flatten().to_pylist())

        chunks = plan_chunks(requests, texts, references, CHUNK_COST, [family])
        run_chunks(score_chunk, chunks, workers, keep)
    return scores


def seconds(work: Callable[[], object]) -> float:
    """Return the duration of one run."""
    started = time.perf_counter()
    work()
    return time.perf_counter() - started


def main() -> None:
    """Print the medians and what the warehouse's way adds; stop where scores differ."""
    corpus = made_up_corpus()
    expected = plain_loop(corpus)
    assert warehouse_way(corpus, 1) == expected
    assert sorted(warehouse_way(corpus, 2)) == sorted(expected)
    ways: dict[str, Callable[[], object]] = {
        "plain loop": lambda: plain_loop(corpus),
        "1 worker": lambda: warehouse_way(corpus, 1),
        "2 workers": lambda: warehouse_way(corpus, 2),
    }
    runs: dict[str, list[float]] = {name: [] for name in ways}
    for _ in range(REPETITIONS):
        for name, way in ways.items():
            runs[name].append(seconds(way))
    medians = {name: statistics.median(times) for name, times in runs.items()}
    plain = medians["plain loop"]
    print(f"chrF by sacreBLEU of {corpus[0].num_rows:,} distinct inputs")
    print(f"{'':12}{'seconds':>9}{'overhead':>10}")
    for name, median in medians.items():
        print(f"{name:12}{median:9.2f}{median / plain - 1:10.1%}")
    print(f"asked: at most {GOAL:.0%} with one worker, less than the loop with two")


if __name__ == "__main__":
    main()
