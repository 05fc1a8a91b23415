"""The clients against the code of the service."""

from __future__ import annotations

import pickle
from datetime import datetime, timedelta, timezone

import anyio
import pytest

from auth_service import (
    Access,
    ApiKey,
    AuthServiceError,
    ForbiddenError,
    InvalidRequestError,
    NotFoundError,
    SignatureError,
    UnavailableError,
    UnknownUser,
    VersionMismatchError,
)
from auth_service.testing import FakeAuthService

awkward = ["auth0|123", "a+b@c.de", "urn:x:1", "x=y~z", "o'brien@example.com", "!$&'()*+,;=", "b64.aHR0cHM6Ly9pZC5leA", "A" * 128]


def test_every_operation(fake_auth_service: FakeAuthService) -> None:
    service = fake_auth_service
    service.create_user("ada")
    service.define_role("editor")
    with service.client() as client:
        assert client.is_allowed("ada") is True
        access = client.get_access("ada")
        assert (access.app_id, access.version, access.roles, access.until) == ("billing", 0, (), None)
        until = datetime.now(timezone.utc) + timedelta(hours=1)
        blocked = client.set_access("ada", "disabled", until=until, reason="left – “for good”", ticket="INC-1")
        assert (blocked.changed, blocked.is_enabled, blocked.decided_by) == (True, False, "explicit")
        assert blocked.reason == "left – “for good”" and blocked.until is not None
        assert abs(blocked.until - until) < timedelta(milliseconds=1)
        assert client.set_access("ada", "enabled", if_version=blocked.version).changed is True
        with pytest.raises(VersionMismatchError):
            client.set_access("ada", "enabled", if_version=blocked.version)
        granted = client.assign_role("ada", "editor", expires_at=until)
        assert granted.role_names == {"editor"} and granted.may("editor", "owner") and not granted.may("owner")
        assert client.revoke_role("ada", "editor").roles == ()
        assert client.revoke_role("ada", "editor", reason="again").changed is False
        known, unknown = client.check_access(["ada", "nobody"])
        assert isinstance(known, Access) and known.is_enabled
        assert unknown == UnknownUser("nobody") and not unknown.is_enabled
        pages = list(client.changes())
        actions = [change.action for page in pages for change in page.items]
        assert [action for action in actions if action.startswith("role.a")] == ["role.assigned"]
        assert list(client.changes(after=pages[-1].cursor)) == []
        entries = [entry for page in client.snapshot() for entry in page.items]
        assert [entry["userId"] for entry in entries] == ["ada"]


@pytest.mark.parametrize("user_id", awkward)
def test_user_ids_arrive_as_they_are(fake_auth_service: FakeAuthService, user_id: str) -> None:
    fake_auth_service.create_user(user_id)
    with fake_auth_service.client() as client:
        assert client.set_access(user_id, "disabled").user_id == user_id
        assert client.is_allowed(user_id) is False
        assert client.get_access(user_id).version == 1


def test_errors_have_classes(fake_auth_service: FakeAuthService) -> None:
    service = fake_auth_service
    service.create_user("ada")
    reader = service.issue_key("access:read")
    unknown_key = ApiKey("svk_k1_billing_01JD2Y8Q4M5N6P7R8S9TAVBWCX", f"svs_{'A' * 43}")
    with service.client() as client, service.client(key=reader) as other, service.client(key=unknown_key) as wrong:
        assert client.is_allowed("nobody") is False
        with pytest.raises(NotFoundError, match="user_not_found"):
            client.get_access("nobody")
        with pytest.raises(NotFoundError, match="role_not_found"):
            client.assign_role("ada", "nothing")
        with pytest.raises(InvalidRequestError, match="reason"):
            client.set_access("ada", "disabled", reason="x" * 300)
        with pytest.raises(InvalidRequestError, match="time zone"):
            client.set_access("ada", "disabled", until=datetime(2999, 1, 1))
        with pytest.raises(InvalidRequestError):
            client.set_access("ada", "disabled", until=datetime(2001, 1, 1, tzinfo=timezone.utc))
        with pytest.raises(TypeError):
            client.check_access("ada")
        with pytest.raises(ForbiddenError, match="scope_missing") as caught:
            other.set_access("ada", "disabled")
        assert caught.value.request_id and caught.value.status == 403 and caught.value.attempts == 1
        copy = pickle.loads(pickle.dumps(caught.value))
        assert (type(copy), copy.code, copy.attempts, str(copy)) == (ForbiddenError, "scope_missing", 1, str(caught.value))
        with pytest.raises(SignatureError, match="wrong secret"):
            wrong.is_allowed("ada")


