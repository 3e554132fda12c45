"""Meaning preservation: the share of the source's content words that a hypothesis keeps.

Asano, Mizumoto and Inui 2017, "Reference-based Metrics can be Replaced with Reference-less Metrics
in Evaluating Grammatical Error Correction Systems", Equation 2, over content words:

    score = P R / (t P + (1 - t) R),  P = matches / |hypothesis|,  R = matches / |source|,  t = .85

`meaning`: words match by form, by stem, or by near-spelling: a source word that is not in the
dictionary and a hypothesis word that is, with few different letters. Each of the three stages
processes the hypothesis from left to right and takes the first unmatched source word. Content words
are the words that are not in the closed classes of English, whose members can be listed. Words that
also belong to open classes (`might`, `can`, `one`) are treated as closed.

`meaning_meteor`: words match by METEOR 1.5 (Denkowski and Lavie 2014), as in the paper, in the
stages exact, stem and synonym (WordNet's). Content words are all tokens except its function words.
METEOR's own score, with its weights and its penalty, is not used. Matches are counted in each text:
a content word may match a function word of the other text. Java runs the jar in one process per
worker, which ends with its input.
"""

import os
import shutil
import subprocess
from collections.abc import Callable, Iterator, Sequence
from functools import cache, lru_cache, partial
from importlib.util import find_spec
from itertools import islice
from pathlib import Path
from typing import ClassVar

import numpy as np
from rapidfuzz.distance import OSA

from maege.analysis.extraction.pipeline import Missing
from maege.analysis.metrics.families import ENGLISH, FloatArray, Slice, StatisticsFamily
from maege.analysis.metrics.formula import Named, Number, is_equal, where
from maege.analysis.metrics.model_files import ModelFileError, check_hash
from maege.analysis.metrics.scores import FamilyScore

STATISTICS = ("matches", "hypothesis_content_words", "source_content_words")
RECALL_WEIGHT = 0.85
SHORTEST_MISSPELLING = 3

# Texts of a sentence are processed together, and words recur.
_WORDS_REMEMBERED = 200_000
_TEXTS_REMEMBERED = 1 << 12


class Meaning(StatisticsFamily):
    name = "meaning"
    parameters: ClassVar[tuple[tuple[str, str], ...]] = (
        ("case", "lower"),
        ("stem", "snowball-nltk"),
        ("spelling", "en_US-spylls0.1.7"),
        ("words", "closed193"),
    )
    reads_source = True
    languages = ENGLISH
    other_languages = "chrf compares characters with the references in any language"
    statistics: ClassVar[tuple[str, ...]] = STATISTICS

    def _compute_slice(self, piece: Slice) -> FloatArray:
        sources = [piece.texts[row] for row in piece.sources.tolist()]
        hypotheses = [piece.texts[row] for row in piece.hypotheses.tolist()]
        return load_matcher().match(sources, hypotheses)


class MeaningScore(FamilyScore):
    family = Meaning()

    def sentence_score(self, of: Named) -> Number:
        """Return matches / (t |source| + (1 - t) |hypothesis|), which equals Equation 2."""
        length = (
            RECALL_WEIGHT * of["source_content_words"]
            + (1 - RECALL_WEIGHT) * of["hypothesis_content_words"]
        )
        return where(is_equal(length, 0), 1.0, of["matches"] / length)


@cache
def load_matcher() -> "Matcher":
    # Imported here, because it takes a second.
    from nltk.stem.snowball import SnowballStemmer

    return Matcher(SnowballStemmer("english").stem, load_dictionary())


