"""What dbt makes at each start, and what of it is kept."""

from pathlib import Path
from typing import Any

import pytest
from jinja2 import Environment

from analysis.stored import kept_work
from analysis.stored.kept_work import KeptWork

ENVIRONMENT = Environment(autoescape=True)
SOURCE = "{{ name }} goes{% if far %} home{% endif %}"


class Made:
    """Something that makes, and counts how often."""

    def __init__(self, made: Any) -> None:
        self.made = made
        self.times = 0

    def __call__(self, *_: object) -> Any:
        self.times += 1
        return self.made


class Schema:
    """What mashumaro makes of a class."""

    def to_dict(self) -> dict[str, Any]:
        return {"type": "object", "required": ("name",)}


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "new" / "kept.marshal"


def rendered(kept: KeptWork, make: Made) -> str:
    environment = Environment(autoescape=True)
    code = kept.template(environment, SOURCE, make)
    template = environment.template_class.from_code(environment, code, {}, None)
    return template.render(name="He", far=True)


def test_a_template_is_compiled_once_for_all_processes(file: Path) -> None:
    make = Made(ENVIRONMENT.compile(SOURCE))
    first = KeptWork(file)
    assert [rendered(first, make) for _ in range(2)] == ["He goes home"] * 2
    first.save()
    assert rendered(KeptWork(file), make) == "He goes home"
    assert make.times == 1


def test_the_schema_of_a_class_is_made_once_for_all_processes(file: Path) -> None:
    make = Made(Schema())
    expected = {"type": "object", "required": ["name"]}
    first = KeptWork(file)
    assert first.schema(Path, make).to_dict() == expected
    first.save()
    second = KeptWork(file)
    assert second.schema(Path, make).to_dict() == expected
    assert make.times == 1
    second.schema(KeptWork, make)
    assert make.times == 2


@pytest.mark.parametrize("other", [{"extensions": ["jinja2.ext.do"]}, {"trim_blocks": True}])
def test_environments_of_another_kind_have_their_own(file: Path, other: dict[str, Any]) -> None:
    kept, make = KeptWork(file), Made(ENVIRONMENT.compile(SOURCE))
    for kind in ({}, other, {}):
        kept.template(Environment(autoescape=True, **kind), SOURCE, make)
    assert make.times == 2


@pytest.mark.parametrize("content", [b"", b"no marshal", b"\xe9\x01\x00\x00\x00"])
def test_a_file_of_another_kind_is_made_anew(file: Path, content: bytes) -> None:
    file.parent.mkdir()
    file.write_bytes(content)
    kept, make = KeptWork(file), Made(ENVIRONMENT.compile(SOURCE))
    assert rendered(kept, make) == "He goes home"
    kept.save()
    assert rendered(KeptWork(file), make) == "He goes home"
    assert make.times == 1


def test_nothing_is_written_where_nothing_is_new_or_nobody_may_write(tmp_path: Path) -> None:
    file = tmp_path / "kept.marshal"
    KeptWork(file).save()
    assert not file.exists()
    (tmp_path / "a_file").touch()
    elsewhere = KeptWork(tmp_path / "a_file" / "kept.marshal")
    rendered(elsewhere, Made(ENVIRONMENT.compile(SOURCE)))
    elsewhere.save()
    assert sorted(tmp_path.iterdir()) == [tmp_path / "a_file"]


def test_of_too_many_templates_those_of_this_run_stay(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(kept_work, "MOST_TEMPLATES", 2)
    make, environment = Made(ENVIRONMENT.compile(SOURCE)), Environment(autoescape=True)
    first = KeptWork(file)
    for source in ("one", "two"):
        first.template(environment, source, make)
    first.save()
    second = KeptWork(file)
    for source in ("two", "three"):
        second.template(environment, source, make)
    second.save()
    third = KeptWork(file)
    make.times = 0
    for source in ("two", "three", "one"):
        third.template(environment, source, make)
    assert make.times == 1
