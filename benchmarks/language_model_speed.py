"""Speed and memory of the ARPA reader, beside the trigram of `fluency` in the same run.

Run with `python benchmarks/language_model_speed.py FOLDER`, a folder of texts, one sentence a line.
The model is made of the texts' own one- to three-word sequences, whose numbers mean nothing. KenLM
reads the same file where it is installed. Seconds are of the processor; texts a second are medians
of several runs in turns.
"""

import statistics
import sys
import time
import tracemalloc
from collections.abc import Callable, Sequence
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory

from maege.analysis.metrics.referenceless.arpa import ArpaModel
from maege.analysis.metrics.referenceless.kenlm_binary import KenlmModel
from maege.analysis.metrics.referenceless.language_models import LanguageModel
from maege.analysis.metrics.referenceless.trigram import Trigram

REPETITIONS = 3


def read_texts(folder: Path) -> list[str]:
    """Return the lines of all files, in lower case."""
    files = sorted(path for path in folder.iterdir() if path.is_file())
    lines = (line for path in files for line in path.read_text(encoding="utf-8").splitlines())
    return [line.lower() for line in lines]


def write_arpa(texts: Sequence[str], path: Path) -> int:
    """Return how many n-grams of the texts were written."""
    grams: list[set[str]] = [{"<s>", "</s>", "<unk>"}, set(), set()]
    for text in texts:
        words = ["<s>", *text.split(), "</s>"]
        for order, of_order in enumerate(grams, start=1):
            starts = range(len(words) - order + 1)
            of_order.update(" ".join(words[start : start + order]) for start in starts)
    lines = ["\\data\\", *(f"ngram {n}={len(of)}" for n, of in enumerate(grams, start=1))]
    for order, of_order in enumerate(grams, start=1):
        weight = "\t-0.301030" if order < len(grams) else ""
        lines += ["", f"\\{order}-grams:", *(f"-1.234567\t{gram}{weight}" for gram in of_order)]
    path.write_text("\n".join([*lines, "", "\\end\\", ""]), encoding="utf-8")
    return sum(map(len, grams))


def seconds(work: Callable[[], object]) -> float:
    """Return the processor's seconds."""
    start = time.process_time()
    work()
    return time.process_time() - start


def main() -> None:
    """Print loading, memory and texts a second."""
    texts = read_texts(Path(sys.argv[1]))
    models: dict[str, LanguageModel] = {}
    with TemporaryDirectory() as folder:
        path = Path(folder) / "texts.arpa"
        n_grams = write_arpa(texts, path)
        tracemalloc.start()
        ArpaModel(path)
        size = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        loading = seconds(lambda: models.update(arpa=ArpaModel(path)))
        if find_spec("kenlm"):
            models["kenlm"] = KenlmModel(path)
    a_million = loading / n_grams * 1e6
    print(f"{n_grams:,} n-grams: {loading:.1f} s to load, {a_million:.1f} s a million")
    print(f"{size / n_grams:.0f} bytes of memory an n-gram")
    trigram = Trigram()
    models["trigram of fluency"] = trigram
    taken: dict[str, list[float]] = {name: [] for name in models}
    for _ in range(REPETITIONS):
        trigram.forget()
        for name, model in models.items():
            taken[name].append(seconds(lambda model=model: model.score(texts)))  # type: ignore[misc]
    medians = {name: statistics.median(values) for name, values in taken.items()}
    for name, median in medians.items():
        ratio = medians["trigram of fluency"] / median
        print(f"{name:20}{len(texts) / median:10,.0f} texts/s, {ratio:.1f} times the trigram")


if __name__ == "__main__":
    main()