class Matcher:
    def __init__(self, stem: Callable[[str], str], is_word: Callable[[str], bool]) -> None:
        self._stem = lru_cache(_WORDS_REMEMBERED)(stem)
        self._knows = lru_cache(_WORDS_REMEMBERED)(partial(is_known, is_word=is_word))
        self._words = lru_cache(_TEXTS_REMEMBERED)(content_words)

    def match(self, sources: Sequence[str], hypotheses: Sequence[str]) -> FloatArray:
        rows = []
        for source, hypothesis in zip(sources, hypotheses, strict=True):
            source_words, hypothesis_words = self._words(source), self._words(hypothesis)
            matches = self.matches(source_words, hypothesis_words)
            rows.append((matches, len(hypothesis_words), len(source_words)))
        return np.array(rows, dtype=np.float64).reshape(len(rows), len(STATISTICS))

    def matches(self, source: Sequence[str], hypothesis: Sequence[str]) -> int:
        if source == hypothesis:
            return len(source)
        free = list(source)
        unmatched = _unmatched(hypothesis, free, str.__eq__)
        unmatched = _unmatched(unmatched, free, self._has_same_stem)
        if not unmatched:
            return len(hypothesis)
        misspelt = [word for word in free if self._misspelt(word)]
        return len(hypothesis) - len(_unmatched(unmatched, misspelt, self._corrects))

    def _has_same_stem(self, word: str, other: str) -> bool:
        return self._stem(word) == self._stem(other)

    def _corrects(self, word: str, misspelt: str) -> bool:
        limit = max(1, min(3, len(misspelt) // 3))
        return OSA.distance(word, misspelt, score_cutoff=limit) <= limit and self._knows(word)

    def _misspelt(self, word: str) -> bool:
        return len(word) >= SHORTEST_MISSPELLING and word.isalpha() and not self._knows(word)


def _unmatched(
    hypothesis: Sequence[str], free: list[str], is_match: Callable[[str, str], bool]
) -> list[str]:
    """Remove matching words from `free`; return the words without a match."""
    unmatched = []
    for word in hypothesis:
        match = next((other for other in free if is_match(word, other)), None)
        if match is None:
            unmatched.append(word)
        else:
            free.remove(match)
    return unmatched


_CLASSES = {
    "articles and determiners": """
        a an the this that these those each every either neither some any no such another other
        others own same whatever
    """,
    "quantities": "all both few half just least less many more most much one ones once only",
    "personal pronouns": "i you he she it we they me him us them",
    "possessives": "my your his her its our their mine yours hers ours theirs whose",
    "reflexives": """
        myself yourself yourselves himself herself itself ourselves themselves
    """,
    "indefinite pronouns": """
        anybody anyone anything everybody everyone everything nobody none nothing somebody someone
        something
    """,
    "question words": "who whom whoever what which when where why how",
    "auxiliaries": """
        am are be been being did do does doing done had has have having is was were
        can could may might must ought shall should will would
    """,
    "prepositions": """
        about above across after against along among as at before behind below
        between beyond by despite down during except for from in into near of off on onto
        out over per since through to toward towards under until up upon via with within without
    """,
    "conjunctions": """
        also although and because but if nor or so than though unless whereas whether while yet
    """,
    "adverbs of place, time and degree": "again even here now then there too very",
    "negation and clitics": "n't not ' 'd 'll 'm 're 's 've",
}
FUNCTION_WORDS = frozenset(word for members in _CLASSES.values() for word in members.split())


def content_words(text: str) -> list[str]:
    return [
        token
        for token in text.lower().split()
        if token not in FUNCTION_WORDS and any(map(str.isalnum, token))
    ]


# Arguments of pip, if they differ from the name of the package.
_REQUIREMENTS = {
    "kenlm": "kenlm==0.3.0 (needs a C++ compiler and CMake)",
    "nltk": "'maege[meaning]'",
    "pocketsphinx": "'maege[fluency]'",
    "spylls": "'maege[meaning]'",
    "torch": "torch==2.15.0",
    "transformers": "transformers==5.23.0",
}


def missing_package(*names: str) -> Missing | None:
    for name in names:
        if find_spec(name) is None:
            remedy = f"pip install {_REQUIREMENTS.get(name, name)}"
            return Missing(f"the package {name} is not installed", remedy)
    return None


@cache
def load_dictionary() -> Callable[[str], bool]:
    from spylls.hunspell import Dictionary

    lookup: Callable[[str], bool] = Dictionary.from_files("en_US").lookup
    return lookup


def is_known(word: str, is_word: Callable[[str], bool]) -> bool:
    return any(map(is_word, (word, word.lower(), word.capitalize())))


METEOR_PACKAGE, METEOR_VARIABLE = "pycocoevalcap", "METEOR_JAR"
METEOR_SHA256 = "1e57b4c72c0830ebe68558f1c799a624e96cbc1b6045c9f6330e26dcff6eafc2"
METEOR_STATISTICS = (
    *("hypothesis_matches", "source_matches"),
    *("hypothesis_content_words", "source_content_words"),
)
_METEOR_OPTIONS = ("-", "-", "-stdio", "-l", "en", "-lower", "-m", "exact stem synonym")
# METEOR's output for a pair: words, function words, then for each of four stages the matches of
# content words and of function words (hypothesis before reference in each case), then chunks and
# sums.
_NUMBERS = 23
_CONTENT_MATCHES = slice(4, 20, 4)
# Pairs in flight at the same time: few enough to fit in the pipes' buffers.
_UNDER_WAY = 50


class MeteorMeaning(Meaning):
    name = "meaning_meteor"
    parameters = (
        ("meteor", "1.5"),
        ("sha256", METEOR_SHA256[:12]),
        ("stages", "exact+stem+synonym"),
    )
    statistics = METEOR_STATISTICS
    cost: ClassVar[int] = 20

    def _compute_slice(self, piece: Slice) -> FloatArray:
        sources = [piece.texts[row] for row in piece.sources.tolist()]
        hypotheses = [piece.texts[row] for row in piece.hypotheses.tolist()]
        return load_meteor().match(sources, hypotheses)


class MeteorScore(FamilyScore):
    family = MeteorMeaning()

    def sentence_score(self, of: Named) -> Number:
        hypothesis, source = of["hypothesis_content_words"], of["source_content_words"]
        product = of["hypothesis_matches"] * of["source_matches"]
        weighted = (
            RECALL_WEIGHT * of["hypothesis_matches"] * source
            + (1 - RECALL_WEIGHT) * of["source_matches"] * hypothesis
        )
        score = where(is_equal(product, 0), 0.0, product / weighted)
        return where(is_equal(hypothesis + source, 0), 1.0, score)


def jar_path() -> Path | None:
    if named := os.environ.get(METEOR_VARIABLE):
        return Path(named)
    package = find_spec(METEOR_PACKAGE)
    # A namespace package has folders, but no module of its own.
    for folder in (package and package.submodule_search_locations) or ():
        jar = Path(folder) / "meteor" / "meteor-1.5.jar"
        if jar.is_file():
            return jar
    return None


def missing_meteor() -> Missing | None:
    jar = jar_path()
    if jar is None:
        return Missing(
            "METEOR's jar is not here",
            f"pip install {METEOR_PACKAGE}==1.2 (104 MB), "
            f"or name meteor-1.5.jar in {METEOR_VARIABLE}",
        )
    try:
        check_hash(jar, METEOR_SHA256)
    except (ModelFileError, OSError) as error:
        return Missing(
            str(error), f"name the meteor-1.5.jar of {METEOR_PACKAGE} 1.2 in {METEOR_VARIABLE}"
        )
    if shutil.which("java") is None:
        return Missing("Java is missing", "install Java 17, then maege build")
    return None


def _start() -> "subprocess.Popen[str]":
    if missing := missing_meteor():
        raise ModelFileError(f"{missing.reason}; {missing.remedy}")
    return subprocess.Popen(  # noqa: S603 - the jar of a known hash
        ["java", "-Xmx1G", "-jar", str(jar_path()), *_METEOR_OPTIONS],  # noqa: S607 - from the PATH
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        encoding="utf-8",
    )


class Meteor:
    def __init__(self) -> None:
        self._process = _start()

    def match(self, sources: Sequence[str], hypotheses: Sequence[str]) -> FloatArray:
        if self._process.poll() is not None:
            self._process = _start()
        pairs, rows = iter(zip(sources, hypotheses, strict=True)), list[tuple[float, ...]]()
        while batch := list(islice(pairs, _UNDER_WAY)):
            rows += self._answers(batch)
        return np.array(rows, dtype=np.float64).reshape(len(sources), len(METEOR_STATISTICS))

    def _answers(self, pairs: Sequence[tuple[str, str]]) -> Iterator[tuple[float, ...]]:
        assert self._process.stdin is not None  # noqa: S101 - both are pipes
        assert self._process.stdout is not None  # noqa: S101
        for source, hypothesis in pairs:
            self._process.stdin.write(f"SCORE ||| {_line(source)} ||| {_line(hypothesis)}\n")
        self._process.stdin.flush()
        for _ in pairs:
            yield read_answer(self._process.stdout.readline())


load_meteor = cache(Meteor)


def read_answer(line: str) -> tuple[float, ...]:
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
    return " ".join(text.replace("|||", "|").split())
