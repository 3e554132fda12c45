"""Meaning preservation by METEOR's matcher: `meaning` with WordNet's synonyms, as in the paper.

Asano, Mizumoto and Inui 2017, Equation 2, over METEOR 1.5's content words (Denkowski and Lavie
2014), that is, all tokens except its function words. The stages are exact, stem and synonym.
METEOR's own score, with its weights and its penalty, is not used:

    score = P R / (t P + (1 - t) R),  P = matches / |hypothesis|,  R = matches / |source|,  t = .85

Matches are counted in each text: a content word may match a function word of the other text. Java
runs the jar in one process per worker, which ends with its input.
"""

import os
import shutil
import subprocess
from collections.abc import Iterator, Sequence
from functools import cache
from importlib.util import find_spec
from itertools import islice
from pathlib import Path
from typing import ClassVar

import numpy as np

from maege.analysis.extraction.pipeline import Missing
from maege.analysis.metrics.families.base import ENGLISH, FloatArray, Slice, StatisticsFamily
from maege.analysis.metrics.language_models.interface import (
    ModelFileError,
    check_hash,
)
from maege.analysis.metrics.referenceless.meaning import RECALL_WEIGHT
from maege.analysis.metrics.scores.formula import Named, Number, is_equal, where
from maege.analysis.metrics.scores.score import FamilyScore

PACKAGE, VARIABLE = "pycocoevalcap", "METEOR_JAR"
SHA256 = "1e57b4c72c0830ebe68558f1c799a624e96cbc1b6045c9f6330e26dcff6eafc2"
STATISTICS = (
    *("hypothesis_matches", "source_matches"),
    *("hypothesis_content_words", "source_content_words"),
)
_OPTIONS = ("-", "-", "-stdio", "-l", "en", "-lower", "-m", "exact stem synonym")
# METEOR's output for a pair: words, function words, then for each of four stages the matches of
# content words and of function words (hypothesis before reference in each case), then chunks and
# sums.
_NUMBERS = 23
_CONTENT_MATCHES = slice(4, 20, 4)
# Pairs in flight at the same time: few enough to fit in the pipes' buffers.
_UNDER_WAY = 50


class MeteorMeaning(StatisticsFamily):
    """Numbers of content words that METEOR matches, and of content words in each text."""

    name = "meaning_meteor"
    version = "1"
    parameters = (("meteor", "1.5"), ("sha256", SHA256[:12]), ("stages", "exact+stem+synonym"))
    reads_source = True
    reads_references = False
    languages = ENGLISH
    other_languages = "chrf compares characters with the references in any language"
    per_reference = False
    statistics = STATISTICS
    cost: ClassVar[int] = 20

    def _compute_slice(self, piece: Slice) -> FloatArray:
        sources = [piece.texts[row] for row in piece.sources.tolist()]
        hypotheses = [piece.texts[row] for row in piece.hypotheses.tolist()]
        return load_matcher().match(sources, hypotheses)


class MeteorScore(FamilyScore):
    """Equation 2: 1 if neither text has a content word, 0 if nothing matches."""

    family = MeteorMeaning()

    def sentence_score(self, of: Named) -> Number:
        """Return the score, with both shares multiplied by both lengths."""
        hypothesis, source = of["hypothesis_content_words"], of["source_content_words"]
        product = of["hypothesis_matches"] * of["source_matches"]
        weighted = (
            RECALL_WEIGHT * of["hypothesis_matches"] * source
            + (1 - RECALL_WEIGHT) * of["source_matches"] * hypothesis
        )
        score = where(is_equal(product, 0), 0.0, product / weighted)
        return where(is_equal(hypothesis + source, 0), 1.0, score)


def jar_path() -> Path | None:
    """Return METEOR's jar: the path in METEOR_JAR, else the one in the package, else None."""
    if named := os.environ.get(VARIABLE):
        return Path(named)
    package = find_spec(PACKAGE)
    # A namespace package has folders, but no module of its own.
    for folder in (package and package.submodule_search_locations) or ():
        jar = Path(folder) / "meteor" / "meteor-1.5.jar"
        if jar.is_file():
            return jar
    return None


def missing_meteor() -> Missing | None:
    """Return why METEOR cannot run here, None if it can."""
    jar = jar_path()
    if jar is None:
        return Missing(
            "METEOR's jar is not here",
            f"pip install {PACKAGE}==1.2 (104 MB), or name meteor-1.5.jar in {VARIABLE}",
        )
    try:
        check_hash(jar, SHA256)
    except (ModelFileError, OSError) as error:
        return Missing(str(error), f"name the meteor-1.5.jar of {PACKAGE} 1.2 in {VARIABLE}")
    if shutil.which("java") is None:
        return Missing("Java is missing", "install Java 17, then maege build")
    return None


@cache
def load_matcher() -> "Matcher":
    """Return the matcher of this process."""
    return Matcher()


def _start() -> "subprocess.Popen[str]":
    """Start METEOR; raise ModelFileError if it cannot run."""
    jar, missing = jar_path(), missing_meteor()
    if jar is None or missing is not None:
        raise ModelFileError(f"{missing.reason}; {missing.remedy}" if missing else "no jar")
    return subprocess.Popen(  # noqa: S603 - the jar of a known hash
        ["java", "-Xmx1G", "-jar", str(jar), *_OPTIONS],  # noqa: S607 - from the PATH
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        encoding="utf-8",
    )


class Matcher:
    """A running METEOR process, restarted if it has ended."""

    def __init__(self) -> None:
        """Start METEOR; raise ModelFileError if it cannot run."""
        self._process = _start()

    @property
    def runs(self) -> bool:
        """Return whether the METEOR process is running."""
        return self._process.poll() is None

    def match(self, sources: Sequence[str], hypotheses: Sequence[str]) -> FloatArray:
        """Return one row for each source and its hypothesis, with the columns of STATISTICS."""
        if not self.runs:
            self._process = _start()
        pairs, rows = iter(zip(sources, hypotheses, strict=True)), list[tuple[float, ...]]()
        while batch := list(islice(pairs, _UNDER_WAY)):
            rows += self._answers(batch)
        return np.array(rows, dtype=np.float64).reshape(len(sources), len(STATISTICS))

    def _answers(self, pairs: Sequence[tuple[str, str]]) -> Iterator[tuple[float, ...]]:
        assert self._process.stdin is not None  # noqa: S101 - both are pipes
        assert self._process.stdout is not None  # noqa: S101
        for source, hypothesis in pairs:
            self._process.stdin.write(f"SCORE ||| {_line(source)} ||| {_line(hypothesis)}\n")
        self._process.stdin.flush()
        for _ in pairs:
            yield read_answer(self._process.stdout.readline())


def read_answer(line: str) -> tuple[float, ...]:
    """Return STATISTICS from a line of METEOR's output; raise RuntimeError for other lines."""
    numbers = line.split()
    if len(numbers) != _NUMBERS:
        raise RuntimeError(f"METEOR returned {line[:200]!r}; expected {_NUMBERS} numbers")
    values = [float(number) for number in numbers]
    words, source_words, function_words, source_function_words = values[:4]
    return (
        sum(values[_CONTENT_MATCHES]),
        sum(values[_CONTENT_MATCHES.start + 1 : _CONTENT_MATCHES.stop : _CONTENT_MATCHES.step]),
        words - function_words,
        source_words - source_function_words,
    )


def _line(text: str) -> str:
    """Return a text as a part of a line, without line ends and separators."""
    return " ".join(text.replace("|||", "|").split())
