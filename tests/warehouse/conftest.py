"""Warehouses that are built once and only read; tests that change one use a copy."""

import shutil
from pathlib import Path

import duckdb
import pytest
import yaml
from building import (
    BUILD,
    BUILD_WITHOUT_TESTS,
    FEW_RESAMPLES,
    REPOSITORY,
    copy_of,
    default_metrics,
    made_once,
    run,
    variables,
)
from own_metric import MINE, MODULE, READS, declare, run_in

from maege.analysis.metrics.languagetool import ENABLED_METRICS
from maege.building.publish import facts_of
from maege.ingest.load import ingest_folder
from maege.ingest.warehouse import Warehouse

# Corpora of ../shared/cases that ingest rejects.
REFUSED_CASES = ("f_wi_json", "s_quotes", "s_untok")
PAPERS_METRICS = [
    name for name in default_metrics() if not name.startswith(("cleme", "gotoscorer", "green"))
]
# Tests of CoNLL-2014 read none of the longer marts, which take most of the time of publishing.
MOST_ROWS = 500_000


@pytest.fixture(scope="session")
def sample_warehouse(suite: Path) -> Path:
    """The folder of a warehouse with the sample, built and published, for reading only."""

    def build(folder: Path) -> None:
        warehouse = folder / "warehouse"
        run("maege", warehouse, "ingest", "corpora/sample")
        # Sets have another order than in builds that are compared with this one.
        settings = {"MAEGE_THREADS": "2", "DBT_WRITE_JSON": "true", "PYTHONHASHSEED": "random"}
        assert "Published to" in run("maege", warehouse, "build", **settings)

    return made_once(suite / "sample", build) / "warehouse"


@pytest.fixture(scope="session")
def built_with_mine(sample_warehouse: Path, suite: Path) -> Path:
    """A folder with a module, and the sample with metrics of it (mine, less, longer) and GLEU."""

    def make(folder: Path) -> None:
        (folder / "function_of_warehouse.py").write_text(MODULE)
        copy_of(sample_warehouse, folder / "warehouse")
        less = {"function": "function_of_warehouse:distance", "higher_is_better": False}
        longer = {"metric_class": "function_of_warehouse:Longer"}
        declare(folder, mine=MINE, less=READS | less, longer=longer)
        run_in(folder, "dbt", *BUILD_WITHOUT_TESTS)

    return made_once(suite / "own_metric", make)


# Few resamples, for tests that check only that intervals, p-values and clusters are possible,
# contain the estimate and agree with each other. Tests of functions cover other metrics.
CONLL14 = {
    "bootstrap_samples": 100,
    "test_resamples": 200,
    "corrupted_edits": 0.1,
    "metrics": PAPERS_METRICS,
}
# Reference sets of CoNLL-2014 that the tests do not build: parts and variants of the others.
OTHER_REFERENCES = {"nucle_alt", "nucle_m2", "nuclea", "nucleb", "reassess16"}


@pytest.fixture(scope="session")
def conll14_warehouse(
    shared: Path,
    suite: Path,
    sample_warehouse: Path,  # noqa: ARG001 (its build compiles the kernels)
) -> Path:
    """The folder of a warehouse with CoNLL-2014 and the rankings of GJG15 and NSPT15.

    The committed results have more draws, of which the first are the same.
    """

    def build(folder: Path) -> None:
        manifest = yaml.safe_load((REPOSITORY / "corpora/conll14/manifest.yml").read_text())
        for name in OTHER_REFERENCES:
            del manifest["references"][name]
        corpus, warehouse = folder / "corpus", folder / "warehouse"
        corpus.mkdir()
        (corpus / "manifest.yml").write_text(yaml.safe_dump(manifest, sort_keys=False))
        for source in (corpus, "corpora/gjg15", "corpora/nspt15"):
            run("maege", warehouse, "ingest", source, "--data-root", shared / "data")
        fewer = {"corpus_draws": 1, "edit_metric_draws": 1, "trueskill_runs": 10}
        run("dbt", warehouse, *BUILD, *variables(**CONLL14, **fewer))

    return made_once(suite / "conll14", build) / "warehouse"


@pytest.fixture(scope="session")
def conll14_marts(conll14_warehouse: Path, suite: Path) -> Path:
    def publish(folder: Path) -> None:
        build = conll14_warehouse / "build.duckdb"
        with duckdb.connect(folder / "marts.duckdb") as marts:
            marts.execute(f"attach '{build}' as build (read_only)")
            for (name,) in marts.execute(
                "select table_name from duckdb_tables() where database_name = 'build' "
                f"and schema_name = 'marts' and estimated_size < {MOST_ROWS}"
            ).fetchall():
                marts.execute(f"create table main.{name} as from build.marts.{name}")
            marts.execute("detach build")
            marts.execute("create table publication (fact varchar, value varchar)")
            with duckdb.connect(build, read_only=True) as built:
                facts = facts_of(built, None)
            marts.executemany("insert into publication values ($1, $2)", facts)

    return made_once(suite / "conll14_marts", publish)


