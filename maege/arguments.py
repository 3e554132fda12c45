"""Convert the arguments of `maege.score` to lists of texts: frames, arrays, generators, lists.

No data frame library is imported for this. A frame is recognised by its attribute `columns` or
`column_names`. A column is converted by its method `to_pylist` (pyarrow), `to_list` (polars) or
`tolist` (pandas, NumPy).
"""

from collections.abc import Callable, Iterable, Mapping, Set
from typing import Any, NamedTuple

from maege.analysis.direct.scores import TextsError

# The name of the system if one output is given without a name.
ONE = "hypotheses"
AS_LIST = ("to_pylist", "to_list", "tolist")

References = list[tuple[str, ...]]


class Arguments(NamedTuple):
    """Outputs, sources and references, each with one entry per sentence; None if not given."""

    outputs: dict[str, list[str]]
    sources: list[str] | None
    references: References | None

    def each(self, change: Callable[[str], str]) -> "Arguments":
        """Return the arguments with the function applied to every text."""
        outputs, sources, references = self
        return Arguments(
            {name: [*map(change, texts)] for name, texts in outputs.items()},
            None if sources is None else [*map(change, sources)],
            None if references is None else [tuple(map(change, texts)) for texts in references],
        )


def read_arguments(sources: object, hypotheses: object, references: object) -> Arguments:
    """Return outputs, sources and references as lists, by the rules of docs/connect.md.

    Raises:
        TextsError: a text is missing or not a string, or it is ambiguous which sentence a
            reference belongs to; the message names the argument and the place.

    """
    by_name = _columns(ONE, hypotheses)
    if by_name is None:
        outputs = {ONE: read_texts(ONE, hypotheses)}
    else:
        for name in by_name:
            if is_nameless(name):
                raise TextsError(
                    f"{ONE}: found a system with the name {name!r}; expected a name, such as 'base'"
                )
        outputs = {str(name): read_texts(f"{ONE}[{name!r}]", by_name[name]) for name in by_name}
    n_hypotheses = len(next(iter(outputs.values()), ()))
    if sources is None:
        return Arguments(outputs, None, _references(references, n_hypotheses, n_hypotheses))
    read = read_texts("sources", sources)
    listed = _references(references, len(read), n_hypotheses)
    if len(read) == 1:
        read *= n_hypotheses
        if listed is not None and len(listed) == 1:
            listed *= n_hypotheses
    return Arguments(outputs, read, listed)


def is_nameless(name: object) -> bool:
    """Whether a system's key is not a usable name: None, NaN, or only white space."""
    return _is_missing(name) or not str(name).strip()


def _references(references: object, n_sources: int, n_hypotheses: int) -> References | None:
    if references is None:
        return None
    by_name = _columns("references", references)
    if by_name is not None:
        return _across({f"references[{name!r}]": by_name[name] for name in by_name})
    values = _values("references", references)
    if all(isinstance(value, str) or _is_missing(value) for value in values):
        return _references_from_texts(values, n_sources, n_hypotheses)
    # In a column, each entry has the references of one sentence; pandas stores lists as arrays.
    if not _is_column(references) and any(map(_is_column, values)):
        return _references_from_columns(values, n_sources)
    rows = [
        () if _is_missing(value) else _present(place, _values(place, value))
        for place, value in ((f"references[{n}]", value) for n, value in enumerate(values))
    ]
    if len(rows) not in {n_sources, n_hypotheses} and {*map(len, rows)} == {n_hypotheses}:
        raise TextsError(
            f"references: found {len(rows)} lists of {n_hypotheses} texts for {n_hypotheses} "
            "sentences, but an inner list has to hold the references of one sentence; give "
            "references with one text per sentence by name: {'first': [...], 'second': [...]}"
        )
    return rows


def _references_from_texts(values: list[Any], n_sources: int, n_hypotheses: int) -> References:
    """Return one reference per sentence, or all texts as references of the only source."""
    if n_sources != 1 or len(values) == 1:
        return [_present("references", [value], start) for start, value in enumerate(values)]
    if n_hypotheses > 1 and len(values) == n_hypotheses:
        raise TextsError(
            f"references: found {len(values)} texts for one source and {n_hypotheses} hypotheses; "
            "write [[text, text, ...]] if all texts are references of the source, or "
            "[[text], [text], ...] if each text is the reference of one hypothesis"
        )
    return [_present("references", values)]


