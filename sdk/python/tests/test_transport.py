"""What is sent and received on a real connection."""

from __future__ import annotations

import hashlib
import re
import time
from base64 import b64encode
from collections.abc import Callable, Iterator
from typing import Any

import anyio
import httpx
import pytest

from auth_service import (
    AsyncAuthServiceClient,
    AuthServiceClient,
    AuthServiceError,
    CircuitOptions,
    Hooks,
    RequestEvent,
    ResponseEvent,
    RetryEvent,
    UnavailableError,
    UnexpectedAnswerError,
)
from kit import KEY
from stub_server import ACCESS, Reaction, StubServer, drip, drop, hang, respond, stub_server

ok = respond(200, ACCESS)
done = respond(200, ACCESS[:-1] + b',"changed":true,"changeId":null}')


@pytest.fixture
def server() -> Iterator[StubServer]:
    with stub_server() as started:
        yield started


def is_allowed(server: StubServer, timeout_seconds: float = 5, max_attempts: int = 4) -> bool:
    with AuthServiceClient(server.url, **KEY, timeout_seconds=timeout_seconds, max_attempts=max_attempts) as client:
        return client.is_allowed("ada")


def is_allowed_async(server: StubServer, timeout_seconds: float = 5, max_attempts: int = 4) -> bool:
    async def use() -> bool:
        limits: Any = {"timeout_seconds": timeout_seconds, "max_attempts": max_attempts}
        async with AsyncAuthServiceClient(server.url, **KEY, **limits) as client:
            return await client.is_allowed("ada")

    return anyio.run(use)


both = pytest.mark.parametrize("ask", [is_allowed, is_allowed_async], ids=["sync", "async"])
Ask = Callable[..., bool]


@both
def test_an_answer(server: StubServer, ask: Ask) -> None:
    server.reactions = [ok]
    assert ask(server) is True
    head = server.seen[0].decode()
    assert head.startswith("GET /api/service/users/ada/access HTTP/1.1\r\n")
    assert re.search(r"\r\nsignature: sig1=:[^:]+:\r\n", head, re.IGNORECASE)
    assert "cookie" not in head.lower() and "authorization" not in head.lower()


@both
@pytest.mark.parametrize("reaction", [drop, hang, drip, respond(200, ACCESS, length=999), respond(503, b"")])
def test_a_failure_is_retried_in_time(server: StubServer, ask: Ask, reaction: Reaction) -> None:
    server.reactions = [reaction, reaction, ok]
    started_at = time.monotonic()
    assert ask(server, 4) is True
    assert time.monotonic() - started_at < 4
    assert len(server.seen) == 3
    nonces = {re.search(rb';nonce="([^"]+)"', request) for request in server.seen}
    assert len({found and found.group(1) for found in nonces}) == 1
    signatures = {re.search(rb"\r\nsignature: (\S+)", request, re.IGNORECASE) for request in server.seen}
    assert len({found and found.group(1) for found in signatures}) == 3


@both
@pytest.mark.parametrize("reaction", [hang, drip])
def test_a_call_ends_in_time_even_if_bytes_keep_arriving(server: StubServer, ask: Ask, reaction: Reaction) -> None:
    server.reactions = [reaction]
    started_at = time.monotonic()
    with pytest.raises(UnavailableError, match="no_answer"):
        ask(server, 0.5, 1)
    assert 0.4 < time.monotonic() - started_at < 2


@both
def test_a_redirect_is_not_followed(server: StubServer, ask: Ask) -> None:
    for status in (301, 302, 303, 307, 308):
        server.reactions = [respond(status, ACCESS, f"Location: {server.url}/elsewhere\r\nSet-Cookie: a=b\r\n")]
        with pytest.raises(UnexpectedAnswerError):
            ask(server)
    assert len(server.seen) == 5 and all(b"/elsewhere" not in request for request in server.seen)


