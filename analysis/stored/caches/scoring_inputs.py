"""The texts and lists of references of scoring requests."""

from typing import Any

import numpy as np
import pyarrow as pa
from duckdb import DuckDBPyConnection, DuckDBPyRelation
from numpy.typing import NDArray

from maege.analysis.workers.chunks import References


class ScoringInputs:
    """Finds the inputs of requests, and reads nothing else.

    Args:
        session: the connection of the relations.
        contents: columns key and a text or an annotation as text.
        lists: columns key and the keys of the texts in a list of references.
        annotations: columns key and the annotations in a list of them.

    """

    def __init__(
        self,
        session: DuckDBPyConnection,
        contents: DuckDBPyRelation,
        lists: DuckDBPyRelation,
        annotations: DuckDBPyRelation,
    ) -> None:
        self._session = session
        self._contents = contents
        self._lists = lists
        self._annotations = annotations

    def of(self, requests: pa.Table) -> tuple[dict[int, str], dict[int, References]]:
        """Return texts and annotations by key, and lists of them by key.

        Args:
            requests: columns source_text_id, hypothesis_text_id and references_key.

        """
        keys = np.unique(requests["references_key"].to_numpy())
        lists = self._named(self._lists, keys)
        annotations = self._named(self._annotations, keys)
        texts = [key for listed in lists.values() for key in listed if key is not None]
        contents: dict[int, str] = self._named(
            self._contents,
            np.unique(
                np.concatenate(
                    [
                        requests["source_text_id"].to_numpy(),
                        requests["hypothesis_text_id"].to_numpy(),
                        np.array(texts, dtype=np.int64),
                    ]
                )
            ),
        )
        references: dict[int, References] = {
            key: tuple(None if text is None else contents[text] for text in of)
            for key, of in lists.items()
        }
        return contents, references | {key: tuple(of) for key, of in annotations.items()}

    def _named(self, relation: DuckDBPyRelation, keys: NDArray[np.int64]) -> dict[int, Any]:
        wanted = self._session.from_arrow(pa.table({"key": keys}))
        return dict(relation.join(wanted, "key", how="semi").fetchall())
