"""Matches of texts, in their order, even if processes die."""

from collections.abc import Collection, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing
from dataclasses import dataclass
from itertools import islice
from queue import SimpleQueue

from maege.analysis.languagetool.installation import SERVER_VERSION, server_url
from maege.analysis.languagetool.matches import LanguageToolError, Match, TextError
from maege.analysis.languagetool.older_versions import LegacyChecker
from maege.analysis.languagetool.server import (
    LOADED_LANGUAGE,
    GivenServer,
    ManagedServer,
    ServerChecker,
)

# A process of an older version checks this many texts while another one would start.
FEW_TEXTS = 1_000
Checker = ServerChecker | LegacyChecker


@dataclass(frozen=True, slots=True)
class Checked:
    """The result for one text: its matches, or, without any, the error that prevented them."""

    matches: tuple[Match, ...]
    error: str | None = None


def workers_here(version: str, n_texts: int) -> int:
    """Return the number of connections to the server, or of processes of an older version."""
    return 4 if version == SERVER_VERSION else 2 if n_texts > FEW_TEXTS else 1


def check_texts(
    version: str,
    texts: Iterable[str],
    workers: int,
    *,
    disabled_rules: Collection[str] = (),
    language: str = LOADED_LANGUAGE,
    time_limit: float = 30,
    chunk: int = 500,
    server: ManagedServer | None = None,
) -> Iterator[list[Checked]]:
    """Yield the results for the texts, in their order, in chunks.

    A text that fails is tried once more, alone, so that a text that kills LanguageTool affects no
    other text. If it fails again, its result is an error.

    Args:
        workers: connections to the server of 6.6; for 3.7 and 3.1, Java processes of 400 MB each.
        disabled_rules: for 3.7 and 3.1 this equals removing their matches afterwards. 6.6 reports
            one of several overlapping matches, so a disabled rule may reveal another match.
        language: 6.6's code of the language of the texts; 3.7 and 3.1 read American English.
        time_limit: seconds after which a text has failed.
        server: for 6.6, the server to use, which stays open; None starts one for these texts,
            unless LANGUAGETOOL_URL names one.

    Raises:
        LanguageToolError: the version is not installed, or does not start.
    """
    with ExitStack() as stack:
        checkers: list[Checker]
        if version == SERVER_VERSION:
            url = server_url()
            used = GivenServer(url) if url else server
            used = used or stack.enter_context(closing(ManagedServer()))
            checkers = [ServerChecker(used, disabled_rules, language) for _ in range(workers)]
        else:
            checkers = [LegacyChecker(version, disabled_rules) for _ in range(workers)]
        free: SimpleQueue[Checker] = SimpleQueue()
        for checker in checkers:
            stack.callback(checker.close)
            free.put(checker)
        failures: list[LanguageToolError] = []

        def check(text: str, is_second_try: bool = False) -> Checked:
            checker = free.get()
            try:
                if failures:
                    # Other texts would fail as well, and each would wait for a start.
                    raise failures[0]
                if is_second_try and isinstance(checker, ServerChecker):
                    # Its connection may be to a server that another text has ended.
                    checker.close()
                return Checked(checker.check(text, time_limit) if text else ())
            except TextError as error:
                return Checked((), str(error))
            except LanguageToolError as error:
                failures.append(error)
                raise
            finally:
                free.put(checker)

        executor = ThreadPoolExecutor(workers, thread_name_prefix="languagetool")
        try:
            remaining = iter(texts)
            while some := list(islice(remaining, chunk)):
                results = list(executor.map(check, some))
                yield [
                    check(text, is_second_try=True) if result.error else result
                    for text, result in zip(some, results, strict=True)
                ]
        finally:
            executor.shutdown(wait=True, cancel_futures=True)
