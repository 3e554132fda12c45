"""What `maege new` creates: a project with a README, a manifest to copy, and no data."""

import shutil
from pathlib import Path

from small_corpus import FILES, maege, refusal


def test_a_new_project_has_no_data(tmp_path: Path) -> None:
    project = tmp_path / "gec"
    result = maege(tmp_path, "new", project)
    assert result.exit_code == 0, result.stderr
    assert "maege ingest corpora/mine && maege build" in result.stdout
    assert "# A MAEGE project" in (project / "README.md").read_text()
    assert (project / "corpora" / "sample" / "sample.m2").is_file()
    assert not (project / "warehouse").exists()
    assert "found dbt_project.yml" in refusal(tmp_path, "new", project)


def test_sample_is_loaded_on_request_and_a_readme_stays(tmp_path: Path) -> None:
    result = maege(tmp_path, "new", tmp_path / "gec", "--sample")
    assert "with the sample loaded. Next, in that folder: maege build" in result.stdout
    assert (tmp_path / "gec" / "warehouse" / "build.duckdb").is_file()

    (tmp_path / "README.md").write_text("ours")
    assert maege(tmp_path, "new", tmp_path).exit_code == 0
    assert (tmp_path / "README.md").read_text() == "ours"


def test_the_template_can_be_ingested(tmp_path: Path) -> None:
    assert maege(tmp_path, "new", tmp_path / "gec").exit_code == 0
    corpus = tmp_path / "gec" / "corpora" / "mine"
    shutil.copytree(corpus.with_name("template"), corpus)
    (corpus / "gold.m2").write_text(FILES["edits.m2"])
    for system in ("system_a", "system_b"):
        (corpus / f"{system}.txt").write_text(FILES["good.txt"])
    result = maege(tmp_path / "warehouse", "ingest", corpus)
    assert result.exit_code == 0, result.stderr
    assert "mine: 3 sentences, 4 files" in result.stdout
