"""The client for threads."""

from __future__ import annotations

import contextvars
import queue
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from datetime import timedelta
from functools import partial
from types import TracebackType
from typing import TypeVar

import httpx

from ._core.call import Clocks
from ._core.circuit import CircuitOptions
from ._core.drive import KeySource, failure_of, from_httpx, source_of, to_httpx
from ._core.effects import Effect, EffectFailed, Pause, ReadKey, Routine, Send
from ._core.hooks import Hooks
from ._core.operations import Moment, Operations, without_none
from ._core.settings import create_caller
from ._core.signing import ApiKey
from .model import (
    Access,
    ChangedAccess,
    ChangePage,
    CheckedAccess,
    DeliveryFormat,
    SnapshotPage,
    Status,
    Webhook,
    WebhookWithSecret,
)

Result = TypeVar("Result")

__all__ = ["ApplicationWebhooks", "AuthServiceClient"]


class AuthServiceClient:
    """Reads and changes access as one application, with its API key.

    Each request is signed. After a 429, a 503 or a lost response the client retries with the nonce of the call and a new signature,
    so a write takes effect only once: a retry returns the outcome of the first request, whatever has changed since. It fails
    closed: an error or an unexpected response never counts as enabled.

    One client serves any number of threads. Close it, or use it as a context manager. ``base_url`` is scheme and host of the
    service. ``key`` is an :class:`ApiKey` or a function that returns one, instead of ``key_id`` and ``secret``. A call takes at
    most ``timeout_seconds``, at most 300, with all its attempts and pauses. ``allow_http`` allows ``http://`` to other machines,
    where anyone on the network can answer "enabled". ``http_client`` sends the requests, and is not closed: by default one that
    ignores the proxies and certificates that the environment names. ``now`` returns seconds since 1970, for tests.

    Raises a ``ValueError`` for an invalid option. Calls raise :class:`AuthServiceError`.
    """

    def __init__(
        self,
        base_url: str,
        *,
        key_id: str | None = None,
        secret: str | None = None,
        key: ApiKey | KeySource | None = None,
        timeout_seconds: float = 10,
        max_attempts: int = 4,
        circuit: CircuitOptions | None = None,
        hooks: Hooks | None = None,
        allow_http: bool = False,
        http_client: httpx.Client | None = None,
        now: Callable[[], float] = time.time,
    ) -> None:
        self._key = source_of(key_id, secret, key)
        self._caller = create_caller(
            base_url,
            timeout_seconds=timeout_seconds,
            max_attempts=max_attempts,
            circuit=circuit,
            hooks=hooks,
            allow_http=allow_http,
            clocks=Clocks(now=now),
        )
        self._operations = Operations(self._caller)
        self._own_http = http_client is None
        # What the environment says about proxies may be meant for other programs, and a proxy can answer.
        self._http = httpx.Client(trust_env=False) if http_client is None else http_client
        self.webhooks = ApplicationWebhooks(self)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self._caller.origin!r})"

    def __enter__(self) -> AuthServiceClient:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Closes the connections."""
        if self._own_http:
            self._http.close()

    def is_allowed(self, user_id: str, *, timeout_seconds: float | None = None) -> bool:
        """Whether the user has access to the application now.

        ``False`` for unknown users and invalid ids; raises if there is no valid response.
        """
        return self._run(self._operations.is_allowed(user_id, timeout_seconds))

    def get_access(self, user_id: str, *, timeout_seconds: float | None = None) -> Access:
        """Reads the user's access to the application; raises :class:`NotFoundError` for an unknown user."""
        return self._run(self._operations.get_access(user_id, timeout_seconds))

    def check_access(
        self, user_ids: Sequence[str], *, timeout_seconds: float | None = None
    ) -> list[CheckedAccess]:
        """Reads the access of up to 100 users: for each id, in the same order, the access or an :class:`UnknownUser`."""
        return self._run(self._operations.check_access(user_ids, timeout_seconds))

    def set_access(
        self,
        user_id: str,
        status: Status,
        *,
        until: Moment | None = None,
        reason: str | None = None,
        ticket: str | None = None,
        if_version: int | None = None,
        timeout_seconds: float | None = None,
    ) -> ChangedAccess:
        """Enables or disables the user's access. A ``reason`` or an ``until`` that is not given is removed.

        ``until`` ends a block. With ``if_version``, raises :class:`VersionMismatchError` unless the access has this ``version``.
        """
        setting = {"status": status, **without_none(until=until, reason=reason, ticket=ticket)}
        return self._run(self._operations.set_access(user_id, setting, if_version, timeout_seconds))

    def assign_role(
        self,
        user_id: str,
        role: str,
        *,
        expires_at: Moment | None = None,
        reason: str | None = None,
        ticket: str | None = None,
        if_version: int | None = None,
        timeout_seconds: float | None = None,
    ) -> ChangedAccess:
        """Assigns a role of the application to the user; without ``expires_at`` it never expires."""
        grant = {"role": role, **without_none(expiresAt=expires_at, reason=reason, ticket=ticket)}
        return self._run(self._operations.assign_role(user_id, grant, if_version, timeout_seconds))

    def revoke_role(
        self,
        user_id: str,
        role: str,
        *,
        reason: str | None = None,
        ticket: str | None = None,
        if_version: int | None = None,
        timeout_seconds: float | None = None,
    ) -> ChangedAccess:
        """Revokes a role of the application from the user."""
        revocation = {"role": role, **without_none(reason=reason, ticket=ticket)}
        return self._run(self._operations.revoke_role(user_id, revocation, if_version, timeout_seconds))

    def changes(self, *, after: str | None = None, poll_seconds: float | None = None) -> Iterator[ChangePage]:
        """Reads the changes that concern the application, page by page, after a ``cursor`` that you store.

        Without ``after`` the history is read from its beginning. With ``poll_seconds`` it waits for new changes and never ends. After
        an interruption, unprocessed pages are delivered again, and so may be the latest changes.
        """
        reader = self._operations.changes(after, poll_seconds)
        return iter(lambda: self._run(reader.next_page()), None)

    def snapshot(self) -> Iterator[SnapshotPage]:
        """Reads everything that differs from the default, page by page; the last page proves that it is complete."""
        reader = self._operations.snapshot()
        return iter(lambda: self._run(reader.next_page()), None)

    def _run(self, routine: Routine[Result]) -> Result:
        return run(routine, self._perform)

    def _perform(self, effect: Effect) -> object:
        if isinstance(effect, Pause):
            time.sleep(effect.seconds)
            return None
        return self._ask(effect, queue.SimpleQueue())

    def _ask(self, effect: Send | ReadKey, outcome: Outcome) -> object:
        if isinstance(effect, Send):
            return run_within(effect.timeout_seconds, partial(self._send, effect), outcome)
        return self._key if isinstance(self._key, ApiKey) else run_within(effect.timeout_seconds, self._key, outcome)

    def _send(self, effect: Send) -> object:
        request = to_httpx(effect.request, effect.timeout_seconds)
        response = self._http.send(request, auth=None, follow_redirects=False, stream=True)
        try:
            return from_httpx(response, response.read())
        finally:
            response.close()


