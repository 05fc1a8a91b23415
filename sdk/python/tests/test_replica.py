"""The replicas for threads and for async code, over the code of the service."""

from __future__ import annotations

import stat
import threading
import time
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any

import anyio
import pytest

from auth_service import ApiKey, AuthServiceError, SignatureError, UnavailableError
from auth_service.replica import (
    ClosedError,
    FileNotUsableError,
    ReplicaChange,
    ReplicaFailure,
    open_async_replica,
    open_replica,
)
from auth_service.testing import FakeAuthService

FAST = 0.02


def eventually(check: Callable[[], object]) -> None:
    """Waits until a condition holds."""
    end = time.monotonic() + 60
    while not check():
        assert time.monotonic() < end
        time.sleep(0.01)


@pytest.fixture
def service(fake_auth_service: FakeAuthService) -> FakeAuthService:
    for user_id in ("ada", "ben", "zoe"):
        fake_auth_service.create_user(user_id)
    fake_auth_service.define_role("editor")
    fake_auth_service.set_access("ben", "disabled")
    return fake_auth_service


def test_a_replica_decides_and_follows(service: FakeAuthService) -> None:
    changes: list[ReplicaChange] = []
    with service.client() as client, open_replica(client, poll_seconds=FAST, on_change=changes.append) as replica:
        assert replica.check("ada").is_enabled and not replica.check("ben").is_enabled
        service.set_access("ada", "disabled")
        service.assign_role("zoe", "editor", expires_at=service.now() + timedelta(hours=1))
        eventually(lambda: not replica.check("ada").is_enabled and replica.check("zoe").may("editor"))
        eventually(lambda: {user for change in changes for user in change.user_ids or ()} == {"ada", "zoe"})
        service.advance(3600)
        assert replica.check("zoe").roles == ()
        service.set_rollout(0)
        eventually(lambda: any(change.all for change in changes))
        assert replica.check("zoe").decided_by == "rollout" and not replica.check("zoe").is_enabled
        service.delete_user("ada")
        eventually(lambda: replica.check("ada").code == "user_not_found")
        assert replica.age_seconds < 60


def test_an_unknown_id_is_asked_for_once(service: FakeAuthService) -> None:
    with service.client() as client, open_replica(client, unknown="ask") as replica:
        assert replica.check("ada").code == "unknown"
        assert replica.check_or_ask("ada").is_enabled and replica.check("ada").is_enabled
        assert replica.check_or_ask("ADA").code == "user_not_found"
        asked = len(service.requests)
        replica.check_or_ask("ada")
        assert replica.check("ADA").code == "user_not_found" and len(service.requests) == asked


def test_an_outage(service: FakeAuthService) -> None:
    failures: list[ReplicaFailure] = []
    with service.client(max_attempts=1) as client:
        options: Any = {"poll_seconds": FAST, "max_staleness_seconds": 0.3, "on_error": failures.append}
        with open_replica(client, **options) as replica, open_replica(client, when_stale="go_on", **options) as other:
            service.fail("no answer")
            eventually(lambda: replica.check("ada").code == "stale")
            with pytest.raises(UnavailableError):
                replica.check_or_ask("ada")
            assert other.check("ada").is_enabled and not other.check("ben").is_enabled
            assert {failure.during for failure in failures} == {"poll"}
            service.recover()
            eventually(lambda: replica.check("ada").is_enabled)


def test_a_refused_key(service: FakeAuthService) -> None:
    key = service.issue_key("access:read")
    with service.client(key=key) as client:
        with open_replica(client, poll_seconds=FAST, max_staleness_seconds=0.2, when_stale="go_on") as replica:
            service.revoke_key(key.key_id)
            eventually(lambda: replica.check("ada").code == "key_refused")
        with pytest.raises(SignatureError, match="key_revoked"):
            open_replica(client)


def test_a_start_that_takes_too_long(service: FakeAuthService) -> None:
    service.fail("hang")
    with service.client() as client:
        started_at = time.monotonic()
        with pytest.raises(AuthServiceError, match="no_answer|circuit_open"):
            open_replica(client, start_timeout_seconds=0.2)
        assert time.monotonic() - started_at < 20


