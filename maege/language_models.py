"""The user's own language models, added by `maege metric add --language-model`."""

from pathlib import Path

from maege.analysis.metrics.referenceless.fluency import load_model, missing_package
from maege.analysis.metrics.referenceless.language_models.causal import count_unigrams
from maege.analysis.metrics.referenceless.language_models.interface import file_hash
from maege.ingest.findings import BadInputError, Findings
from maege.ingest.reading import read_text


def declared_model(path: Path, unigrams: Path | None, metrics_file: Path) -> dict[str, object]:
    """Return the entry of a model in metrics.yml, after reading the whole model.

    Args:
        path: a file or a folder.
        unigrams: a text whose token counts are first written to the folder.
        metrics_file: path of metrics.yml; models next to it are stored as relative paths.

    Raises:
        ModelFileError: the model is missing or damaged, or a package to read it is missing.
        BadInputError: the text cannot be read.

    """
    # `load_model` raises an error if the package is missing.
    if unigrams is not None and missing_package(path) is None:
        findings = Findings()
        text = read_text(unigrams, findings)
        if text is None:
            raise BadInputError(findings)
        count_unigrams(path, text.lines)
    load_model(path)
    sha256 = file_hash(path)
    folder, absolute = metrics_file.resolve().parent, path.expanduser().resolve()
    inside = absolute.is_relative_to(folder)
    written = absolute.relative_to(folder) if inside else absolute
    return {"language_model": str(written), "sha256": sha256}
