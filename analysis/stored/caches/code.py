"""The code behind a Python model, for models that decide themselves what to compute again."""

from typing import Any


def code_behind(dbt: Any, session: Any) -> str:
    """Return the name of all code behind a model: of its own file, of `analysis`, of packages.

    Args:
        dbt: as the model gets it.
        session: likewise.

    """
    # Written out: for a parameter DuckDB would import pandas.
    (row,) = session.execute(
        f"select code from ops.model_code where model = '{dbt.this.identifier}'"
    ).fetchall()
    return str(row[0])


def changed_systems(dbt: Any, session: Any, fingerprints: Any) -> Any:
    """Return corpus, reference_set, system and fingerprint of what the model has no rows for yet.

    Other systems are none of its business. The fingerprint is that of
    macros/tables/forget_changed_systems.sql, fingerprint_with_code.

    Args:
        dbt: as the model gets it.
        session: likewise.
        fingerprints: the relation output_fingerprints.

    """
    fingerprint = f"md5(concat_ws('/', fingerprint, '{code_behind(dbt, session)}')) as fingerprint"
    of_systems = fingerprints.filter("not reads_outputs")
    changed = of_systems.select(f"corpus, reference_set, system, {fingerprint}")
    if dbt.is_incremental:
        changed = changed.filter(f"fingerprint not in (select fingerprint from {dbt.this})")
    return changed
