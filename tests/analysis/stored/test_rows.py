"""Names in SQL."""

from analysis.stored.rows import sql_list


def test_a_quote_in_a_name_stays_within_the_name() -> None:
    assert sql_list(["conll14", "o'brien"]) == "('conll14', 'o''brien')"


def test_no_value_is_in_an_empty_list() -> None:
    assert sql_list([]) == "(null)"
