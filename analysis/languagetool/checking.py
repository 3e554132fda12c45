"""Matches of texts, in their order, even if processes die."""

from collections.abc import Collection, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import islice
from queue import SimpleQueue

from maege.analysis.languagetool.client import ServerChecker
from maege.analysis.languagetool.installation import SERVER_VERSION, server_url
from maege.analysis.languagetool.matches import Checker, LanguageToolError, Match, TextError
from maege.analysis.languagetool.older_versions import LegacyChecker
from maege.analysis.languagetool.server import GivenServer, ManagedServer

TIME_LIMIT = 30.0
CHUNK = 500
SERVER_WORKERS = 4


@dataclass(frozen=True, slots=True)
class Checked:
    """The result for one text: its matches, or, without any, the error that prevented them."""

    matches: tuple[Match, ...]
    error: str | None = None


def check_texts(
    version: str,
    texts: Iterable[str],
    workers: int = SERVER_WORKERS,
    *,
    disabled_rules: Collection[str] = (),
    language: str = "en-US",
    time_limit: float = TIME_LIMIT,
    chunk: int = CHUNK,
) -> Iterator[list[Checked]]:
    """Yield the results for the texts, in their order, in chunks.

    A text that fails is tried once more, alone, so that a text that kills LanguageTool affects no
    other text. If it fails again, its result is an error.

    Args:
        version: one of `maege.analysis.languagetool.installation.VERSIONS`.
        texts: consumed as they are checked.
        workers: connections to the server of 6.6; for 3.7 and 3.1, Java processes of 400 MB each.
        disabled_rules: rules that are disabled, none by default. For 3.7 and 3.1 this equals
            removing their matches afterwards. 6.6 reports one of several overlapping matches, so a
            disabled rule may reveal another match.
        language: 6.6's code of the language of the texts; 3.7 and 3.1 read American English.
        time_limit: seconds after which a text has failed.
        chunk: texts per chunk.

    Raises:
        LanguageToolError: the version is not installed, or does not start.

    """
    with _checkers(version, workers, disabled_rules, language) as checkers:
        trials = _Trials(checkers, time_limit)
        executor = ThreadPoolExecutor(workers, thread_name_prefix="languagetool")
        try:
            remaining = iter(texts)
            while some := list(islice(remaining, chunk)):
                results = list(executor.map(trials.check, some))
                yield [
                    trials.check_again(text) if result is None else result
                    for text, result in zip(some, results, strict=True)
                ]
        finally:
            executor.shutdown(wait=True, cancel_futures=True)


@contextmanager
def _checkers(
    version: str, workers: int, disabled_rules: Collection[str], language: str
) -> Iterator[list[Checker]]:
    checkers: list[Checker] = []
    url = server_url()
    server = None
    if version != SERVER_VERSION:
        checkers += [LegacyChecker(version, disabled_rules) for _ in range(workers)]
    else:
        server = GivenServer(url) if url else ManagedServer()
        checkers += [ServerChecker(server, disabled_rules, language) for _ in range(workers)]
    try:
        yield checkers
    finally:
        for checker in checkers:
            checker.close()
        if server is not None:
            server.close()


class _Trials:
    """Checks texts, several at a time, and failed texts once more, alone."""

    def __init__(self, checkers: list[Checker], time_limit: float) -> None:
        self._free: SimpleQueue[Checker] = SimpleQueue()
        for checker in checkers:
            self._free.put(checker)
        self._time_limit = time_limit
        self._failure: LanguageToolError | None = None

    def check(self, text: str) -> Checked | None:
        """Return the result of the first try, None if it failed."""
        try:
            return Checked(self._check(text) if text else ())
        except TextError:
            return None

    def check_again(self, text: str) -> Checked:
        """Return the result of the second try."""
        try:
            return Checked(self._check(text, renewed=True))
        except TextError as error:
            return Checked((), str(error))

    def _check(self, text: str, renewed: bool = False) -> tuple[Match, ...]:
        checker = self._free.get()
        try:
            if self._failure is not None:
                raise self._failure
            if renewed:
                checker.renew()
            return checker.check(text, self._time_limit)
        except LanguageToolError as error:
            # Other texts would fail as well, and each would wait for a start.
            self._failure = error
            raise
        finally:
            self._free.put(checker)
