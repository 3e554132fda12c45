"""Speed and memory of the metric families against plain implementations, in one run.

Run with `python benchmarks/metrics_speed.py`. It reads CoNLL-2014 from ../shared where that exists
and otherwise makes up a corpus of the same size, the same every time. Two tables come out: one
system's outputs against ten references beside `baselines.py` and NLTK, and all families over
lattices (about 300,000 pairs of source and hypothesis in 900 sentences, eight references).
Memory is the peak that Python and NumPy allocate during the work, measured in a run of its own.
"""

import random
import time
import tracemalloc
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from pathlib import Path

import baselines
import numpy as np

from maege.analysis.metrics.base import RequestGroup
from maege.analysis.metrics.draws import reference_draws
from maege.analysis.metrics.gleu import GleuScore
from maege.analysis.metrics.referenceless.meteor import MeteorMeaning, missing_meteor
from maege.analysis.metrics.registry import METRICS, TEXT_FAMILIES

SHARED = Path(__file__).resolve().parents[2] / "shared" / "data" / "conll14"
SENTENCES = 1312
REFERENCES = 10
LATTICE_SENTENCES = 900
LATTICE_REFERENCES = 8
HYPOTHESES_PER_LATTICE = 60
PAIRS_PER_LATTICE = 500
REPETITIONS = 5
MEGABYTE = 1 << 20


@dataclass(frozen=True)
class Corpus:
    """One system's outputs; `references` holds one tuple a sentence."""

    name: str
    sources: list[str]
    hypotheses: list[str]
    references: list[tuple[str, ...]]


def load_corpus() -> Corpus:
    """Return CoNLL-2014 with the system CAMB, or a made-up corpus where that is absent."""
    if not SHARED.is_dir():
        return made_up_corpus()
    references = [_lines(SHARED / "bn15" / "text" / f"BN{n}") for n in range(1, REFERENCES + 1)]
    return Corpus(
        "CoNLL-2014, CAMB",
        _lines(SHARED / "outputs" / "INPUT"),
        _lines(SHARED / "outputs" / "CAMB"),
        list(zip(*references, strict=True)),
    )


def _lines(path: Path) -> list[str]:
    return [" ".join(line.split()) for line in path.read_text(encoding="utf-8").splitlines()]


def made_up_corpus() -> Corpus:
    """Return sentences of 5 to 41 words, each text with about one word in twenty changed."""
    generator = random.Random(1)  # noqa: S311
    words = [f"w{number}" for number in range(3000)]

    def word() -> str:
        return words[int(len(words) * generator.random() ** 3)]

    def changed(tokens: Sequence[str]) -> str:
        kinds = (lambda t: (t,), lambda _: (word(),), lambda _: (), lambda t: (t, word()))
        picks = generator.choices(kinds, weights=(57, 1, 1, 1), k=len(tokens))
        return " ".join(token for t, pick in zip(tokens, picks, strict=True) for token in pick(t))

    sources = [[word() for _ in range(generator.randint(5, 41))] for _ in range(SENTENCES)]
    return Corpus(
        "made-up corpus",
        [" ".join(tokens) for tokens in sources],
        [changed(tokens) for tokens in sources],
        [tuple(changed(tokens) for _ in range(REFERENCES)) for tokens in sources],
    )


def system_groups(corpus: Corpus) -> list[RequestGroup]:
    """Return one group of one request for each sentence."""
    first = np.zeros(1, np.intp)
    return [
        RequestGroup(references, (source,), (hypothesis,), first, first)
        for source, hypothesis, references in zip(
            corpus.sources, corpus.hypotheses, corpus.references, strict=True
        )
    ]