def test_a_lost_answer_is_asked_for_again_and_the_write_happens_once(fake_auth_service: FakeAuthService) -> None:
    service = fake_auth_service
    service.create_user("ada")
    with service.client() as client:
        service.fail("lost answer", times=2)
        assert client.set_access("ada", "disabled").changed is True
        assert [request.status for request in service.requests] == [None, None, 200]
        assert client.get_access("ada").version == 1


def test_a_block_ends_by_the_clock_of_the_service(fake_auth_service: FakeAuthService) -> None:
    service = fake_auth_service
    service.create_user("ada")
    service.set_access("ada", "disabled", until=service.now() + timedelta(hours=1))
    with service.client() as client:
        assert client.is_allowed("ada") is False
        service.advance(3600)
        assert client.is_allowed("ada") is True and client.get_access("ada").decided_by == "lapsed"


def test_the_async_client_does_the_same(fake_auth_service: FakeAuthService) -> None:
    service = fake_auth_service
    service.create_user("ada")
    service.define_role("editor")

    async def use() -> None:
        async with service.async_client() as client:
            assert await client.is_allowed("ada") is True
            assert (await client.assign_role("ada", "editor")).role_names == {"editor"}
            assert (await client.set_access("ada", "disabled", reason="left")).is_enabled is False
            assert (await client.revoke_role("ada", "editor")).changed is True
            assert [each.is_enabled for each in await client.check_access(["ada", "nobody"])] == [False, False]
            actions = [change.action async for page in client.changes() for change in page.items]
            assert actions[-3:] == ["role.assigned", "access.changed", "role.revoked"]
            assert [len(page.items) async for page in client.snapshot()] == [1]
            service.fail(code="unavailable", retry_after_seconds=0, times=1)
            assert await client.is_allowed("ada") is False
            service.fail("hang")
            with pytest.raises(UnavailableError) as caught:
                await client.is_allowed("ada", timeout_seconds=0.4)
            assert caught.value.code == "no_answer" and caught.value.timed_out

    anyio.run(use)


def test_a_key_can_be_rotated_while_the_application_runs(fake_auth_service: FakeAuthService) -> None:
    service = fake_auth_service
    service.create_user("ada")
    keys = [service.key]
    with service.client(key=lambda: keys[-1]) as client:
        assert client.is_allowed("ada")
        keys.append(service.issue_key("access:read"))
        service.revoke_key(keys[0].key_id)
        assert client.is_allowed("ada")

    async def use() -> None:
        async def read() -> ApiKey:
            return keys[-1]

        async with service.async_client(key=read) as client:
            assert await client.is_allowed("ada")

    anyio.run(use)


def test_all_attempts_of_a_call_use_one_key(fake_auth_service: FakeAuthService) -> None:
    service = fake_auth_service
    service.create_user("ada")
    keys = [service.issue_key(), service.key]
    with service.client(key=lambda: keys.pop()) as client:
        # With another key, the nonce would be that of another call, and the second attempt would change nothing.
        service.fail("lost answer", times=1)
        assert client.set_access("ada", "disabled").changed is True
        assert len(keys) == 1


@pytest.mark.parametrize("source", [lambda: "svs_secret", lambda: ApiKey("svk_", "svs_secret")])
def test_what_is_no_key_is_not_retried_nor_shown(fake_auth_service: FakeAuthService, source: object) -> None:
    with fake_auth_service.client(key=source) as client, pytest.raises(SignatureError) as caught:
        client.is_allowed("ada")
    assert caught.value.code == "key_invalid" and "svs_secret" not in str(caught.value)
    assert fake_auth_service.requests == []


def test_the_test_double_refuses_what_the_service_refuses(fake_auth_service: FakeAuthService) -> None:
    with pytest.raises(AuthServiceError, match="user_not_found"):
        fake_auth_service.set_access("nobody", "disabled")
    with pytest.raises(AuthServiceError, match="invalid_request"):
        fake_auth_service.create_user("a/b")
