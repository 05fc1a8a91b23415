"""The guards of all frameworks, over the code of the service."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import fastapi
import pytest

from auth_service import AuthServiceClient
from auth_service.guards import Denial, GuardDecision, Passage
from auth_service.replica import WhenStale, open_replica
from auth_service.testing import FakeAuthService


@dataclass
class Answer:
    status: int
    headers: dict[str, str]
    text: str

    @property
    def code(self) -> object:
        return json.loads(self.text)["code"]


Ask = Callable[..., Answer]
"""Asks a guarded route as a user; ``None`` is nobody. Options are those of the guard."""


def ask_flask(service: FakeAuthService, user: str | None, **options: Any) -> Answer:
    import flask

    from auth_service.guards.flask import access_of_request, guard

    app = flask.Flask("test")
    with service.client(max_attempts=1) as client:

        @app.get("/")
        @guard(options.pop("source", client), options.pop("user_id", lambda request: request.headers.get("X-User")), **options)
        def view() -> str:
            return "welcome " + access_of_request().user_id

        answer = app.test_client().get("/", headers={} if user is None else {"X-User": user})
    return Answer(answer.status_code, {name.lower(): value for name, value in answer.headers.items()}, answer.text)


def ask_django(service: FakeAuthService, user: str | None, **options: Any) -> Answer:
    import django.conf

    if not django.conf.settings.configured:
        django.conf.settings.configure(USE_TZ=True)
    from django.http import HttpResponse
    from django.test import RequestFactory

    from auth_service.guards.django import access_of_request, guard

    with service.client(max_attempts=1) as client:
        read = options.pop("user_id", lambda request: request.META.get("HTTP_X_USER"))

        @guard(options.pop("source", client), read, **options)
        def view(request: Any) -> HttpResponse:
            return HttpResponse("welcome " + access_of_request(request).user_id)

        answer = view(RequestFactory().get("/", **({} if user is None else {"HTTP_X_USER": user})))
    return Answer(answer.status_code, {name.lower(): value for name, value in answer.items()}, answer.content.decode())


def ask_fastapi(service: FakeAuthService, user: str | None, is_async: bool = True, **options: Any) -> Answer:
    from fastapi.testclient import TestClient

    from auth_service.guards.asgi import AccessGuard, access_of_request

    app = fastapi.FastAPI()

    @app.get("/")
    async def view(request: fastapi.Request) -> str:
        return "welcome " + access_of_request(request).user_id

    async def read_user(connection: Any) -> str | None:
        found: str | None = connection.headers.get("X-User")
        return found

    client: Any = (service.async_client if is_async else service.client)(max_attempts=1)
    options = {"source": client, "user_id": read_user, **options}
    app.add_middleware(AccessGuard, **options)
    app.add_event_handler("shutdown", client.aclose if is_async else client.close)
    with TestClient(app, raise_server_exceptions=False) as http:
        answer = http.get("/", headers={} if user is None else {"X-User": user})
    return Answer(answer.status_code, dict(answer.headers), answer.text)


def ask_fastapi_in_a_thread(service: FakeAuthService, user: str | None, **options: Any) -> Answer:
    return ask_fastapi(service, user, is_async=False, **options)


frameworks = [ask_flask, ask_django, ask_fastapi, ask_fastapi_in_a_thread]


@pytest.fixture(params=frameworks, ids=lambda ask: str(ask.__name__))
def ask(request: pytest.FixtureRequest) -> Iterator[Ask]:
    yield request.param


def test_a_user_with_access_is_admitted(fake_auth_service: FakeAuthService, ask: Ask) -> None:
    fake_auth_service.create_user("auth0|ada")
    answer = ask(fake_auth_service, "auth0|ada")
    assert (answer.status, answer.text.strip('"')) == (200, "welcome auth0|ada")


def test_nobody_is_admitted_without_a_user(fake_auth_service: FakeAuthService, ask: Ask) -> None:
    for user in (None, "", "a/b", ".."):
        answer = ask(fake_auth_service, user, challenge='Bearer realm="billing"')
        assert (answer.status, answer.code) == (401, "not_authenticated")
        assert answer.headers["www-authenticate"] == 'Bearer realm="billing"'
        assert answer.headers["content-type"] == "application/problem+json"
        assert answer.headers["cache-control"] == "no-store"
    assert fake_auth_service.requests == []


def test_a_user_id_that_cannot_be_read_is_no_user(fake_auth_service: FakeAuthService, ask: Ask) -> None:
    def fail(request: object) -> str:
        raise RuntimeError("no session store")

    def give_number(request: object) -> int:
        return 7

    for user_id in (fail, give_number):
        assert ask(fake_auth_service, "ada", user_id=user_id).status == 401


def test_a_blocked_or_unknown_user_is_denied(fake_auth_service: FakeAuthService, ask: Ask) -> None:
    service = fake_auth_service
    service.create_user("ada")
    service.set_access("ada", "disabled", reason="unpaid – see invoice")
    assert ask(service, "nobody").status == 403
    answer = ask(service, "ada")
    assert (answer.status, answer.code, "unpaid" in answer.text) == (403, "access_denied", False)
    assert json.loads(ask(service, "ada", show_reason=True).text)["reason"] == "unpaid – see invoice"
    service.set_user_status("ada", "inactive")
    assert "unpaid" not in ask(service, "ada", show_reason=True).text


def test_one_of_the_roles_is_enough(fake_auth_service: FakeAuthService, ask: Ask) -> None:
    service = fake_auth_service
    service.create_user("ada")
    service.define_role("editor")
    assert ask(service, "ada", role="editor").code == "role_missing"
    service.assign_role("ada", "editor")
    assert ask(service, "ada", role="editor").status == 200
    assert ask(service, "ada", role=["owner", "editor"]).status == 200
    assert ask(service, "ada", role=["owner"]).code == "role_missing"
    service.set_access("ada", "disabled")
    assert ask(service, "ada", role="editor").code == "access_denied"


def test_without_an_answer_nobody_is_admitted(fake_auth_service: FakeAuthService, ask: Ask) -> None:
    service = fake_auth_service
    service.create_user("ada")
    service.fail(code="unavailable", retry_after_seconds=60)
    answer = ask(service, "ada")
    assert (answer.status, answer.code, answer.headers["retry-after"]) == (503, "access_unavailable", "60")
    service.fail("no answer")
    assert ask(service, "ada").headers["retry-after"] == "5"
    service.fail(status=404)
    assert ask(service, "ada").status == 503


def test_another_answer_of_the_source_admits_nobody(fake_auth_service: FakeAuthService, ask: Ask) -> None:
    service = fake_auth_service
    service.create_user("eve")

    class Wrong:
        def __init__(self, answer: object) -> None:
            self._answer = answer

        def get_access(self, user_id: str) -> object:
            return self._answer

    with service.client() as client:
        for answer in (None, True, "enabled", {"user_id": "ada", "effective_status": "enabled"}, client.get_access("eve")):
            assert ask(service, "ada", source=Wrong(answer)).status == 503


def test_a_replica_decides(fake_auth_service: FakeAuthService) -> None:
    service = fake_auth_service
    for user_id in ("ada", "ben"):
        service.create_user(user_id)
    service.set_access("ben", "disabled")
    with service.client(max_attempts=1) as client:
        with open_replica(client, unknown="ask") as replica:
            for ask in (ask_flask, ask_django, ask_fastapi_in_a_thread):
                statuses = [ask(service, user, source=replica).status for user in ("ada", "ben", "nobody", "ADA")]
                assert statuses == [200, 403, 403, 403]
        choices: tuple[WhenStale, ...] = ("deny", "ask")
        for when_stale in choices:
            with open_replica(client, when_stale=when_stale, max_staleness_seconds=0.3) as replica:
                service.fail("no answer")
                while replica.check("ben").code != "stale":
                    time.sleep(0.01)
                assert [ask_flask(service, user, source=replica).status for user in ("ada", "ben")] == [503, 503]
                service.recover()


def test_decisions_are_told(fake_auth_service: FakeAuthService, ask: Ask) -> None:
    service = fake_auth_service
    service.create_user("ada")
    told: list[GuardDecision] = []

    def note(decision: GuardDecision, request: object) -> None:
        told.append(decision)
        raise RuntimeError("the log is full")

    for user in ("ada", "nobody", None):
        ask(service, user, on_decision=note)
    assert [type(decision) for decision in told] == [Passage, Denial, Denial]
    assert [decision.status for decision in told] == [200, 403, 401]


@pytest.mark.parametrize("options", [{"role": ""}, {"role": []}, {"role": ["a", ""]}, {"challenge": "a\r\nb"}])
def test_options_are_checked(options: dict[str, Any]) -> None:
    from auth_service.guards.flask import guard

    with AuthServiceClient("https://auth.example.com", key_id=None, secret=None, key=_key()) as client:
        with pytest.raises(ValueError):
            guard(client, lambda request: None, **options)
        with pytest.raises(TypeError):
            guard(object(), lambda request: None)


def _key() -> Any:
    from auth_service import ApiKey
    from kit import KEY

    return ApiKey(**KEY)


def test_access_is_only_known_of_admitted_requests() -> None:
    from starlette.requests import HTTPConnection

    from auth_service.guards.asgi import access_of_request

    with pytest.raises(LookupError):
        access_of_request(HTTPConnection({"type": "http", "headers": []}))
