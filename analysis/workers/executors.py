"""What `run_chunks` asks of whoever computes chunks: the local pool, or a cluster.

Both are given chunks with their names and hand back results in the order in which chunks finish;
which of them it was is in no result, no key of a cache and no fingerprint.
"""

from collections.abc import Iterable
from typing import Protocol, TypeVar

Chunk = TypeVar("Chunk")
Result = TypeVar("Result")
TakenChunk = TypeVar("TakenChunk", contravariant=True)
GivenResult = TypeVar("GivenResult", covariant=True)


class ChunkError(RuntimeError):
    """A chunk could not be scored; the message says which one and why."""


class ClusterError(ChunkError):
    """The cluster cannot be had, or not any longer, or its workers are not as this machine is."""


class Executor(Protocol[TakenChunk, GivenResult]):
    """Workers, and the chunks that they have in hand."""

    def submit(self, name: str, chunk: TakenChunk) -> None:
        """Hand over a chunk, whose name stands in errors."""

    def is_full(self) -> bool:
        """Return whether a result has to be collected before the next chunk is submitted."""

    def in_hand(self) -> int:
        """Return the number of chunks whose results were not collected yet."""

    def collect(self) -> Iterable[GivenResult]:
        """Wait for at least one chunk, and return the results of those that are finished.

        Raises ChunkError for a chunk that failed, or that nobody is left to compute.
        """

    def close(self) -> None:
        """Take back what is not finished, and let the workers go."""


def chunk_error(name: str, error: BaseException) -> ChunkError:
    """Return what is raised for a chunk whose function raised."""
    return ChunkError(f"{name}: {type(error).__name__}: {error}")
