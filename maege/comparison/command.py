"""`maege compare`: which system is better, at which error types, and is it significant."""

import os
import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from maege.analysis.workers import BLAS_THREADS
from maege.commands.outcome import failures, print_exactly, refuse
from maege.comparison.metrics import NoMetricError, chosen_metrics

if TYPE_CHECKING:
    from maege.analysis.compare.gold import Settings
    from maege.analysis.compare.results import Result
    from maege.comparison.reading import Read


class Format(StrEnum):
    """Output formats of a comparison."""

    text = "text"
    json = "json"
    markdown = "markdown"
    latex = "latex"
    html = "html"


# The sections of the help.
WAREHOUSE = "Systems of a warehouse"
COUNTING = "Edits that count"
STATISTICS = "Tests and intervals"
OUTPUT = "Output"
RUNNING = "Running"
SUFFIXES = {
    ".txt": Format.text,
    ".json": Format.json,
    ".md": Format.markdown,
    ".tex": Format.latex,
    ".html": Format.html,
}


@dataclass(frozen=True)
class Written:
    """An output format and its file; None means the terminal."""

    form: Format
    out: Path | None


def compare(
    outputs: Annotated[
        list[Path] | None,
        typer.Argument(
            metavar="BASE OURS...",
            help="System outputs, one sentence per line or M2. The first is the baseline.",
            show_default=False,
        ),
    ] = None,
    gold: Annotated[
        Path | None, typer.Option(metavar="GOLD.m2", help="M2 file with the annotators' edits.")
    ] = None,
    source: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", help="Source sentences, if references are given as texts with --refs."
        ),
    ] = None,
    refs: Annotated[
        list[Path] | None,
        typer.Option(
            metavar="FILE",
            help='Reference text, one sentence per line. Repeat it, or name several: "ref*.txt".',
        ),
    ] = None,
    metrics: Annotated[
        str | None,
        typer.Option(
            metavar="LIST",
            help="Metrics, always with errant. Default: errant,m2, and gleu with --refs.",
        ),
    ] = None,
    out: Annotated[
        list[Path] | None,
        typer.Option(
            metavar="FILE",
            help="File to write; one for each format, in their order or by suffix.",
        ),
    ] = None,
    corpus: Annotated[
        str | None,
        typer.Option(
            metavar="CORPUS",
            help="Corpus of the warehouse, in place of files.",
            rich_help_panel=WAREHOUSE,
        ),
    ] = None,
    systems: Annotated[
        str | None,
        typer.Option(
            metavar="A,B",
            help="Systems of the corpus. The first is the baseline.",
            rich_help_panel=WAREHOUSE,
        ),
    ] = None,
    references: Annotated[
        str | None,
        typer.Option(
            metavar="SET",
            help="Reference set of the corpus. Default: its first set with annotators' edits.",
            rich_help_panel=WAREHOUSE,
        ),
    ] = None,
    match: Annotated[
        Literal["cs", "cse", "ds", "dt"],
        typer.Option(
            help="Rule for matching edits, as in errant_compare.", rich_help_panel=COUNTING
        ),
    ] = "cs",
    gold_edits: Annotated[
        Literal["given", "typed", "auto"] | None,
        typer.Option(
            help="given: the edits of the gold file. typed: with types by ERRANT, as errant_m2 "
            "-gold. auto: extracted by ERRANT, as errant_m2 -auto. Default: given if the gold has "
            "ERRANT's types, otherwise auto.",
            rich_help_panel=COUNTING,
        ),
    ] = None,
    beta: Annotated[
        float,
        typer.Option(min=0, help="Weight of recall in the F score.", rich_help_panel=COUNTING),
    ] = 0.5,
    cat: Annotated[
        int,
        typer.Option(
            min=1,
            max=3,
            help="Error types by operation (1), by category (2), or both (3).",
            rich_help_panel=COUNTING,
        ),
    ] = 3,
    types: Annotated[
        str | None,
        typer.Option(
            metavar="PATTERNS",
            help='Count edits of these types only, such as "R:*,M:DET". LaTeX has tables of types '
            'only with this option; "*" is all types.',
            rich_help_panel=COUNTING,
        ),
    ] = None,
    no_types: Annotated[
        bool,
        typer.Option("--no-types", help="Print no table of error types.", rich_help_panel=COUNTING),
    ] = False,
    language: Annotated[
        str | None,
        typer.Option(
            metavar="TAG",
            help="Language of the texts. Default: the language of the corpus, or en.",
            rich_help_panel=COUNTING,
        ),
    ] = None,
    resamples: Annotated[
        int,
        typer.Option(
            min=0,
            help="Number of resamples for tests and intervals. 0 skips both.",
            rich_help_panel=STATISTICS,
        ),
    ] = 10_000,
    seed: Annotated[
        int,
        typer.Option(
            min=0,
            help="Seed for the bootstrap and permutation resamples.",
            rich_help_panel=STATISTICS,
        ),
    ] = 1,
    alpha: Annotated[
        float,
        typer.Option(
            min=0,
            max=1,
            help="Significance level, after correction for multiple tests.",
            rich_help_panel=STATISTICS,
        ),
    ] = 0.05,
    all_pairs: Annotated[
        bool,
        typer.Option(
            "--all-pairs",
            help="Compare all pairs of systems, not only with the baseline.",
            rich_help_panel=STATISTICS,
        ),
    ] = False,
    margin: Annotated[
        float | None,
        typer.Option(
            min=0,
            help="Also test whether systems differ by less than this (equivalence).",
            rich_help_panel=STATISTICS,
        ),
    ] = None,
    names: Annotated[
        str | None,
        typer.Option(
            metavar="A,B", help="System names. Default: the file names.", rich_help_panel=OUTPUT
        ),
    ] = None,
    form: Annotated[
        list[Format] | None,
        typer.Option(
            "--format",
            help="Output format. Repeat it for several. Default: text.",
            rich_help_panel=OUTPUT,
        ),
    ] = None,
    examples: Annotated[
        int, typer.Option(min=0, help="Number of example edits per list.", rich_help_panel=OUTPUT)
    ] = 5,
    quiet: Annotated[
        bool,
        typer.Option(
            "--quiet",
            help="Print no warnings, and no table if results go to files.",
            rich_help_panel=OUTPUT,
        ),
    ] = False,
    processes: Annotated[
        int,
        typer.Option(min=1, help="Number of processes that parse texts.", rich_help_panel=RUNNING),
    ] = 1,
    no_cache: Annotated[
        bool,
        typer.Option(
            "--no-cache",
            help="Do not use or fill the cache of parsed texts.",
            rich_help_panel=RUNNING,
        ),
    ] = False,
    force: Annotated[
        bool,
        typer.Option("--force", help="Compare texts that look wrong.", rich_help_panel=RUNNING),
    ] = False,
) -> None:
    """Compare the outputs of systems: scores, significance tests, error types, edits.

    A warehouse is needed for --corpus only. Exit code 2 if the input cannot be compared.

    \b
    Examples:
      maege compare --gold gold.m2 base.txt ours.txt
      maege compare --source src.txt --refs ref0.txt --refs ref1.txt base.txt ours.txt
      maege compare --gold gold.m2 a.txt b.txt c.txt --all-pairs --out result.json
      maege compare --corpus conll14 --systems AMU,CAMB --references bn10
    """  # noqa: D301 - click reads the \b
    # NumPy reads this variable when it is imported, which happens later. One thread multiplies
    # small matrices three times as fast as two threads.
    os.environ.update(dict.fromkeys(BLAS_THREADS, "1"))
    written = _written(form or [], out or [])
    on_terminal = [one.form for one in written if one.out is None]
    as_json = on_terminal == [Format.json]
    with failures(as_json, "Nothing was compared."):
        if corpus is not None:
            if outputs or gold or source or refs or names:
                raise typer.BadParameter("choose one of --corpus with --systems, and files")
            read = _read_corpus(corpus, systems, references)
        elif systems or references:
            raise typer.BadParameter("--systems and --references need --corpus")
        else:
            read = _read_files(outputs or [], gold, source, refs or [], names)
        named_language = read.language if language is None else language
        language = "en" if named_language is None else named_language
        settings = _settings(
            metrics=_metrics(metrics, read.gold.reference_texts is not None, language),
            match=match,
            gold_edits=gold_edits,
            beta=beta,
            tier=cat,
            types=None if no_types else () if types is None else _listed(types, "--types"),
            resamples=resamples,
            seed=seed,
            alpha=alpha,
            all_pairs=all_pairs,
            margin=margin,
            language=language,
        )
        # The settings have the language tag in its canonical form.
        named_language = named_language and settings.language
        result = _compared(read, settings, named_language, processes, no_cache, quiet, force)
        with_types = types is not None and not no_types
        for one in written:
            _write(result, one, examples, with_types=with_types)
        if not on_terminal and not quiet:
            _write(result, Written(Format.text, None), examples, with_types=with_types)