@pytest.fixture(scope="session")
def replicated_conll14(
    shared: Path,
    suite: Path,
    sample_warehouse: Path,  # noqa: ARG001 (its build compiles the kernels)
) -> Path:
    """The folder of a warehouse with CoNLL-2014, all human rankings and the published runs.

    Draws, samples, orders of judgments and metrics are those of `make replication-table`, so its
    numbers are equal.
    """

    def build(folder: Path) -> None:
        warehouse = folder / "warehouse"
        for corpus in ("conll14", "gjg15", "nspt15", "seeda", "conll14_published"):
            run("maege", warehouse, "ingest", f"corpora/{corpus}", "--data-root", shared / "data")
        settings = {"metrics": PAPERS_METRICS, "corrupted_edits": CONLL14["corrupted_edits"]}
        run("dbt", warehouse, *BUILD, *variables(**settings, replication=True))

    return made_once(suite / "replicated_conll14", build) / "warehouse"


@pytest.fixture(scope="session")
def replicated_sample(sample_warehouse: Path, suite: Path) -> Path:
    def build(folder: Path) -> None:
        warehouse = copy_of(sample_warehouse, folder / "warehouse")
        published = REPOSITORY / "tests" / "corpora" / "sample_published"
        run("maege", warehouse, "ingest", published, "--data-root", REPOSITORY / "corpora/sample")
        run("dbt", warehouse, *BUILD, *variables(replication=True), DBT_WRITE_JSON="true")
        run("maege", warehouse, "publish")

    return made_once(suite / "replicated_sample", build) / "warehouse"


def cases(folder: Path) -> list[Path]:
    """Return copies of the corpora of ../shared/cases, and of one without a rule for blank lines.

    Those that ingest rejects are excluded (test_cases.py).
    """
    for case in sorted((REPOSITORY.parent / "shared" / "cases").glob("*/manifest.yml")):
        if case.parent.name in REFUSED_CASES:
            continue
        name = f"case_{case.parent.name.lower()}"
        shutil.copytree(case.parent, folder / name)
        corpus, manifest_text = case.read_text(encoding="utf-8").split("\n", 1)
        assert corpus.startswith("corpus: ")
        # Odd corpora disagree about the direction of this metric.
        manifest_text = manifest_text.replace("  outside:", "  case_outside:")
        (folder / name / "manifest.yml").write_text(
            f"corpus: {name}\n{manifest_text}", encoding="utf-8"
        )
        if name == "case_extracted":
            shutil.copytree(folder / name, folder / "case_extracted_none")
            case_text = manifest_text.replace("r2.txt]}", "r2.txt], empty_references: none}")
            manifest = folder / "case_extracted_none" / "manifest.yml"
            manifest.write_text(f"corpus: case_extracted_none\n{case_text}", encoding="utf-8")
    return sorted(folder.glob("*"))


@pytest.fixture(scope="session")
def odd_corpora() -> Path:
    return REPOSITORY / "tests" / "corpora" / "odd"


@pytest.fixture(scope="session")
def odd_warehouse(odd_corpora: Path, suite: Path) -> Path:
    """The folder of a warehouse with all odd corpora and judgments, built, tested and published.

    It includes the corpora of ../shared/cases if they exist, each called `case_...`.

    LanguageTool is enabled but not available: no server listens at that port.
    """
    little = {
        **FEW_RESAMPLES,
        "corpus_draws": 2,
        "edit_metric_draws": 1,
        "lt_file_tosses": 10,
        "replication": True,
        "metrics": [*default_metrics(), *ENABLED_METRICS],
    }

    def build(folder: Path) -> None:
        warehouse = Warehouse(folder / "warehouse")
        judged_corpus = REPOSITORY / "tests" / "corpora" / "judged"
        for corpus in (*sorted(odd_corpora.iterdir()), judged_corpus, *cases(folder / "cases")):
            ingest_folder(warehouse, corpus, bad_edits="keep")
        dead = {"LANGUAGETOOL_URL": "http://127.0.0.1:9/"}
        run("dbt", warehouse.folder, *BUILD, *variables(**little), **dead)
        run("maege", warehouse.folder, "publish")

    return made_once(suite / "odd", build) / "warehouse"
