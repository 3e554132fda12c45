"""Macros, without dbt: hashes of rows, white space, and which variables are accepted."""

from pathlib import Path
from typing import Any

import duckdb
import jinja2
import pytest
import yaml

from maege.analysis.metrics.fluency import PUBLISHED
from maege.analysis.texts import squeezed


def row_hash(repository: Path, column_type: str, *rows: str) -> str:
    environment = jinja2.Environment(extensions=["jinja2.ext.do"])  # noqa: S701 - SQL, not HTML
    text = (repository / "macros" / "materializations" / "row_hashes.sql").read_text()
    module: Any = environment.from_string(text).make_module()
    with duckdb.connect() as connection:
        connection.execute(f"create table read (value {column_type})")
        for row in rows:
            connection.execute(f"insert into read values ({row})")
        ((query,),) = connection.execute(module.row_hash_queries(["main.read"])).fetchall()
        ((name, hashed),) = connection.execute(query).fetchall()
    assert name == "main.read"
    return str(hashed)


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


def test_hashes_depend_on_rows_and_columns_and_not_on_order(repository: Path) -> None:
    assert row_hash(repository, "int[]", "[1]", "[]") == row_hash(repository, "int[]", "[]", "[1]")
    assert row_hash(repository, "int[]", "[]") != row_hash(repository, "int[]", "[]", "[]")

    types = ("integer", "bigint", "varchar")
    assert len({row_hash(repository, column_type) for column_type in types}) == len(types)
    assert row_hash(repository, "integer", "1") != row_hash(repository, "bigint", "1")


def test_white_space_in_sql_is_that_of_python(repository: Path) -> None:
    class Adapter:
        def dispatch(self, name: str) -> Any:
            return getattr(module, f"default__{name}")

    text = (repository / "macros" / "texts" / "text.sql").read_text()
    environment = jinja2.Environment()  # noqa: S701 - SQL, not HTML
    module: Any = environment.from_string(text, {"adapter": Adapter()}).make_module()
    # All of Unicode except zero, which no file contains, and surrogates.
    characters = [chr(code) for code in (*range(1, 0xD800), *range(0xE000, 0x110000))]
    between = "a".join(characters)
    ends = [f"{character}a{character}" for character in characters if character.isspace()]
    with duckdb.connect() as connection:
        query = f"select {module.squeezed('unnest($1)')}"
        texts = [row for (row,) in connection.execute(query, [[between, *ends]]).fetchall()]
    assert texts == [squeezed(between), *(["a"] * len(ends))]
    assert len(ends) >= 29


def project_variables(repository: Path) -> dict[str, Any]:
    project = yaml.safe_load((repository / "dbt_project.yml").read_text(encoding="utf-8"))
    variables: dict[str, Any] = project["vars"]
    return variables


def check_variables(
    repository: Path, variables: dict[str, Any], in_file: dict[str, Any] | None = None
) -> None:
    class Exceptions:
        def raise_compiler_error(self, message: str) -> None:
            raise ValueError(message)

    files = ("lattices/max_lattice_edits.sql", "building/check_variables.sql")
    text = "".join((repository / "macros" / file).read_text() for file in files)
    environment = jinja2.Environment(extensions=["jinja2.ext.do"])  # noqa: S701 - SQL, not HTML
    context = {
        "exceptions": Exceptions(),
        "execute": False,
        "var": (project_variables(repository) | (in_file or {}) | variables).__getitem__,
        "invocation_args_dict": {"vars": variables},
    }
    environment.from_string(text, context).make_module().check_variables()  # type: ignore[attr-defined]


def test_the_projects_variables_are_accepted(repository: Path) -> None:
    variables = project_variables(repository)
    check_variables(repository, variables)
    # The table contains each variable.
    for name in variables:
        with pytest.raises(ValueError, match=f"variable {name}: found None; expected "):
            check_variables(repository, {name: None})

    for accepted in (
        {"replication": True},
        {"referenceless_weights": {"meaning": 0, "fluency": 1, "grammaticality": 0}},
    ):
        check_variables(repository, accepted)
    with pytest.raises(ValueError, match=r"found true in .*; expected --vars"):
        check_variables(repository, {}, in_file={"replication": True})


@pytest.mark.parametrize(
    ("variables", "message"),
    [
        ({"lattice": "Full"}, "lattice: found Full; expected chains or full; did you mean full?"),
        ({"gleu_rng": "PY2"}, "found PY2; expected py2 or py3 or expected; did you mean py2?"),
        ({"latice": "full"}, "found the variable latice; expected one of seed, .*mean lattice?"),
        ({"zzz": 1}, "found the variable zzz; expected one of seed, .*, scheduler$"),
        ({"seed": -1}, "seed: found -1; expected a whole number of at least 0"),
        ({"workers": True}, "workers: found True; expected"),
        ({"corpus_draws": 2.5}, "corpus_draws: found 2.5; expected a whole number of at least 1"),
        ({"full_lattice_max_edits": 63}, "expected a whole number from 1 to 62"),
        ({"corrupted_edits": float("nan")}, "found nan; expected a number of at least 0"),
        ({"confidence_level": 95}, "found 95; expected a number from 0.001 to 0.999"),
        ({"corpus_models": [0, 0.5]}, "each entry zero, or a number from 1 to 60"),
        ({"corpus_models": 3}, "corpus_models: found 3; expected a list"),
        ({"metrics": "bleu"}, "metrics: found bleu; expected a list, each entry a name"),
        ({"crowds": {"a": ["b"]}}, "expected a mapping from names, each to a name"),
        ({"adversarial_references": {"a": "b"}}, "expected a mapping .*, each to a list of"),
        ({"combined_judgments": ["a"]}, "combined_judgments: found .* expected a mapping"),
        ({"scheduler": 3}, "scheduler: found 3; expected text"),
        ({"replication": "yes"}, "replication: found yes; expected true or false"),
        *(
            ({"referenceless_weights": weights}, f"found {problem}; expected grammaticality, fluen")
            for weights, problem in (
                ({**PUBLISHED, "fluency": -0.83}, "fluency: -0.83"),
                ({**PUBLISHED, "fluency": float("nan")}, "fluency: nan"),
                ({**PUBLISHED, "fluency": True}, "fluency: True"),
                ({**PUBLISHED, "fluency": 0.84}, "a sum of 1.01"),
                ({"fluency": 1.0}, "{'fluency': 1.0}"),
                ("0.07,0.83,0.1", "0.07,0.83,0.1"),
            )
        ),
    ],
)
def test_invalid_variable_is_rejected(
    variables: dict[str, Any], message: str, repository: Path
) -> None:
    with pytest.raises(ValueError, match=message):
        check_variables(repository, variables)