def _written(forms: Sequence[Format], outs: Sequence[Path]) -> list[Written]:
    if not outs:
        for form in forms:
            if form is Format.html:
                raise typer.BadParameter(f"{form} needs a file: --out FILE")
        return [Written(form, None) for form in forms or [Format.text]]
    if not forms:
        found = [SUFFIXES.get(path.suffix.lower()) for path in outs]
        for path, known in zip(outs, found, strict=True):
            if known is None:
                raise typer.BadParameter(
                    f"{path}: the format is unknown; give --format, or a suffix of "
                    f"{', '.join(SUFFIXES)}"
                )
        return [Written(form, path) for form, path in zip(found, outs, strict=True) if form]
    if len(forms) != len(outs):
        raise typer.BadParameter(
            f"{len(forms)} formats and {len(outs)} files: give --out once for each --format"
        )
    return [Written(form, path) for form, path in zip(forms, outs, strict=True)]


def _read_corpus(corpus: str, systems: str | None, references: str | None) -> "Read":
    from maege.comparison.corpus_reading import FromCorpus, read_corpus
    from maege.ingest.findings import UnknownNameError
    from maege.ingest.warehouse import WarehouseError, find_warehouse

    if not systems:
        raise typer.BadParameter("no systems of the corpus are given; give --systems BASE,OURS")
    listed = _listed(systems, "--systems")
    _refuse_same(listed, "--systems")
    try:
        return read_corpus(FromCorpus(find_warehouse(), corpus, listed, references))
    except UnknownNameError as error:
        raise typer.BadParameter(str(error)) from None
    except WarehouseError as error:
        refuse(str(error))


