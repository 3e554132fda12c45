"""Which metrics have to be looked at again: incremental models whose rows are of one metric each.

Their rows of a metric on a reference set stay as long as its sentence scores, its signatures, the
model's code and what the model names besides are the same; those of a metric that sums statistics
as long as these are, too, since other statistics may give the same sentence scores. One metric more
then costs what it costs alone.
"""

import hashlib
from typing import Any

from maege.analysis.stored.caches.code import code_behind
from maege.analysis.stored.rows import sql_list
from maege.analysis.stored.statistics import selected_signatures
from maege.analysis.system_scores import summed_by

# Corpus, reference set and metric in one column, because dbt deletes by a single one.
KEY = "concat_ws('/', corpus, reference_set, metric)"


class ChangedScores:
    """The scores of metrics that are new or changed on a reference set.

    `versions` has one entry for each, by `scores_key`; `metrics` and `sets` (corpus/reference set)
    are those of which there is any. `settings` names what the rows of a metric depend on besides
    scores and statistics.
    """

    def __init__(
        self,
        dbt: Any,
        session: Any,
        scores: Any,
        registry: Any,
        *depends_on: object,
        summed_over: Any = None,
    ) -> None:
        """Compare the scores with the rows that the model has.

        Args:
            dbt: as the model gets it. Its table has the columns scores_key and version.
            session: likewise.
            scores: relation with columns corpus, reference_set, metric, system, sentence_id, score.
            registry: the relation metric_registry.
            depends_on: settings, or what `content` returns; all that the rows depend on besides.
            summed_over: the relation system_inputs, for models that sum statistics: it names them.

        """
        self._scores = scores
        self.signatures = selected_signatures(registry)
        # Of metrics that are scored elsewhere the scores themselves are all there is.
        read = dict(
            registry.filter("is_selected and scored_by = 'warehouse'")
            .aggregate("metric, list(distinct signature_key order by signature_key)", "metric")
            .fetchall()
        )
        code = code_behind(dbt, session)
        contents = scores.query(
            "scores",
            f"select {KEY}, metric, sum(hash(system, sentence_id, score)::hugeint)::varchar "
            "from scores group by all",
        ).fetchall()
        inputs = {} if summed_over is None else _inputs_of_sets(summed_over)
        current = {}
        self.settings = {
            metric: repr((read.get(metric), code, depends_on)) for _, metric, _ in contents
        }
        for key, metric, scored in contents:
            of_set = key.rsplit("/", 1)[0]
            summed = inputs.get(of_set) if summed_by(metric) else None
            version = repr((scored, summed, self.settings[metric]))
            current[key] = hashlib.sha256(version.encode()).hexdigest()
        kept = (
            dict(session.sql(f"select distinct scores_key, version from {dbt.this}").fetchall())
            if dbt.is_incremental
            else {}
        )
        self.versions = {
            key: version for key, version in current.items() if kept.get(key) != version
        }
        parts = [key.rsplit("/", 1) for key in self.versions]
        self.sets = sorted({of_set for of_set, _ in parts})
        self.metrics = sorted({metric for _, metric in parts})

    def __bool__(self) -> bool:
        """Return whether there is any."""
        return bool(self.versions)

    def rows(self) -> Any:
        """Return their rows, a relation."""
        return self._scores.filter(f"{KEY} in {sql_list(self.versions)}")

    def family_signatures(self) -> dict[str, int]:
        """Return the signature keys of the families whose statistics these metrics sum."""
        return {
            name: self.signatures[name] for metric in self.metrics for name in summed_by(metric)
        }

    def parts_without(self, rows: list[dict[str, Any]]) -> list[dict[str, str]]:
        """Return key and version of every part that has none of the rows.

        Written as a row of its own it replaces what the part had, and says that it was looked at.
        """
        written = {row["scores_key"] for row in rows}
        return [
            {"scores_key": key, "version": version}
            for key, version in self.versions.items()
            if key not in written
        ]

    def part(self, corpus: str, reference_set: str, metric: str) -> dict[str, str]:
        """Return the columns scores_key and version of the rows of one part."""
        key = f"{corpus}/{reference_set}/{metric}"
        return {"scores_key": key, "version": self.versions[key]}


def content(relation: Any) -> str:
    """Return a name for all rows of a relation, in whatever order.

    DuckDB hashes [], [NULL] and NULL alike, which a list's length tells apart.
    """
    types = zip(relation.columns, relation.types, strict=True)
    lengths = [f'len("{column}")' for column, type_ in types if str(type_).endswith("[]")]
    (row,) = relation.query(
        "named",
        f"select count(*), sum(hash({', '.join(['named', *lengths])})::hugeint)::varchar "
        "from named",
    ).fetchall()
    return repr(row)


def _inputs_of_sets(inputs: Any) -> dict[str, str]:
    """Return a name for all that families read of the systems on each corpus/reference set."""
    return dict(
        inputs.query(
            "inputs",
            "select concat_ws('/', corpus, reference_set), sum(hash(inputs)::hugeint)::varchar "
            "from inputs group by all",
        ).fetchall()
    )
