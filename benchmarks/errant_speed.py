"""Speed and memory of ERRANT's edits from stored parses against ERRANT itself, in one run.

Run with `python benchmarks/errant_speed.py`. It needs ERRANT's pipeline and the outputs of
CoNLL-2014 in ../shared: a parser's speed on made-up words says nothing. ERRANT parses, aligns,
merges and classifies one pair after the other; ours parses each distinct text once, in batches, and
extracts from what it stored. All edits are compared. One process throughout.
"""

import resource
import time
from collections.abc import Callable
from pathlib import Path
from typing import ParamSpec, TypeVar

import errant
from errant.annotator import Annotator
from spacy.tokens import Doc

from maege.analysis.edits import Annotation, Edit
from maege.analysis.extraction.errant_edits import extract
from maege.analysis.extraction.parses import Parse, parse_texts
from maege.analysis.extraction.pipeline import load_pipeline, pipeline_status
from maege.analysis.extraction.token_table import Reader

OUTPUTS = Path(__file__).resolve().parents[2] / "shared" / "data" / "conll14" / "outputs"
SYSTEMS = ("AMU", "CAMB", "NTHU")
# ERRANT 3.0.2 on one core, AMU's 1,312 outputs (the project's specification).
ERRANT_AMU_SECONDS = 14.4

Parameters = ParamSpec("Parameters")
Result = TypeVar("Result")


def load_pairs() -> dict[str, list[tuple[str, str]]]:
    """Return sources and outputs of each system, without white space at their ends."""
    texts = {
        name: [line.strip() for line in (OUTPUTS / name).read_text(encoding="utf-8").splitlines()]
        for name in ("INPUT", *SYSTEMS)
    }
    return {name: list(zip(texts["INPUT"], texts[name], strict=True)) for name in SYSTEMS}


def timed(
    work: Callable[Parameters, Result], *args: Parameters.args, **kwargs: Parameters.kwargs
) -> tuple[float, Result]:
    """Return the seconds of one run, and its result."""
    started = time.perf_counter()
    result = work(*args, **kwargs)
    return time.perf_counter() - started, result


def megabytes() -> float:
    """Return the most memory that this process has held."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def plain_parses(annotator: Annotator, pairs: list[tuple[str, str]]) -> list[tuple[Doc, Doc]]:
    """Return each pair parsed by ERRANT."""
    return [(annotator.parse(source), annotator.parse(target)) for source, target in pairs]


def plain_edits(annotator: Annotator, documents: list[tuple[Doc, Doc]]) -> list[Annotation]:
    """Return the edits of each pair by ERRANT."""
    return [
        tuple(
            Edit(e.o_start, e.o_end, e.type, (" ".join(token.text for token in e.c_toks),))
            for e in annotator.annotate(source, target)
        )
        for source, target in documents
    ]


def our_edits(pairs: list[tuple[str, str]], parses: dict[str, Parse]) -> list[Annotation]:
    """Return the edits of each pair from stored parses."""
    reader = Reader()
    texts = {text for pair in pairs for text in pair}
    read = {text: reader.read(text, parses[text]) for text in texts}
    return [extract(read[source], read[target]) for source, target in pairs]


def run() -> None:
    """Print one line a system: seconds and rates of both, their ratio, the peak of memory."""
    print(pipeline_status()[0])
    annotator = errant.load("en", load_pipeline())
    words = ("a text", "two texts")
    compiling, _ = timed(our_edits, [words], dict(zip(words, parse_texts(words), strict=True)))
    print(f"first extraction, compilation or its cache included: {compiling:.1f} s")
    print(f"specification: ERRANT, AMU, all: {ERRANT_AMU_SECONDS} s")
    print(f"{'':10}{'parsing s':>18}{'texts/s':>9}{'edits s':>18}{'pairs/s':>9}{'MB':>14}")
    print(f"{'system':10}{'ERRANT':>9}{'ours':>9}{'ours':>9}{'ERRANT':>9}{'ours':>9}", end="")
    print(f"{'ours':>9}{'ratio':>7}{'peak':>7}")
    parses: dict[str, Parse] = {}
    for name, pairs in load_pairs().items():
        # Each system meets parses of the sources, as in a warehouse.
        missing = sorted({text for pair in pairs for text in pair} - parses.keys())
        our_parsing, found = timed(parse_texts, missing)
        parses |= zip(missing, found, strict=True)
        our_seconds, ours = timed(our_edits, pairs, parses)
        peak = megabytes()
        plain_parsing, documents = timed(plain_parses, annotator, pairs)
        seconds, plain = timed(plain_edits, annotator, documents)
        assert ours == plain
        print(
            f"{name:10}{plain_parsing:9.2f}{our_parsing:9.2f}{len(missing) / our_parsing:9.0f}",
            end="",
        )
        print(f"{seconds:9.3f}{our_seconds:9.3f}{len(pairs) / our_seconds:9.0f}", end="")
        print(f"{seconds / our_seconds:6.1f}x{peak:7.0f}")


if __name__ == "__main__":
    run()
