"""Speed of fluency and meaning, beside a loop that scores sentence by sentence.

Run with `python benchmarks/referenceless_speed.py FOLDER`, a folder of outputs with INPUT among
them, one sentence a line. The loop remembers nothing between sentences, as a script would. Seconds
are of the processor (user and system), so that a busy machine does not count; medians of several
runs in turns. Two workers are two processes that score half each, their loading left out.
"""

import resource
import statistics
import sys
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path

from maege.analysis.metrics.referenceless.loading import load_dictionary, load_stemmer
from maege.analysis.metrics.referenceless.meaning import Matcher
from maege.analysis.metrics.referenceless.trigram import Trigram

REPETITIONS = 3
PLAIN_SENTENCES = 500
GOAL_ONE, GOAL_TWO = 6_000, 10_000

Pairs = Sequence[tuple[str, str]]


def read_pairs(folder: Path) -> list[tuple[str, str]]:
    """Return source and hypothesis of every line, sentence by sentence."""
    outputs = {
        path.name: path.read_text(encoding="utf-8").splitlines()
        for path in sorted(folder.iterdir())
    }
    return [
        (source, lines[number])
        for number, source in enumerate(outputs["INPUT"])
        for lines in outputs.values()
    ]


class Scorer:
    """Both metrics, loaded."""

    def __init__(self) -> None:
        self.loaded = self.seconds(self._load)

    def _load(self) -> None:
        self.trigram = Trigram()
        self.stem, self.is_word = load_stemmer(), load_dictionary()

    def batch(self, pairs: Pairs) -> None:
        """Score as a chunk of the warehouse is scored, with nothing remembered from before."""
        self.trigram.forget()
        self.trigram.score([hypothesis for _, hypothesis in pairs])
        matcher = Matcher(self.stem, self.is_word)
        matcher.match([source for source, _ in pairs], [hypothesis for _, hypothesis in pairs])

    def plain(self, pairs: Pairs) -> None:
        """Score sentence by sentence."""
        for pair in pairs:
            self.batch([pair])

    @staticmethod
    def seconds(work: Callable[[], None]) -> float:
        """Return the processor's seconds."""
        start = time.process_time()
        work()
        return time.process_time() - start


def worker(pairs: Pairs) -> tuple[float, float, float]:
    """Return the seconds of scoring and of loading, and the largest memory in MB, of a worker."""
    scorer = Scorer()
    scored = scorer.seconds(lambda: scorer.batch(pairs))
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return scored, scorer.loaded, memory


def main() -> None:
    """Print texts a second, the ratio to the loop, load time and memory."""
    pairs = read_pairs(Path(sys.argv[1]))
    scorer = Scorer()
    some = pairs[:PLAIN_SENTENCES]
    batch, plain = [], []
    for _ in range(REPETITIONS):
        batch.append(len(pairs) / scorer.seconds(lambda: scorer.batch(pairs)))
        plain.append(len(some) / scorer.seconds(lambda: scorer.plain(some)))
    one, loop = statistics.median(batch), statistics.median(plain)
    print(f"sentence by sentence  {loop:9,.0f} texts/s")
    print(f"one worker            {one:9,.0f} texts/s, {one / loop:.1f} times (goal {GOAL_ONE:,})")
    half = len(pairs) // 2
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as pool:
        results = list(pool.map(worker, [pairs[:half], pairs[half:]]))
    two = len(pairs) / max(seconds for seconds, _, _ in results)
    print(f"two workers           {two:9,.0f} texts/s, {two / loop:.1f} times (goal {GOAL_TWO:,})")
    print(f"loading               {max(load for _, load, _ in results):9.2f} s a worker")
    print(f"memory                {max(memory for _, _, memory in results):9.0f} MB a worker")


if __name__ == "__main__":
    main()
