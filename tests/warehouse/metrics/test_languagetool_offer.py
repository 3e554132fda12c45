"""LanguageTool that is available but not enabled: announced with its cost, and not used."""

from pathlib import Path

import pytest
from building import change, copy_of, query, run, value

from maege.analysis.languagetool.installation import folder_of
from maege.ingest.warehouse import Warehouse
from maege.languagetool import describe_offer, find_offer

# No server listens there, and none is contacted: the registry reads only the name.
AVAILABLE = {"LANGUAGETOOL_URL": "http://127.0.0.1:9/"}
REGISTRY = ("run", "--select", "metric_registry")
OF_LANGUAGETOOL = (
    "select distinct metric, is_selected, remedy from corpora.metric_registry "
    "where metric in ('lt', 'lt37', 'lt_maege2018', 'grammaticality', 'referenceless') "
    "order by all"
)


def test_requests_are_counted(
    sample_warehouse: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LANGUAGETOOL_HOME", str(tmp_path / "home"))
    monkeypatch.delenv("LANGUAGETOOL_URL", raising=False)
    for version in ("6.6", "3.7"):
        folder_of(version).mkdir(parents=True)
    (tmp_path / "java").touch(mode=0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    offer = find_offer(Warehouse(sample_warehouse))
    assert offer is not None
    assert set(offer["metrics"]) == {"lt", "lt_maege2018", "grammaticality", "referenceless"}
    # M2 scores the outputs with gold and the first draws of corpora as well.
    texts = value(
        sample_warehouse,
        "select count(distinct hypothesis_text_id) from caches.scoring_requests "
        "where family = 'm2'",
    )
    assert texts > 1000
    assert offer["texts"] == {"6.6": texts, "3.7": texts}
    # A hundred texts per second.
    assert offer["minutes"] == -(-2 * texts // 6000)
    shown = describe_offer(offer)
    assert f"It would check {texts:,} texts by 6.6 and {texts:,} texts by 3.7" in shown
    assert shown.endswith("To use it: maege languagetool enable, then maege build")


def test_missing_versions_are_not_announced(
    sample_warehouse: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("LANGUAGETOOL_HOME", "XDG_CACHE_HOME", "LTP_PATH"):
        monkeypatch.setenv(name, str(tmp_path))
    monkeypatch.delenv("LANGUAGETOOL_URL", raising=False)
    assert find_offer(Warehouse(sample_warehouse)) is None


def test_available_metrics_are_scored_once_enabled(sample_warehouse: Path, tmp_path: Path) -> None:
    warehouse = copy_of(sample_warehouse, tmp_path / "warehouse")
    place = {"MAEGE_METRICS": str(tmp_path / "metrics.yml")}
    enable = "maege languagetool enable, then maege build"
    install = "maege languagetool install and maege languagetool enable, then maege build"
    run("dbt", warehouse, *REGISTRY, **AVAILABLE, **place)
    assert query(warehouse, OF_LANGUAGETOOL) == [
        ("grammaticality", False, enable),
        ("lt", False, enable),
        ("lt37", False, "maege languagetool install, then maege build"),
        ("lt_maege2018", False, install),
        ("referenceless", False, enable),
    ]
    # A model that the user trained with its errors selects the metric that counts them.
    coefficients = "values ('errors', 0.5), ('intercept', 1.0)"
    change(warehouse, f"insert into raw.grammaticality_coefficients {coefficients}")
    run("dbt", warehouse, *REGISTRY, **AVAILABLE, **place)
    assert selected(warehouse) == ["lt"]
    output = run("maege", warehouse, "languagetool", "enable", **AVAILABLE, **place)
    assert "lt_maege2018 cannot be scored here: LanguageTool 3.7 is not installed" in output
    run("dbt", warehouse, *REGISTRY, **AVAILABLE, **place)
    assert selected(warehouse) == ["grammaticality", "lt", "referenceless"]


def selected(warehouse: Path) -> list[str]:
    return [metric for metric, is_selected, _ in query(warehouse, OF_LANGUAGETOOL) if is_selected]