def _references_from_columns(columns: list[Any], n_sentences: int) -> References:
    read = [_values(f"references[{number}]", column) for number, column in enumerate(columns)]
    lengths = {len(values) for values in read}
    if lengths != {n_sentences} or (len(read) == n_sentences and n_sentences > 1):
        shown = " or ".join(map(str, sorted(lengths)))
        raise TextsError(
            f"references: found {len(read)} columns or arrays of {shown} texts for {n_sentences} "
            "sentences; if each column is one reference, give the columns by name: "
            "{'first': column, ...}; if each has the references of one sentence, give lists: "
            "[list(texts) for texts in references]"
        )
    return _across({f"references[{number}]": values for number, values in enumerate(read)})


def _across(columns: Mapping[str, object]) -> References:
    read = {place: _values(place, column) for place, column in columns.items()}
    if len({len(values) for values in read.values()}) > 1:
        shown = ", ".join(f"{len(values)} in {place}" for place, values in read.items())
        raise TextsError(f"expected columns of references of the same length; found {shown}")
    texts = [
        [_present(place, [value], start) for start, value in enumerate(values)]
        for place, values in read.items()
    ]
    return [sum(row, ()) for row in zip(*texts, strict=True)]


def _present(place: str, values: Iterable[Any], start: int = 0) -> tuple[str, ...]:
    return tuple(
        _text(f"{place}[{number}]", value)
        for number, value in enumerate(values, start)
        if not _is_missing(value)
    )


def read_texts(place: str, texts: object) -> list[str]:
    """Return the texts of a list or column without missing values.

    Raises:
        TextsError: a value is missing or not a string; the message names the place.

    """
    return [_text(f"{place}[{number}]", text) for number, text in enumerate(_values(place, texts))]


def _text(place: str, value: object) -> str:
    if _is_missing(value):
        raise TextsError(
            f"{place} is missing: found {value}, expected a text; remove the sentence from all "
            "arguments, or give '' if the text is empty"
        )
    if not isinstance(value, str):
        raise TextsError(f"{place}: found {value!r:.60}, expected a text")
    if not value.isascii() and any("\ud800" <= letter <= "\udfff" for letter in value):
        raise TextsError(f"{place}: found half of a UTF-16 pair, expected Unicode: {value!r:.60}")
    return value


def _values(place: str, argument: object) -> list[Any]:
    """Return the entries of a column, an array or another iterable; a text is its only entry.

    Raises:
        TextsError: the argument is a frame, a mapping, a set, bytes, or not iterable.

    """
    if isinstance(argument, str):
        return [argument]
    if _columns(place, argument) is not None:
        raise TextsError(
            f"{place}: found a {type(argument).__name__} of columns, expected one text per "
            "sentence; choose one column, such as frame['text']"
        )
    as_list = next((name for name in AS_LIST if hasattr(argument, name)), None)
    values: list[Any]
    if as_list is not None:
        values = getattr(argument, as_list)()
    elif isinstance(argument, Iterable) and not isinstance(argument, Set | bytes | bytearray):
        values = list(argument)
    else:
        raise TextsError(f"{place}: found {argument!r:.60}, expected a list or column of texts")
    return [value.as_py() if hasattr(value, "as_py") else value for value in values]


def _columns(place: str, argument: object) -> Mapping[Any, Any] | None:
    """Return the columns of a frame or mapping by name; None for any other type."""
    if isinstance(argument, Mapping):
        return argument
    names = getattr(argument, "column_names", getattr(argument, "columns", None))
    if names is None or callable(names):
        return None
    listed = list(names)
    if len(set(listed)) < len(listed):
        raise TextsError(
            f"{place}: found two columns with the same name among {listed}; rename one"
        )
    return {name: argument[name] for name in listed}  # type: ignore[index]


def _is_column(value: object) -> bool:
    return any(hasattr(value, name) for name in AS_LIST)


def _is_missing(value: object) -> bool:
    """Whether the value is a missing value: None, NaN, or pandas' NA or NaT."""
    return (
        value is None
        or (isinstance(value, float) and value != value)
        # Missing values of pandas other than NaN.
        or type(value).__name__ in ("NAType", "NaTType")
    )
