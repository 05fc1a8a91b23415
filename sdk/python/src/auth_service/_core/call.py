"""One call: signed attempts under one nonce, until there is an answer, a retry cannot help, or the time is over."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime
from random import random as random_number
from typing import Generic, TypeVar

from ..errors import AuthServiceError, SignatureError, UnavailableError
from .answers import Answer, Reader, parse_time, read_answer
from .circuit import Circuit
from .effects import EffectFailed, Pause, ReadKey, Routine, Send, SignedRequest
from .hooks import Hooks, RequestEvent, ResponseEvent, RetryEvent, tell
from .signing import ApiKey, InvalidKeyError, new_nonce, sign

Result = TypeVar("Result")

MAX_CALL_SECONDS = 300
"""How long the service returns the outcome of an attempt; later attempts must not use the same nonce."""
MAX_SKEW_SECONDS = 300
"""The maximum correction of the signing time by a response; it also bounds the expiry of signatures."""


@dataclass(frozen=True, slots=True)
class Clocks:
    """The clocks and the random source of a client, which tests replace."""

    now: Callable[[], float] = time.time
    """Seconds since 1970, by which requests are signed and blocks expire."""
    wall: Callable[[], float] = time.time
    """Seconds since 1970, by this machine."""
    monotonic: Callable[[], float] = time.monotonic
    random: Callable[[], float] = random_number


@dataclass(frozen=True, slots=True, kw_only=True)
class Call(Generic[Result]):
    """One call of the service."""

    method: str
    path: str
    """The path below ``/api/service/``, with ``{userId}`` for an id."""
    target: str
    """The path with the encoded id and the query."""
    read: Reader[Result]
    body: bytes = b""
    if_version: int | None = None
    reads: bool = False
    """Whether the call changes nothing."""
    timeout_seconds: float | None = None
    """The limit of the client by default."""
    max_attempts: int | None = None
    """The limit of the client by default."""


@dataclass(slots=True)
class Caller:
    """Sends calls. Its state, the clock of the service and the circuit, is shared by all calls of a client."""

    origin: str
    hooks: Hooks
    circuit: Circuit
    clocks: Clocks
    timeout_seconds: float
    max_attempts: int
    skew: float = 0.0
    """How many seconds the service is ahead of this machine."""

    def run(self, call: Call[Result]) -> Routine[Result]:
        """Sends a call; results in its answer, or raises an ``AuthServiceError``."""
        self.circuit.enter()
        attempts = _Attempts(self, call)
        while True:
            try:
                result = yield from attempts.send()
            except AuthServiceError as error:
                delay = attempts.delay_after(error)
                error.attempts = attempts.sent
                if delay is None or not delay < attempts.seconds_left():
                    self.circuit.leave(error.timed_out)
                    raise
                event = RetryEvent(attempts.operation, attempts.count, error.code, delay)
                tell(self.hooks.on_retry, event)
            else:
                self.circuit.leave(False)
                return result
            yield Pause(delay)


@dataclass(slots=True)
class _Attempts(Generic[Result]):
    """The attempts of one call.

    All share one nonce, so the service acts once and answers a retry with the outcome of the first attempt that it received. A 409
    ``nonce_replayed`` means that the same bytes arrived twice, which anything on the way can cause, even for the first attempt. It
    is retried like any temporary failure: the next attempt has a new signature and gets the outcome.
    """

    caller: Caller
    call: Call[Result]
    nonce: str = field(default_factory=new_nonce)
    key: ApiKey | None = None
    count: int = 0
    sent: int = 0
    signed_at: float = 0.0
    clock_is_set: bool = False
    ends_at: float = field(init=False)
    deadline: float = field(init=False)
    max_attempts: int = field(init=False)

    def __post_init__(self) -> None:
        clocks, call = self.caller.clocks, self.call
        limit = call.timeout_seconds or self.caller.timeout_seconds
        self.ends_at = clocks.now() + limit
        self.deadline = clocks.monotonic() + limit
        self.max_attempts = call.max_attempts or self.caller.max_attempts

    @property
    def operation(self) -> str:
        return f"{self.call.method} {self.call.path}"

    def seconds_left(self) -> float:
        return self.deadline - self.caller.clocks.monotonic()

    def send(self) -> Routine[Result]:
        """Sends one attempt, and tells the hooks."""
        hooks, monotonic = self.caller.hooks, self.caller.clocks.monotonic
        self.count += 1
        tell(hooks.on_request, RequestEvent(self.operation, self.count))
        started_at = monotonic()
        status: int | None = None
        request_id: str | None = None
        # What the driver closes before it has ended is aborted.
        code: str | None = "aborted"
        try:
            try:
                request, base, key = yield from self._sign(started_at)
                self.sent += 1
                answer: Answer = yield Send(request, self._share_end(started_at) - monotonic())
            except EffectFailed as failure:
                if isinstance(failure.__cause__, InvalidKeyError):
                    raise SignatureError("key_invalid", str(failure.__cause__)) from failure
                raise UnavailableError("no_answer", str(failure), timed_out=failure.timed_out) from failure
            status, request_id = answer.status, answer.headers.get("apigw-requestid")
            result = read_answer(
                answer,
                nonce=self.nonce,
                base=base,
                key_id=key.key_id,
                read=self.call.read,
                now=self.caller.clocks.wall,
            )
            code = None
            return result
        except AuthServiceError as error:
            code = error.code
            raise
        finally:
            duration = monotonic() - started_at
            tell(hooks.on_response, ResponseEvent(self.operation, self.count, duration, status, request_id, code))

    def _share_end(self, started_at: float) -> float:
        """Each attempt may take its share of the remaining time."""
        left = max(0.0, self.deadline - started_at)
        return started_at + left / max(1, self.max_attempts - self.count + 1)

    def _sign(self, started_at: float) -> Routine[tuple[SignedRequest, str, ApiKey]]:
        caller, call = self.caller, self.call
        # The same key for all attempts: with another key, the nonce would identify another call.
        if self.key is None:
            given = yield ReadKey(self._share_end(started_at) - caller.clocks.monotonic())
            self.key = _require_key(given)
        # At least a second after the previous attempt, so that no two signatures are the same.
        self.signed_at = max(self.signed_at + 1, caller.clocks.now())
        # No write is signed ahead of this machine's time: an attacker who forges a response could delay the write and send it
        # later.
        most = MAX_SKEW_SECONDS if call.reads else 0
        offset = max(-MAX_SKEW_SECONDS, min(most, caller.skew))
        url = f"{caller.origin}/api/service/{call.target}"
        headers = {"accept": "application/json"}
        if call.body:
            headers["content-type"] = "application/json"
        if_match = None if call.if_version is None else f'"{call.if_version}"'
        if if_match is not None:
            headers["if-match"] = if_match
        signature = sign(
            call.method,
            url,
            call.body,
            self.key,
            created=self.signed_at + offset,
            # By the service's clock: a delayed attempt cannot take effect after the caller has seen the failure.
            expires=self.ends_at + caller.skew,
            nonce=self.nonce,
            if_match=if_match,
        )
        request = SignedRequest(call.method, url, {**headers, **signature.headers}, call.body)
        return request, signature.base, self.key

    def delay_after(self, error: AuthServiceError) -> float | None:
        """How many seconds to wait before a retry; ``None`` if a retry cannot help."""
        caller = self.caller
        before = caller.skew
        found = _skew_of(error, caller.clocks.now())
        if found is not None:
            caller.skew = found
        if abs(caller.skew - before) > 1 and not self.clock_is_set:
            self.clock_is_set = True
            return 0.0
        if not (isinstance(error, UnavailableError) and self.count < self.max_attempts):
            return None
        # Jitter, so that clients do not retry in sync: up to 0.2 s, 0.4 s, 0.8 s … 5 s.
        most = min(5.0, 0.1 * 2.0 ** min(self.count, 10))
        return error.retry_after_seconds + caller.clocks.random() * most


def _require_key(given: object) -> ApiKey:
    """An invalid key is not retried, unlike a missing response."""
    if isinstance(given, ApiKey):
        return given
    raise SignatureError("key_invalid", f"the source of the key returned a {type(given).__name__}, not an ApiKey")


def _skew_of(error: AuthServiceError, now: float) -> float | None:
    """How many seconds the service is ahead, from a 401 ``clock_skew``; ``None`` for any other error."""
    if error.status != 401 or error.code != "clock_skew":
        return None
    try:
        time_of_server: datetime = parse_time(error.problem.get("serverTime"))
    except ValueError:
        return 0.0
    return time_of_server.timestamp() - now
