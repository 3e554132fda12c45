"""Properties of all corpora hold for twenty-four random ones; `make fuzz` tests a thousand."""

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

import pytest
from fuzz import built, ingested, publishing_and_removing
from properties import PROPERTIES, Built
from random_corpora import RandomCorpus, random_corpus

# In the last one a reference deletes everything.
SEEDS = (*range(1, 24), 122)


@pytest.fixture(scope="module")
def corpora() -> list[RandomCorpus]:
    return [random_corpus(seed) for seed in SEEDS]


@pytest.fixture(scope="module")
def folder(corpora: list[RandomCorpus], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a built warehouse of the corpora."""
    path = tmp_path_factory.mktemp("random")
    assert not [*ingested(path, corpora)]
    failure = built(path)
    if failure is not None:
        pytest.fail(
            f"make fuzz SEED=1 CORPORA=24 finds which corpus it is:\n{failure}", pytrace=False
        )
    return path


@pytest.fixture
def warehouse(folder: Path, corpora: list[RandomCorpus]) -> Iterator[Built]:
    built = Built(folder / "warehouse", corpora)
    yield built
    built.connection.close()


@pytest.mark.parametrize("faults", PROPERTIES, ids=lambda faults: faults.__name__)
def test_any_corpus_is_right(faults: Callable[[Built], Iterable[str]], warehouse: Built) -> None:
    assert not [*faults(warehouse)]


def test_marts_fit_together_once_some_are_removed(
    folder: Path, corpora: list[RandomCorpus]
) -> None:
    assert not [*publishing_and_removing(folder, corpora)]
