"""The code behind a Python model, for models that decide themselves what to compute again."""

from typing import Any


def code_behind(dbt: Any, session: Any) -> str:
    """Return the name of all code behind a model: of its own file, of `analysis`, of packages.

    Args:
        dbt: as the model gets it.
        session: likewise.

    """
    (row,) = session.execute(
        "select code from ops.model_code where model = $model", {"model": dbt.this.identifier}
    ).fetchall()
    return str(row[0])
