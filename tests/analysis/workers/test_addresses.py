"""Schedulers that are accepted."""

import socket
from pathlib import Path

import pytest

from maege.analysis.workers.addresses import AddressError, checked_address, scheduler_of


@pytest.mark.parametrize(
    ("scheduler", "address"),
    [
        ("tcp://127.0.0.1:8786", "tcp://127.0.0.1:8786"),
        ("tcp://[::1]:8786", "tcp://[::1]:8786"),
        ("tcp://10.1.2.3:8786", "tcp://10.1.2.3:8786"),
        ("tcp://192.168.0.7:1", "tcp://192.168.0.7:1"),
        # With TLS both sides need certificates on every host.
        ("tls://8.8.8.8:8786", "tls://8.8.8.8:8786"),
        ("tls://scheduler.example:8786", "tls://scheduler.example:8786"),
    ],
)
def test_this_machine_private_networks_and_tls_are_connected_to(
    scheduler: str, address: str
) -> None:
    assert checked_address(scheduler) == address


@pytest.mark.parametrize("scheduler", ["tcp://8.8.8.8:8786", "tcp://[2600::1]:8786"])
def test_public_address_without_tls_is_rejected_by_default(
    scheduler: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("MAEGE_SCHEDULER_PUBLIC", raising=False)
    with pytest.raises(AddressError, match=r"private network, found .*MAEGE_SCHEDULER_PUBLIC=1"):
        checked_address(scheduler)
    monkeypatch.setenv("MAEGE_SCHEDULER_PUBLIC", "1")
    assert checked_address(scheduler) == scheduler


def test_a_name_is_connected_to_by_the_number_that_was_looked_at(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def public(host: str, port: int, **_: object) -> list[tuple[object, ...]]:
        assert (host, port) == ("scheduler", 8786)
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (number, port))]

    monkeypatch.setattr(socket, "getaddrinfo", public)
    number = "10.0.0.4"
    assert checked_address("tcp://scheduler:8786") == "tcp://10.0.0.4:8786"
    number = "8.8.4.4"
    with pytest.raises(AddressError, match=r"tcp://scheduler:8786: .*found 8\.8\.4\.4"):
        checked_address("tcp://scheduler:8786")


def test_a_scheduler_file_holds_the_address(tmp_path: Path) -> None:
    path = tmp_path / "scheduler.json"
    with pytest.raises(AddressError, match="found no such scheduler file; start the scheduler"):
        checked_address(str(path))
    path.write_text("[")
    with pytest.raises(AddressError, match="expected a scheduler file"):
        checked_address(str(path))
    path.write_text('{"address": "tcp://127.0.0.1:40001", "workers": {}}')
    assert checked_address(str(path)) == "tcp://127.0.0.1:40001"
    path.write_text('{"address": "inproc://127.0.0.1/1/2"}')
    with pytest.raises(AddressError, match="found inproc://"):
        checked_address(str(path))


@pytest.mark.parametrize("scheduler", ["http://127.0.0.1:80", "tcp://127.0.0.1", "tcp://a:b"])
def test_invalid_input_is_rejected_with_the_expected_form(scheduler: str) -> None:
    with pytest.raises(AddressError, match="expected tcp://HOST:PORT, tls://HOST:PORT"):
        checked_address(scheduler)


def test_variable_overrides_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("MAEGE_SCHEDULER", raising=False)
    assert scheduler_of("") is None
    assert scheduler_of(None) is None
    monkeypatch.setenv("MAEGE_SCHEDULER", " tcp://127.0.0.1:1 ")
    assert scheduler_of("") == "tcp://127.0.0.1:1"
    assert scheduler_of("tcp://127.0.0.1:2") == "tcp://127.0.0.1:2"
