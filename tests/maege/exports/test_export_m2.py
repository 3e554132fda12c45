"""`maege export m2`: any annotation set as one M2 file."""

from pathlib import Path

from small_corpus import FILES, MANIFEST, ingest, load, maege, write_corpus


def test_a_file_comes_back_as_it_was(tmp_path: Path) -> None:
    load(tmp_path)

    exported = maege(tmp_path / "warehouse", "export", "m2", "small", "shared").stdout

    assert exported == FILES["edits.m2"] + "\n"


def test_annotators_of_several_files_are_numbered_and_named(tmp_path: Path) -> None:
    manifest = MANIFEST.replace("{A1: one.m2}", "{A10: one.m2, A2: two.m2}")
    other = FILES["one.m2"].replace("is|||", "was|||")
    corpus = write_corpus(tmp_path / "corpus", manifest_yml=manifest, two_m2=other)
    ingest(tmp_path / "warehouse", corpus)

    result = maege(tmp_path / "warehouse", "export", "m2", "small", "single")

    assert result.stdout.startswith(
        "S This are a cat .\n"
        "A 1 2|||SVA|||is|||REQUIRED|||-NONE-|||1\n"
        "A 1 2|||SVA|||was|||REQUIRED|||-NONE-|||0\n\n"
    )
    assert result.stderr == "0 is A2, 1 is A10\n"


def test_required_edits_are_extracted_by_a_build(tmp_path: Path) -> None:
    manifest = MANIFEST.replace(
        "references:\n",
        "  own: {extracted_from: plain}\nreferences:\n  plain: {texts: [ref1.txt]}\n",
    )
    ingest(tmp_path / "warehouse", write_corpus(tmp_path / "corpus", manifest_yml=manifest))

    result = maege(tmp_path / "warehouse", "export", "m2", "small", "own")

    assert result.exit_code != 0
    assert "run maege build" in " ".join(result.stderr.split())