def _read_files(
    outputs: Sequence[Path],
    gold: Path | None,
    source: Path | None,
    refs: Sequence[Path],
    names: str | None,
) -> "Read":
    from maege.comparison.reading import Files, read_files

    if not outputs:
        raise typer.BadParameter(
            "no outputs are given; give files, or a corpus of the warehouse: --corpus and --systems"
        )
    named = _names(names, len(outputs))
    return read_files(Files(outputs, *_gold(gold, source, refs), named))


def _gold(
    gold: Path | None, source: Path | None, refs: Sequence[Path]
) -> tuple[Path | None, Path, Sequence[Path]]:
    if gold is not None and (source is not None or refs):
        raise typer.BadParameter("choose one of --gold and --source with --refs")
    if gold is None and (source is None or not refs):
        raise typer.BadParameter(
            "no gold is given; give --gold GOLD.m2, or --source FILE and --refs FILE"
        )
    return gold, source or Path(), [path for named in refs for path in _matching(named)]


def _matching(path: Path) -> list[Path]:
    """Return the files that match a pattern, sorted by name; the path itself if none matches."""
    if path.exists():
        return [path]
    return sorted(path.parent.glob(path.name)) or [path]


def _names(names: str | None, number: int) -> tuple[str, ...]:
    given = () if names is None else _listed(names, "--names")
    if given and len(given) != number:
        raise typer.BadParameter(f"{number} outputs and {len(given)} names", param_hint="--names")
    _refuse_same(given, "--names")
    return given