@both
def test_the_proxies_of_the_environment_are_not_used(
    server: StubServer, ask: Ask, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    server.reactions = [ok]
    assert ask(server) is True


def test_the_bytes_that_are_signed_are_those_that_are_sent(server: StubServer) -> None:
    server.reactions = [done]
    with AuthServiceClient(server.url, **KEY) as client:
        client.set_access("ada", "disabled", reason="gekündigt – “für immer”", if_version=3)
    head, _, body = server.seen[0].partition(b"\r\n\r\n")
    assert body == '{"status":"disabled","reason":"gekündigt – “für immer”"}'.encode()
    digest = b64encode(hashlib.sha256(body).digest())
    assert b"content-digest: sha-256=:" + digest + b":" in head.lower().replace(digest.lower(), digest)
    assert b'if-match: "3"' in head.lower() and b"content-type: application/json" in head.lower()


def test_a_client_of_the_application_sends_the_requests_and_stays_open(server: StubServer) -> None:
    server.reactions = [ok]
    headers = {"authorization": "Bearer token", "x-team": "sales"}
    with httpx.Client(headers=headers, auth=("a", "b"), cookies={"a": "b"}, follow_redirects=True) as http:
        with AuthServiceClient(server.url, **KEY, http_client=http) as client:
            assert client.is_allowed("ada")
        assert not http.is_closed
    assert not re.search(rb"authorization|x-team|cookie", server.seen[0], re.IGNORECASE)


def test_a_service_that_does_not_answer_is_left_alone(server: StubServer) -> None:
    server.reactions = [hang, hang, ok]
    circuit = CircuitOptions(timeouts=2, open_seconds=1.5)
    with AuthServiceClient(server.url, **KEY, timeout_seconds=0.7, max_attempts=1, circuit=circuit) as client:
        for code in ("no_answer", "no_answer", "circuit_open", "circuit_open"):
            with pytest.raises(UnavailableError, match=code):
                client.is_allowed("ada")
        time.sleep(1.6)
        assert client.is_allowed("ada") and client.is_allowed("ada")


def test_hooks_learn_of_requests_and_never_fail_a_call(server: StubServer) -> None:
    told: list[object] = []

    def note(event: object) -> None:
        told.append(event)
        raise RuntimeError("telemetry is down")

    server.reactions = [respond(503, b"", "Apigw-Requestid: R\r\n"), ok]
    hooks = Hooks(on_request=note, on_response=note, on_retry=note)
    with AuthServiceClient(server.url, **KEY, hooks=hooks) as client:
        assert client.is_allowed("ada")
    kinds = [RequestEvent, ResponseEvent, RetryEvent, RequestEvent, ResponseEvent]
    assert [type(event) for event in told] == kinds
    assert {getattr(event, "operation") for event in told} == {"GET users/{userId}/access"}
    first, last = told[1], told[4]
    assert isinstance(first, ResponseEvent) and isinstance(last, ResponseEvent)
    assert (first.status, first.request_id, first.code) == (503, "R", "unavailable")
    assert (last.attempt, last.status, last.code) == (2, 200, None)
    assert "svs_" not in repr(told) and "ada" not in repr(told)


def test_a_call_that_is_cancelled_is_told_as_aborted(server: StubServer) -> None:
    told: list[ResponseEvent] = []
    server.reactions = [hang]

    async def use() -> None:
        async with AsyncAuthServiceClient(server.url, **KEY, hooks=Hooks(on_response=told.append)) as client:
            with anyio.move_on_after(0.1):
                await client.is_allowed("ada")

    anyio.run(use)
    assert [event.code for event in told] == ["aborted"]


@pytest.mark.parametrize(
    "options",
    [
        {"base_url": "http://auth.example.com"},
        {"base_url": "https://user@auth.example.com"},
        {"base_url": "https://auth.example.com/other"},
        {"base_url": "https://auth.example.com?x"},
        {"base_url": "https://auth.example.com:port"},
        {"base_url": "ftp://auth.example.com"},
        {"base_url": ""},
        {"timeout_seconds": 0},
        {"timeout_seconds": 301},
        {"max_attempts": 0},
        {"max_attempts": 101},
        {"key_id": None, "secret": None},
        {"key": lambda: None},
    ],
)
def test_options_are_checked(options: Any) -> None:
    given: Any = {"base_url": "https://auth.example.com", **KEY, **options}
    with pytest.raises(ValueError) as caught:
        AuthServiceClient(**given)
    assert "svs_" not in str(caught.value).replace("svs_...", "")


@pytest.mark.parametrize("seconds", [0, -1, 301])
def test_the_time_limit_of_a_call_is_checked(seconds: float) -> None:
    with AuthServiceClient("https://auth.example.com", **KEY) as client, pytest.raises(ValueError):
        client.is_allowed("ada", timeout_seconds=seconds)


@pytest.mark.parametrize(
    ("base_url", "origin"),
    [
        ("https://Auth.Example.com/", "https://auth.example.com"),
        ("https://auth.example.com:443/api/service/", "https://auth.example.com"),
        ("https://auth.example.com:8443/api/service", "https://auth.example.com:8443"),
        ("http://localhost:3000", "http://localhost:3000"),
        ("http://[::1]:3000", "http://[::1]:3000"),
    ],
)
def test_the_address_is_read(base_url: str, origin: str) -> None:
    with AuthServiceClient(base_url, **KEY) as client:
        assert repr(client) == f"AuthServiceClient('{origin}')"


def test_errors_of_the_client_are_one_hierarchy() -> None:
    assert issubclass(UnavailableError, AuthServiceError) and issubclass(AuthServiceError, Exception)