class ApplicationWebhooks:
    """The webhooks of the client's application. The key needs the scope ``webhooks:write``, and the deployment has webhooks."""

    def __init__(self, client: AuthServiceClient) -> None:
        self._client = client

    def list(self) -> list[Webhook]:
        """All webhooks, at most five, by id. ``state`` and ``last_error`` say whether deliveries succeed."""
        return self._client._run(self._client._operations.list_webhooks())

    def set(
        self,
        webhook_id: str,
        url: str,
        *,
        events: Sequence[str] | None = None,
        format: DeliveryFormat | None = None,
        enabled: bool | None = None,
        if_version: int | None = None,
    ) -> WebhookWithSecret:
        """Creates a webhook or sets all of it, so an application can call this whenever it starts.

        ``secret`` is ``None`` unless this call has created the webhook: store it, it is never shown again. ``events`` are the kinds
        of changes to deliver; ``None`` for all.
        """
        given = None if events is None else [*events]
        setting = {"url": url, **without_none(events=given, format=format, enabled=enabled)}
        return self._client._run(self._client._operations.set_webhook(webhook_id, setting, if_version))

    def delete(self, webhook_id: str) -> None:
        """Deletes a webhook. Raises :class:`NotFoundError` if there is none with this id."""
        self._client._run(self._client._operations.delete_webhook(webhook_id))

    def rotate_secret(self, webhook_id: str, overlap: timedelta | str) -> WebhookWithSecret:
        """Replaces the secret. Until the end of the overlap each delivery has two signatures."""
        return self._client._run(self._client._operations.rotate_secret(webhook_id, overlap))


def run(routine: Routine[Result], perform: Callable[[Effect], object]) -> Result:
    """Drives a routine to its end."""
    try:
        effect = next(routine)
        while True:
            try:
                reply = perform(effect)
            except EffectFailed as failure:
                effect = routine.throw(failure)
            else:
                effect = routine.send(reply)
    except StopIteration as stop:
        result: Result = stop.value
        return result
    finally:
        routine.close()


Outcome = queue.SimpleQueue[tuple[object, "Exception | None"]]
"""Gets a result or an error, of which the first counts."""


def run_within(seconds: float, function: Callable[[], object], outcome: Outcome) -> object:
    """Runs a function in a thread of its own, and leaves it alone when the time is over or ``outcome`` gets something else.

    The timeouts of a socket are those of a single read, so a peer that sends byte by byte could hold a call forever.
    """

    def work() -> None:
        try:
            outcome.put((function(), None))
        except Exception as error:  # it is raised in the thread of the call
            outcome.put((None, error))

    context = contextvars.copy_context()
    threading.Thread(target=context.run, args=(work,), name="auth-service-request", daemon=True).start()
    try:
        result, error = outcome.get(timeout=max(0.0, seconds))
    except queue.Empty:
        raise EffectFailed(f"no answer within {seconds:.3f} s", timed_out=True) from None
    if error is not None:
        raise failure_of(error) from error
    return result
