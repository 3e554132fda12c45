"""`maege compare`: which system is better, at which error types, and is it significant."""

import os
import re
from collections.abc import Sequence
from enum import StrEnum
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from maege.analysis.workers import BLAS_THREADS
from maege.commands.outcome import argument, failures, option, print_exactly, refuse

if TYPE_CHECKING:
    from maege.analysis.compare.results import Result
    from maege.comparison.reading import Read


class Format(StrEnum):
    text = "text"
    json = "json"
    markdown = "markdown"
    latex = "latex"
    html = "html"


# The sections of the help.
warehouse = partial(option, panel="Systems of a warehouse")
counting = partial(option, panel="Edits that count")
statistics = partial(option, panel="Tests and intervals")
output = partial(option, panel="Output")
running = partial(option, panel="Running")
SUFFIXES = {
    ".txt": Format.text,
    ".json": Format.json,
    ".md": Format.markdown,
    ".tex": Format.latex,
    ".html": Format.html,
}


def compare(
    outputs: Annotated[
        list[Path] | None,
        argument(
            "System outputs, one sentence per line or M2. The first is the baseline.",
            "BASE OURS...",
            show_default=False,
        ),
    ] = None,
    gold: Annotated[Path | None, option("M2 file with the annotators' edits.", "GOLD.m2")] = None,
    source: Annotated[
        Path | None,
        option("Source sentences, if references are given as texts with --refs.", "FILE"),
    ] = None,
    refs: Annotated[
        list[Path] | None,
        option(
            'Reference text, one sentence per line. Repeat it, or name several: "ref*.txt".', "FILE"
        ),
    ] = None,
    metrics: Annotated[
        str | None,
        option("Metrics, always with errant. Default: errant,m2, and gleu with --refs.", "LIST"),
    ] = None,
    out: Annotated[
        list[Path] | None,
        option("File to write; one for each format, in their order or by suffix.", "FILE"),
    ] = None,
    corpus: Annotated[
        str | None, warehouse("Corpus of the warehouse, in place of files.", "CORPUS")
    ] = None,
    systems: Annotated[
        str | None, warehouse("Systems of the corpus. The first is the baseline.", "A,B")
    ] = None,
    references: Annotated[
        str | None,
        warehouse(
            "Reference set of the corpus. Default: its first set with annotators' edits.", "SET"
        ),
    ] = None,
    match: Annotated[
        Literal["cs", "cse", "ds", "dt"], counting("Rule for matching edits, as in errant_compare.")
    ] = "cs",
    gold_edits: Annotated[
        Literal["given", "typed", "auto"] | None,
        counting(
            "given: the edits of the gold file. typed: with types by ERRANT, as errant_m2 "
            "-gold. auto: extracted by ERRANT, as errant_m2 -auto. Default: given if the gold has "
            "ERRANT's types, otherwise auto."
        ),
    ] = None,
    beta: Annotated[float, counting("Weight of recall in the F score.", min=0)] = 0.5,
    cat: Annotated[
        int, counting("Error types by operation (1), by category (2), or both (3).", min=1, max=3)
    ] = 3,
    types: Annotated[
        str | None,
        counting(
            'Count edits of these types only, such as "R:*,M:DET". LaTeX has tables of types '
            'only with this option; "*" is all types.',
            "PATTERNS",
        ),
    ] = None,
    no_types: Annotated[
        bool, counting("Print no table of error types.", None, "--no-types")
    ] = False,
    language: Annotated[
        str | None,
        counting("Language of the texts. Default: the language of the corpus, or en.", "TAG"),
    ] = None,
    resamples: Annotated[
        int, statistics("Number of resamples for tests and intervals. 0 skips both.", min=0)
    ] = 10_000,
    seed: Annotated[
        int, statistics("Seed for the bootstrap and permutation resamples.", min=0)
    ] = 1,
    alpha: Annotated[
        float, statistics("Significance level, after correction for multiple tests.", min=0, max=1)
    ] = 0.05,
    all_pairs: Annotated[
        bool,
        statistics(
            "Compare all pairs of systems, not only with the baseline.", None, "--all-pairs"
        ),
    ] = False,
    margin: Annotated[
        float | None,
        statistics("Also test whether systems differ by less than this (equivalence).", min=0),
    ] = None,
    names: Annotated[str | None, output("System names. Default: the file names.", "A,B")] = None,
    form: Annotated[
        list[Format] | None,
        output("Output format. Repeat it for several. Default: text.", None, "--format"),
    ] = None,
    examples: Annotated[int, output("Number of example edits per list.", min=0)] = 5,
    quiet: Annotated[
        bool, output("Print no warnings, and no table if results go to files.", None, "--quiet")
    ] = False,
    processes: Annotated[int, running("Number of processes that parse texts.", min=1)] = 1,
    no_cache: Annotated[
        bool, running("Do not use or fill the cache of parsed texts.", None, "--no-cache")
    ] = False,
    force: Annotated[bool, running("Compare texts that look wrong.", None, "--force")] = False,
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
    targets = _targets(form or [], out or [])
    on_terminal = [target for target, path in targets if path is None]
    with failures(on_terminal == [Format.json], "Nothing was compared."):
        from maege.comparison.comparing import compare_files
        from maege.ingest.text_checks import COMMAND

        if corpus is not None:
            if outputs or gold or source or refs or names:
                raise typer.BadParameter("choose one of --corpus with --systems, and files")
            read = _read_corpus(corpus, systems, references)
        elif systems or references:
            raise typer.BadParameter("--systems and --references need --corpus")
        else:
            read = _read_files(outputs or [], gold, source, refs or [], names)
        result = compare_files(
            read,
            # "m2 gleu", as in sacreBLEU, or "m2,gleu".
            None if metrics is None else _listed(re.sub(r"(?<=\w)\s+(?=\w)", ",", metrics)),
            language,
            # With one process, texts are parsed in this process.
            processes=processes if processes > 1 else 0,
            keeps=not no_cache,
            force=force,
            caller=COMMAND,
            warn=lambda text: None if quiet else typer.echo(f"Warning: {text}", err=True),
            match=match,
            gold_edits=gold_edits,
            beta=beta,
            tier=cat,
            types=None if no_types else () if types is None else _listed(types),
            resamples=resamples,
            seed=seed,
            alpha=alpha,
            all_pairs=all_pairs,
            margin=margin,
        )
        if not on_terminal and not quiet:
            targets.append((Format.text, None))
        for target, path in targets:
            with_types = types is not None and not no_types
            _write(result, target, path, examples, with_types=with_types)


def _targets(forms: Sequence[Format], outs: Sequence[Path]) -> list[tuple[Format, Path | None]]:
    """Return output formats with their files; None is the terminal."""
    if not outs:
        if Format.html in forms:
            raise typer.BadParameter("html needs a file: --out FILE")
        return [(form, None) for form in forms or [Format.text]]
    if not forms:
        for path in outs:
            if path.suffix.lower() not in SUFFIXES:
                raise typer.BadParameter(
                    f"{path}: the format is unknown; give --format, or a suffix of "
                    f"{', '.join(SUFFIXES)}"
                )
        forms = [SUFFIXES[path.suffix.lower()] for path in outs]
    if len(forms) != len(outs):
        raise typer.BadParameter(
            f"{len(forms)} formats and {len(outs)} files: give --out once for each --format"
        )
    return list(zip(forms, outs, strict=True))


def _read_corpus(corpus: str, systems: str | None, references: str | None) -> "Read":
    from maege.comparison.corpus_reading import read_corpus
    from maege.ingest.warehouse import WarehouseError, find_warehouse

    listed = _listed(systems or "")
    if not listed:
        raise typer.BadParameter("no systems of the corpus are given; give --systems BASE,OURS")
    _refuse_same(listed, "--systems")
    try:
        return read_corpus(find_warehouse(), corpus, listed, references)
    except WarehouseError as error:
        refuse(str(error))


def _read_files(
    outputs: Sequence[Path],
    gold: Path | None,
    source: Path | None,
    refs: Sequence[Path],
    names: str | None,
) -> "Read":
    from maege.comparison.reading import read_files

    if not outputs:
        raise typer.BadParameter(
            "no outputs are given; give files, or a corpus of the warehouse: --corpus and --systems"
        )
    listed = _listed(names or "")
    if listed and len(listed) != len(outputs):
        raise typer.BadParameter(
            f"{len(outputs)} outputs and {len(listed)} names", param_hint="--names"
        )
    _refuse_same(listed, "--names")
    if gold is not None and (source is not None or refs):
        raise typer.BadParameter("choose one of --gold and --source with --refs")
    if gold is None and (source is None or not refs):
        raise typer.BadParameter(
            "no gold is given; give --gold GOLD.m2, or --source FILE and --refs FILE"
        )
    # A pattern such as "ref*.txt" is all files that match, sorted by name.
    references = [
        path
        for named in refs
        for path in ([named] if named.exists() else sorted(named.parent.glob(named.name)))
        or [named]
    ]
    return read_files(outputs, gold, source, references, listed)


def _refuse_same(names: Sequence[str], option: str) -> None:
    if len(set(names)) < len(names):
        raise typer.BadParameter("two systems have the same name", param_hint=option)


def _listed(text: str) -> tuple[str, ...]:
    return tuple(part.strip() for part in text.split(",") if part.strip())


def _write(
    result: "Result", form: Format, path: Path | None, examples: int, *, with_types: bool
) -> None:
    if form is Format.json:
        from maege.comparison.as_json import as_json

        text = as_json(result)
    elif form is Format.html:
        from maege.comparison.pages.html import as_html

        text = as_html(result)
    elif form is Format.text:
        from maege.comparison.terminal import WIDTH, as_text, show
        from maege.terminal import Terminal

        if path is None:
            show(result, examples, Terminal(width=WIDTH))
            return
        text = as_text(result, examples)
    else:
        from maege.comparison.pages.text import as_latex, as_markdown

        is_latex = form is Format.latex
        text = as_latex(result, with_types=with_types) if is_latex else as_markdown(result)
    if path is None:
        print_exactly(text)
        return
    from maege.whole_files import write_whole

    write_whole(text, path)
    typer.echo(f"{form} in {path}", err=True)