def test_a_file(service: FakeAuthService, tmp_path: Path) -> None:
    file = tmp_path / "replica"
    failures: list[ReplicaFailure] = []
    other_key = service.issue_key()
    with service.client() as client, service.client(key=other_key) as other:
        with open_replica(client, file=file) as replica:
            assert not replica.check("ben").is_enabled
        assert stat.S_IMODE(file.stat().st_mode) == 0o600 and [*tmp_path.iterdir()] == [file]
        service.fail("no answer")
        with open_replica(client, file=file, on_error=failures.append) as replica:
            assert not replica.check("ben").is_enabled and replica.check("ada").is_enabled
            with pytest.raises(TimeoutError):
                replica.wait_until_synchronized(0.05)
            service.recover()
            replica.resync(60)
            replica.wait_until_synchronized(60)
        failures.clear()
        with open_replica(other, file=file, on_error=failures.append) as replica:
            assert not replica.check("ben").is_enabled
            eventually(lambda: [type(failure.error) for failure in failures] == [FileNotUsableError])
        content = bytearray(file.read_bytes())
        content[20] ^= 1
        file.write_bytes(content)
        failures.clear()
        with open_replica(other, file=file, on_error=failures.append):
            eventually(lambda: [failure.during for failure in failures] == ["file"])
        with open_replica(client, file=tmp_path / "nowhere" / "replica", on_error=failures.append):
            eventually(lambda: [failure.during for failure in failures] == ["file", "file"])


def test_a_replica_that_is_far_behind_reads_the_snapshot(
    service: FakeAuthService, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("auth_service.replica.core._fewest_pages", 1)
    monkeypatch.setattr("auth_service.replica.core._pages_of_changes", 1)
    with service.client() as client, open_replica(client, poll_seconds=1) as replica:
        for n in range(211):
            service.set_access("ada", "disabled" if n % 2 == 0 else "enabled")
        service.set_access("zoe", "disabled")
        eventually(lambda: not replica.check("zoe").is_enabled and not replica.check("ada").is_enabled)
        snapshots = [request for request in service.requests if request.path.startswith("/api/service/access?")]
        assert len(snapshots) == 2


def test_closing_does_not_wait_for_an_answer(service: FakeAuthService) -> None:
    with service.client(timeout_seconds=60) as client:
        replica = open_replica(client, poll_seconds=FAST)
        service.fail("hang")
        time.sleep(0.2)
        started_at = time.monotonic()
        replica.close()
        assert time.monotonic() - started_at < 5
        assert not any(thread.name.startswith(("auth-service-replica", "auth-service-reports")) for thread in threading.enumerate())
        with pytest.raises(ClosedError):
            replica.resync()
        assert replica.check("ada").is_enabled
        replica.close()


def test_what_the_application_raises_never_reaches_the_replica(service: FakeAuthService) -> None:
    failures: list[ReplicaFailure] = []

    def fail(change: object) -> None:
        raise RuntimeError("no session store")

    def note(failure: ReplicaFailure) -> None:
        failures.append(failure)
        raise RuntimeError("no log")

    with service.client() as client, open_replica(client, poll_seconds=FAST, on_change=fail, on_error=note) as replica:
        service.set_access("ada", "disabled")
        eventually(lambda: [failure.during for failure in failures] == ["on_change"])
        service.set_access("ada", "enabled")
        eventually(lambda: replica.check("ada").is_enabled)


def test_a_replica_for_async_code(service: FakeAuthService, tmp_path: Path) -> None:
    changes: list[ReplicaChange] = []

    async def note(change: ReplicaChange) -> None:
        await anyio.sleep(0)
        changes.append(change)

    async def use() -> None:
        async with service.async_client() as client:
            options: Any = {"poll_seconds": FAST, "unknown": "ask", "on_change": note, "file": tmp_path / "replica"}
            async with open_async_replica(client, **options) as replica:
                assert replica.check("ada").code == "unknown"
                assert (await replica.check_or_ask("ada")).is_enabled and not replica.check("ben").is_enabled
                service.set_access("ada", "disabled")
                while replica.check("ada").is_enabled or not changes:
                    await anyio.sleep(0.01)
                await replica.resync()
                assert not replica.check("ada").is_enabled and replica.age_seconds < 60
            service.fail("no answer")
            async with open_async_replica(client, **options) as replica:
                assert not replica.check("ada").is_enabled
            service.recover()
            with pytest.raises(KeyError):
                async with open_async_replica(client):
                    raise KeyError("of the application")
        wrong = ApiKey(service.key.key_id, f"svs_{'A' * 43}")
        async with service.async_client(key=wrong) as client:
            with pytest.raises(SignatureError):
                async with open_async_replica(client):
                    raise AssertionError("it has no data")

    anyio.run(use)


@pytest.mark.parametrize(
    "options",
    [
        {"poll_seconds": 0},
        {"max_staleness_seconds": -1},
        {"verify_seconds": -1},
        {"start_timeout_seconds": 0},
        {"when_stale": "goOn"},
        {"unknown": ""},
        {"file": ""},
    ],
)
def test_options_are_checked(fake_auth_service: FakeAuthService, options: Any) -> None:
    with fake_auth_service.client() as client, pytest.raises(ValueError):
        open_replica(client, **options)