def _refuse_same(names: Sequence[str], option: str) -> None:
    if len(set(names)) < len(names):
        raise typer.BadParameter("two systems have the same name", param_hint=option)


def _listed(text: str, option: str) -> tuple[str, ...]:
    names = tuple(part.strip() for part in text.split(","))
    if not all(names):
        raise typer.BadParameter(
            f"found an empty name in {text!r}, expected names with commas between them",
            param_hint=option,
        )
    return names


def _metrics(metrics: str | None, has_references: bool, language: str) -> tuple[str, ...]:
    # "m2 gleu", as in sacreBLEU, or "m2,gleu".
    asked = (
        None if metrics is None else _listed(re.sub(r"(?<=\w)\s+(?=\w)", ",", metrics), "--metrics")
    )
    try:
        return chosen_metrics(asked, has_references=has_references, language=language)
    except NoMetricError as error:
        raise typer.BadParameter(str(error), param_hint="--metrics") from None


def _settings(**given: object) -> "Settings":
    from maege.analysis.compare.gold import Settings
    from maege.ingest.languages import canonical_tag

    try:
        language = canonical_tag(str(given["language"]))
    except ValueError as error:
        raise typer.BadParameter(f"expected {error}", param_hint="--language") from None
    return Settings(**{**given, "language": language})  # type: ignore[arg-type]


def _compared(
    read: "Read",
    settings: "Settings",
    language: str | None,
    processes: int,
    no_cache: bool,
    quiet: bool,
    force: bool,
) -> "Result":
    from maege.analysis.compare.types import UnknownTypeError
    from maege.comparison.comparing import compare_files
    from maege.ingest.text_checks import COMMAND

    def warn(text: str) -> None:
        if not quiet:
            typer.echo(f"Warning: {text}", err=True)

    try:
        return compare_files(
            read,
            settings,
            # With one process, texts are parsed in this process.
            processes=processes if processes > 1 else 0,
            keeps=not no_cache,
            force=force,
            language=language,
            caller=COMMAND,
            warn=warn,
        )
    except UnknownTypeError as error:
        raise typer.BadParameter(str(error), param_hint="--types") from None


def _write(result: "Result", written: Written, examples: int, *, with_types: bool) -> None:
    if written.form is Format.text and written.out is None:
        from maege.comparison.terminal import WIDTH, as_text
        from maege.terminal import Terminal

        console = Terminal(width=WIDTH)
        for line in as_text(result, examples):
            console.print(line, soft_wrap=True)
        return
    text = _as(result, written.form, examples, with_types=with_types)
    if written.out is None:
        print_exactly(text)
        return
    from maege.whole_files import write_whole

    write_whole(text, written.out)
    typer.echo(f"{written.form} in {written.out}", err=True)


def _as(result: "Result", form: Format, examples: int, *, with_types: bool) -> str:
    if form is Format.json:
        from maege.comparison.as_json import as_json

        return as_json(result)
    if form is Format.markdown:
        from maege.comparison.pages.markdown import as_markdown

        return as_markdown(result)
    if form is Format.latex:
        from maege.comparison.pages.latex import as_latex

        return as_latex(result, with_types=with_types)
    if form is Format.html:
        from maege.comparison.pages.html import as_html

        return as_html(result)
    from maege.comparison.terminal import as_text

    return "".join(f"{line.plain}\n" for line in as_text(result, examples))
