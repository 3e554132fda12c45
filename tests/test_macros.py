"""Macros, without dbt: hashes of rows, white space, and which weights are accepted."""

from pathlib import Path
from typing import Any, NamedTuple

import duckdb
import jinja2
import pytest

from analysis.metrics.referenceless.weighted import PUBLISHED
from analysis.white_space import squeezed


class Relation(NamedTuple):
    """What a macro reads of dbt's relation."""

    schema: str
    identifier: str

    def __str__(self) -> str:
        return f"{self.schema}.{self.identifier}"


def row_hash(repository: Path, column_type: str, *rows: str) -> str:
    """Return what the fingerprint of a table holds of a relation with one column and these rows."""
    environment = jinja2.Environment(extensions=["jinja2.ext.do"])  # noqa: S701 - SQL, not HTML
    text = (repository / "macros" / "hash_of_rows.sql").read_text()
    module: Any = environment.from_string(text).make_module()
    relation = Relation("main", "read")
    with duckdb.connect() as connection:
        connection.execute(f"create table read (value {column_type})")
        for row in rows:
            connection.execute(f"insert into read values ({row})")
        ((_, _, hashed),) = connection.execute(module.hashed_columns([relation])).fetchall()
        (row_of_hash,) = connection.execute(
            f"select {module.hash_of_rows(relation, hashed)}"
        ).fetchall()
    return str(row_of_hash[0])


@pytest.mark.parametrize(
    ("column_type", "values"),
    [
        ("double[]", ["null", "[]", "[null]", "[null, null]", "[0]", "[0, null]", "[null, 0]"]),
        ("varchar[]", ["null", "[]", "[null]", "['']", "['a', 'b']", "['b', 'a']"]),
        ("integer[][]", ["null", "[]", "[null]", "[[]]", "[[null]]", "[[], []]"]),
        ("struct(a integer, b integer[])", ["null", "{a: null, b: null}", "{a: null, b: []}"]),
        ("decimal(18, 3)", ["null", "0", "0.001"]),
    ],
)
def test_rows_that_differ_have_different_hashes(
    column_type: str, values: list[str], repository: Path
) -> None:
    hashes = {value: row_hash(repository, column_type, value) for value in values}
    assert len(set(hashes.values())) == len(values), hashes


def test_the_order_of_rows_does_not_matter_and_their_number_does(repository: Path) -> None:
    assert row_hash(repository, "int[]", "[1]", "[]") == row_hash(repository, "int[]", "[]", "[1]")
    assert row_hash(repository, "int[]", "[]") != row_hash(repository, "int[]", "[]", "[]")


def test_white_space_in_sql_is_that_of_python(repository: Path) -> None:
    class Adapter:
        """Has what the macro calls of dbt's."""

        def dispatch(self, name: str) -> Any:
            return getattr(module, f"default__{name}")

    text = (repository / "macros" / "text.sql").read_text()
    environment = jinja2.Environment()  # noqa: S701 - SQL, not HTML
    module: Any = environment.from_string(text, {"adapter": Adapter()}).make_module()
    # All of Unicode but for zero, which no file holds, and the halves of UTF-16.
    characters = [chr(code) for code in (*range(1, 0xD800), *range(0xE000, 0x110000))]
    between = "a".join(characters)
    ends = [f"{one}a{one}" for one in characters if one.isspace()]
    with duckdb.connect() as connection:
        asked = f"select {module.squeezed('unnest($1)')}"
        found = [row for (row,) in connection.execute(asked, [[between, *ends]]).fetchall()]
    assert found == [squeezed(between), *(["a"] * len(ends))]
    assert len(ends) >= 29


def check_weights(repository: Path, weights: object) -> None:
    """Have the macro look at the variable; raise ValueError with what it says of it."""

    class Exceptions:
        def raise_compiler_error(self, message: str) -> None:
            raise ValueError(message)

    text = (repository / "macros" / "check_referenceless_weights.sql").read_text()
    environment = jinja2.Environment()  # noqa: S701 - SQL, not HTML
    module: Any = environment.from_string(text, {"exceptions": Exceptions()}).make_module()
    module.check_referenceless_weights(weights)


@pytest.mark.parametrize(
    ("weights", "found"),
    [
        ({**PUBLISHED, "fluency": -0.83}, "fluency: -0.83"),
        ({**PUBLISHED, "fluency": "much"}, "fluency: much"),
        ({**PUBLISHED, "fluency": float("nan")}, "fluency: nan"),
        ({**PUBLISHED, "fluency": None}, "fluency: None"),
        ({**PUBLISHED, "fluency": True}, "fluency: True"),
        ({**PUBLISHED, "fluency": 0.84}, "a sum of 1.01"),
        ({"fluency": 1.0}, "{'fluency': 1.0}"),
        ("0.07,0.83,0.1", "0.07,0.83,0.1"),
        (None, "None"),
    ],
)
def test_other_weights_than_three_shares_are_refused(
    weights: object, found: str, repository: Path
) -> None:
    with pytest.raises(ValueError, match="variable referenceless_weights") as refused:
        check_weights(repository, weights)
    assert f"found {found}; expected grammaticality, fluency, meaning" in str(refused.value)


def test_three_shares_are_accepted(repository: Path) -> None:
    check_weights(repository, PUBLISHED)
    check_weights(repository, {"meaning": 0, "fluency": 1, "grammaticality": 0})
