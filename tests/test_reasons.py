"""The texts of the seed `reasons` and the models that insert numbers and names into them."""

import csv
import re
from pathlib import Path

ROOT = Path(__file__).parents[1]
MARTS = [
    ROOT / "models/marts/contents" / f"{mart}.sql"
    for mart in ("metric_availability", "sentence_exclusions")
]
MODELS = [
    *MARTS,
    ROOT / "models/corpora/usable/unusable_sentences.sql",
    ROOT / "models/corpora/metrics/ingested_metrics.sql",
]


def reasons() -> list[dict[str, str]]:
    with (ROOT / "seeds/reasons.csv").open(newline="") as file:
        return list(csv.DictReader(file))


def test_models_give_every_reason_of_the_seed() -> None:
    sql = "".join(model.read_text() for model in MODELS)
    codes = [row["reason_code"] for row in reasons()]
    assert len(codes) > 20
    assert [code for code in codes if f"'{code}'" not in sql] == []


def test_placeholders_of_reasons_are_columns() -> None:
    calls = [model.read_text().partition("with_reasons(")[2] for model in MARTS]
    columns = {name for call in calls for name in re.findall(r"'(\w+)'", call)}
    texts = [row["reason"] + row["remedy"] for row in reasons()]
    placeholders = {name for text in texts for name in re.findall(r"{(\w+)}", text)}
    assert len(placeholders) > 15
    assert placeholders <= columns
