"""Runs the cases of ``sdk/conformance`` in virtual time."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Callable, Iterator
from dataclasses import fields, is_dataclass
from pathlib import Path
from typing import Any, Protocol

import httpx

from auth_service import ApiKey, AsyncAuthServiceClient, AuthServiceClient, AuthServiceError, ChangePage, UnknownUser
from auth_service._core.answers import Answer, parse_time
from auth_service._core.call import Clocks
from auth_service._core.effects import Effect, EffectFailed, Pause, ReadKey, Send
from auth_service._core.operations import Operations
from auth_service._core.settings import create_caller

Case = dict[str, Any]

_folder = Path(__file__).parents[2] / "conformance"
START = parse_time("2026-11-20T12:00:00.000Z").timestamp()
KEY: Any = {
    "key_id": "svk_k1_billing_01JD2Y8Q4M5N6P7R8S9TAVBWCX",
    "secret": "svs_this-is-test-data-and-it-opens-no-door-here",
}
# Nothing is sent by these; a client of its own for each case would take longer than the case.
_unused = httpx.Client(trust_env=False)
_unused_async = httpx.AsyncClient(trust_env=False)
ORIGIN = "https://auth.example.com"


def name_of(case: Case) -> str:
    return str(case["name"])


def read_kit(name: str) -> list[Case]:
    """The cases of one file of the kit."""
    manifest = json.loads((_folder / "kit.json").read_text())
    assert manifest["version"] == 1
    content = json.loads((_folder / manifest["files"][name]).read_text())
    cases: list[Case] = content if isinstance(content, list) else content["cases"]
    return cases


class VirtualTime:
    """A clock that moves only when the SDK waits."""

    def __init__(self, random: float) -> None:
        self.seconds = 0.0
        self._random = random

    def wait(self, seconds: float) -> None:
        self.seconds += max(0.0, seconds)

    @property
    def milliseconds(self) -> float:
        return self.seconds * 1000

    def clocks(self) -> Clocks:
        now = lambda: START + self.seconds
        return Clocks(now=now, wall=now, monotonic=lambda: self.seconds, random=lambda: self._random)


class Exchanges:
    """Answers the requests of a client in turn, and notes them."""

    def __init__(self, time: VirtualTime, exchanges: list[Case]) -> None:
        self._time = time
        self._exchanges = exchanges
        self._nonces: list[str] = []
        self.requests: list[Case] = []

    def perform(self, effect: Effect) -> object:
        if isinstance(effect, Pause):
            self._time.wait(effect.seconds)
            return None
        if isinstance(effect, ReadKey):
            raise AssertionError("the key is not a function")
        return self._send(effect)

    def _send(self, effect: Send) -> Answer:
        nonce = self._note(effect)
        exchange = self._exchanges[min(len(self.requests), len(self._exchanges)) - 1]
        seconds = exchange.get("seconds", 0)
        if exchange.get("fault") == "hang" or seconds > effect.timeout_seconds:
            self._time.wait(effect.timeout_seconds)
            raise EffectFailed("no answer in time", timed_out=True)
        self._time.wait(seconds)
        if "fault" in exchange:
            raise EffectFailed(exchange["fault"])
        return answer_of(exchange, nonce)

    def _note(self, effect: Send) -> str:
        request = effect.request
        found = re.search(r';created=(\d+);nonce="([^"]+)";keyid="[^"]+";expires=(\d+)$', request.headers["signature-input"])
        assert found
        created, nonce, expires = found.groups()
        if nonce not in self._nonces:
            self._nonces.append(nonce)
        noted: Case = {
            "call": self._nonces.index(nonce) + 1,
            "method": request.method,
            "target": request.url.removeprefix(ORIGIN),
            "created": int(created),
            "expires": int(expires),
            "sentAt": self._time.milliseconds,
        }
        if "if-match" in request.headers:
            noted["ifMatch"] = request.headers["if-match"]
        if request.body:
            noted["body"] = json.loads(request.body)
        self.requests.append(noted)
        return nonce


def answer_of(exchange: Case, nonce: str) -> Answer:
    status = exchange.get("status", 200)
    body = exchange.get("body", "")
    kind = "application/json" if status < 400 else "application/problem+json"
    headers = {"content-type": kind, **exchange.get("headers", {})}
    given = exchange.get("nonce", nonce)
    if given is not None:
        headers["request-nonce"] = given
    return Answer(status, headers, (body if isinstance(body, str) else json.dumps(body)).encode())


class Calls(Protocol):
    """What both clients have in common, for the calls of the kit."""

    def __call__(self, operation: str, *arguments: object, **options: object) -> object: ...


def sync_calls(time: VirtualTime, exchanges: Exchanges, options: dict[str, Any]) -> Calls:
    client = AuthServiceClient(ORIGIN, **KEY, http_client=_unused)
    client._caller = _virtual_caller(time, options)
    client._operations = Operations(client._caller)
    setattr(client, "_perform", _performer(exchanges))

    def call(operation: str, *arguments: object, **given: object) -> object:
        result = getattr(client, operation)(*arguments, **given)
        return list(result) if isinstance(result, Iterator) else result

    return call


def async_calls(time: VirtualTime, exchanges: Exchanges, options: dict[str, Any]) -> Calls:
    client = AsyncAuthServiceClient(ORIGIN, **KEY, http_client=_unused_async)
    client._caller = _virtual_caller(time, options)
    client._operations = Operations(client._caller)
    perform = _performer(exchanges)

    async def perform_soon(effect: Effect) -> object:
        return perform(effect)

    setattr(client, "_perform", perform_soon)

    async def run(operation: str, *arguments: object, **given: object) -> object:
        result = getattr(client, operation)(*arguments, **given)
        return [page async for page in result] if operation == "changes" else await result

    def call(operation: str, *arguments: object, **given: object) -> object:
        return asyncio.run(run(operation, *arguments, **given))

    return call


def _virtual_caller(time: VirtualTime, options: dict[str, Any]) -> Any:
    limits = {"timeout_seconds": options.get("timeoutSeconds", 10), "max_attempts": options.get("maxAttempts", 4)}
    return create_caller(ORIGIN, **limits, circuit=None, hooks=None, allow_http=False, clocks=time.clocks())


def _performer(exchanges: Exchanges) -> Callable[[Effect], object]:
    key = ApiKey(**KEY)

    def perform(effect: Effect) -> object:
        return key if isinstance(effect, ReadKey) else exchanges.perform(effect)

    return perform


_names = {
    "getAccess": "get_access",
    "isAllowed": "is_allowed",
    "checkAccess": "check_access",
    "setAccess": "set_access",
    "assignRole": "assign_role",
    "revokeRole": "revoke_role",
    "changes": "changes",
}


def run_call(calls: Calls, step: Case) -> Case:
    """The outcome of one call, as the kit writes it."""
    operation = step["operation"]
    body = dict(step.get("body", {}))
    options: dict[str, object] = {}
    arguments: list[object] = [step["userId"]] if "userId" in step else []
    if operation == "checkAccess":
        arguments = [step["userIds"]]
    elif operation == "changes":
        options["after"] = step.get("after")
    elif operation == "setAccess":
        arguments.append(body.pop("status"))
    elif operation in ("assignRole", "revokeRole"):
        arguments.append(body.pop("role", step.get("role")))
    options |= {"expires_at" if name == "expiresAt" else name: value for name, value in body.items()}
    if "ifVersion" in step:
        options["if_version"] = step["ifVersion"]
    try:
        return {"answer": to_json(calls(_names[operation], *arguments, **options))}
    except AuthServiceError as error:
        noted = {
            "class": type(error).__name__,
            "code": error.code,
            "attempts": error.attempts or None,
            "status": error.status,
            "retryAfterSeconds": error.retry_after_seconds,
        }
        return {"error": {name: value for name, value in noted.items() if value is not None}}


def to_json(value: object) -> object:
    """The JSON that a result was read from."""
    if isinstance(value, UnknownUser):
        return {"userId": value.user_id, "code": "user_not_found"}
    if isinstance(value, ChangePage):
        return {"items": [to_json(item) for item in value.items], "cursor": value.cursor}
    if is_dataclass(value) and "raw" in {each.name for each in fields(value)}:
        return getattr(value, "raw")
    if isinstance(value, list):
        return [to_json(item) for item in value]
    return value
