"""Compile kernels beside a first build, before it has a use for most of them.

    python -m analysis.compile_ahead

dbt does the first third of a small build on one processor. Where compiled code is kept already
this ends at once; who needs a kernel that is being compiled waits for it (metrics/compiled.py).
"""

from analysis.metrics.compiled import has_compiled_code


def compile_kernels() -> None:
    """Call with the least of inputs what calls kernels, in the order in which a build does.

    Those of the I-measure come last: its published examples are the first that a build computes.
    """
    from analysis.extraction.errant_merging import edit_spans
    from analysis.extraction.parses import Parse
    from analysis.extraction.token_table import Reader, token_table
    from analysis.metrics.base import GoldGroup
    from analysis.metrics.edits import Edit, format_annotation
    from analysis.metrics.registry import EDIT_FAMILIES
    from analysis.papers.maege_generators import AnnotatedSentence, published_corpora
    from analysis.statistics.judged_pairs import judgment_counts
    from analysis.statistics.trueskill import trueskill_runs

    trueskill_runs(judgment_counts([0], [1], [-1], 2), 1, seed=1)
    list(published_corpora([AnnotatedSentence(0, {"0": 1})], draws=1))
    reader = Reader()
    source, target = (
        reader.read(text, Parse(text.split(), ["X"] * 2, ["X"] * 2, ["x"] * 2, [0] * 2))
        for text in ("he go", "he goes")
    )
    edit_spans(*token_table(source, target))
    gold = (format_annotation([Edit(1, 2, "X", ("goes",))]),)
    for name in ("m2", "gotoscorer", "imeasure", "imeasure_mix"):
        family = EDIT_FAMILIES[name]
        hypotheses = gold if family.reads_edits else ("he goes",)
        outputs = gold if family.reads_outputs else ()
        family.compute_gold([GoldGroup("he go", gold, hypotheses, outputs)])


if __name__ == "__main__" and not has_compiled_code():
    compile_kernels()