def lattice_groups(corpus: Corpus) -> list[RequestGroup]:
    """Return groups of random pairs of texts, each the source with some edits of a reference."""
    generator = random.Random(2)  # noqa: S311
    groups = []
    for source, references in zip(corpus.sources, corpus.references, strict=True):
        tokens = source.split()
        texts = {source}
        for reference in references[:LATTICE_REFERENCES]:
            corrected = reference.split()
            opcodes = SequenceMatcher(None, tokens, corrected, autojunk=False).get_opcodes()
            for _ in range(HYPOTHESES_PER_LATTICE // LATTICE_REFERENCES):
                texts.add(_with_some_edits(tokens, corrected, opcodes, generator))
        ordered = tuple(sorted(texts))
        index = np.array(
            [generator.choices(range(len(ordered)), k=2) for _ in range(PAIRS_PER_LATTICE)]
        )
        pairs = np.unique(index, axis=0)
        chosen = references[:LATTICE_REFERENCES]
        groups.append(RequestGroup(chosen, ordered, ordered, pairs[:, 0], pairs[:, 1]))
    groups.sort(key=lambda group: -group.requests)
    return groups[:LATTICE_SENTENCES]


def _with_some_edits(
    tokens: Sequence[str],
    corrected: Sequence[str],
    opcodes: Sequence[tuple[str, int, int, int, int]],
    generator: random.Random,
) -> str:
    edited: list[str] = []
    for _, start, stop, corrected_start, corrected_stop in opcodes:
        if generator.randrange(2):
            edited += corrected[corrected_start:corrected_stop]
        else:
            edited += tokens[start:stop]
    return " ".join(edited)


def seconds(work: Callable[[], object]) -> float:
    """Return the duration of one run."""
    started = time.perf_counter()
    work()
    return time.perf_counter() - started


def peak_megabytes(work: Callable[[], object]) -> float:
    """Return the most memory allocated at once during one run."""
    tracemalloc.start()
    work()
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return peak / MEGABYTE


def family_scores(corpus: Corpus, family: str, metric: str) -> float:
    """Return the mean sentence score, from texts."""
    statistics = np.concatenate(TEXT_FAMILIES[family].compute_batch(system_groups(corpus)))
    return float(METRICS[metric].score.sentence_scores({family: statistics}).mean())


def family_gleu(corpus: Corpus) -> tuple[float, float]:
    """Return corpus and mean sentence GLEU, the 500 draws made anew."""
    reference_draws.cache_clear()
    statistics = np.concatenate(TEXT_FAMILIES["gleu"].compute_batch(system_groups(corpus)))
    score = GleuScore()
    sentences = score.sentence_scores({"gleu": statistics})
    return float(score.corpus_score(statistics, "py3")), float(sentences.mean())


def plain_gleu(corpus: Corpus) -> tuple[float, float]:
    """Return the same two numbers by the original's steps."""
    corpus_score, sentences = baselines.PlainGleu(corpus.sources, corpus.references).score(
        corpus.hypotheses
    )
    return corpus_score, sum(sentences) / len(sentences)


def plain_bleu(corpus: Corpus) -> float:
    """Return mean sentence BLEU by NLTK."""
    pairs = zip(corpus.hypotheses, corpus.references, strict=True)
    values = [baselines.bleu(hypothesis, references) for hypothesis, references in pairs]
    return sum(values) / len(values)


def plain_sari(corpus: Corpus) -> float:
    """Return mean SARI by a plain port."""
    triples = zip(corpus.sources, corpus.hypotheses, corpus.references, strict=True)
    values = [sum(baselines.sari(*triple)) / 3 for triple in triples]
    return sum(values) / len(values)


def plain_green(corpus: Corpus) -> float:
    """Return mean sentence GREEN by a plain port."""
    triples = zip(corpus.sources, corpus.hypotheses, corpus.references, strict=True)
    values = [baselines.green(*triple, beta=2) for triple in triples]
    return sum(values) / len(values)


def compare_with_baselines(corpus: Corpus) -> None:
    """Print one line a metric: both times, their ratio, both peaks; stop where numbers differ."""
    rows: list[tuple[str, Callable[[], object], Callable[[], object], int]] = [
        ("gleu", lambda: family_gleu(corpus), lambda: plain_gleu(corpus), 20),
        ("bleu", lambda: family_scores(corpus, "bleu", "bleu"), lambda: plain_bleu(corpus), 3),
        ("sari", lambda: family_scores(corpus, "sari", "sari"), lambda: plain_sari(corpus), 3),
        ("green", lambda: family_scores(corpus, "green", "green"), lambda: plain_green(corpus), 5),
    ]
    print(f"{corpus.name}: {len(corpus.sources)} sentences x {REFERENCES} references")
    print(f"{'metric':8}{'plain s':>9}{'ours s':>9}{'ratio':>8}{'asked':>7}", end="")
    print(f"{'plain MB':>10}{'ours MB':>9}")
    for metric, ours, plain, asked in rows:
        np.testing.assert_allclose(np.array(ours()), np.array(plain()), atol=1e-9)
        # In turns, so that a busy machine slows both; the shortest run of each counts.
        runs = [(seconds(plain), seconds(ours)) for _ in range(REPETITIONS)]
        plain_seconds, our_seconds = map(min, zip(*runs, strict=True))
        print(f"{metric:8}{plain_seconds:9.3f}{our_seconds:9.3f}", end="")
        print(f"{plain_seconds / our_seconds:7.1f}x{asked:6}x", end="")
        print(f"{peak_megabytes(plain):10.1f}{peak_megabytes(ours):9.1f}")


def time_lattices(corpus: Corpus) -> None:
    """Print the seconds and the peak of each family over lattices."""
    groups = lattice_groups(corpus)
    requests = sum(group.requests for group in groups)
    print(f"\nlattices: {requests} pairs, {len(groups)} sentences, {LATTICE_REFERENCES} references")
    print(f"{'family':20}{'seconds':>9}{'result MB':>11}{'besides MB':>12}")
    total = 0.0
    for name, family in TEXT_FAMILIES.items():
        if name == MeteorMeaning.name and missing_meteor():
            continue
        duration = seconds(lambda family=family: family.compute_batch(groups))  # type: ignore[misc]
        total += duration
        size = sum(result.nbytes for result in family.compute_batch(groups)) / MEGABYTE
        peak = peak_megabytes(lambda family=family: family.compute_batch(groups))  # type: ignore[misc]
        print(f"{name:20}{duration:9.2f}{size:11.1f}{peak - size:12.1f}")
    print(f"{'together':20}{total:9.2f}")


if __name__ == "__main__":
    loaded = load_corpus()
    compare_with_baselines(loaded)
    time_lattices(loaded)
