"""SQL and Python agree on where a family keeps each statistic."""

from pathlib import Path

import jinja2
import pytest

from analysis.metrics.registry import FAMILIES


@pytest.mark.parametrize("family", FAMILIES)
def test_sql_names_the_statistics_of_a_family_as_python_does(family: str, repository: Path) -> None:
    returned: list[list[str]] = []
    environment = jinja2.Environment(autoescape=True)
    # dbt's `return` hands a macro's value over; here it is kept for the comparison.
    environment.globals["return"] = returned.append
    text = (repository / "macros" / "sufficient_statistics.sql").read_text()
    environment.from_string(text).make_module().statistic_names(family)  # type: ignore[attr-defined]
    assert returned == [list(FAMILIES[family].statistics)]
