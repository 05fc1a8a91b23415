"""The client for async code, on asyncio or trio."""

from __future__ import annotations

import inspect
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from datetime import timedelta
from types import TracebackType
from typing import TypeVar

import anyio
import httpx

from ._core.call import Clocks
from ._core.circuit import CircuitOptions
from ._core.drive import AsyncKeySource, failure_of, from_httpx, source_of, to_httpx
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

__all__ = ["AsyncApplicationWebhooks", "AsyncAuthServiceClient"]


class AsyncAuthServiceClient:
    """The same as :class:`AuthServiceClient`, with the same options; ``key`` may also be an async function.

    A call that is cancelled may have taken effect, like one that got no answer.
    """

    def __init__(
        self,
        base_url: str,
        *,
        key_id: str | None = None,
        secret: str | None = None,
        key: ApiKey | AsyncKeySource | None = None,
        timeout_seconds: float = 10,
        max_attempts: int = 4,
        circuit: CircuitOptions | None = None,
        hooks: Hooks | None = None,
        allow_http: bool = False,
        http_client: httpx.AsyncClient | None = None,
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
        self._http = httpx.AsyncClient(trust_env=False) if http_client is None else http_client
        self.webhooks = AsyncApplicationWebhooks(self)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self._caller.origin!r})"

    async def __aenter__(self) -> AsyncAuthServiceClient:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.aclose()

    async def aclose(self) -> None:
        """Closes the connections."""
        if self._own_http:
            await self._http.aclose()

    async def is_allowed(self, user_id: str, *, timeout_seconds: float | None = None) -> bool:
        """See :meth:`AuthServiceClient.is_allowed`."""
        return await self._run(self._operations.is_allowed(user_id, timeout_seconds))

    async def get_access(self, user_id: str, *, timeout_seconds: float | None = None) -> Access:
        """See :meth:`AuthServiceClient.get_access`."""
        return await self._run(self._operations.get_access(user_id, timeout_seconds))

    async def check_access(
        self, user_ids: Sequence[str], *, timeout_seconds: float | None = None
    ) -> list[CheckedAccess]:
        """See :meth:`AuthServiceClient.check_access`."""
        return await self._run(self._operations.check_access(user_ids, timeout_seconds))

    async def set_access(
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
        """See :meth:`AuthServiceClient.set_access`."""
        setting = {"status": status, **without_none(until=until, reason=reason, ticket=ticket)}
        return await self._run(self._operations.set_access(user_id, setting, if_version, timeout_seconds))

    async def assign_role(
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
        """See :meth:`AuthServiceClient.assign_role`."""
        grant = {"role": role, **without_none(expiresAt=expires_at, reason=reason, ticket=ticket)}
        return await self._run(self._operations.assign_role(user_id, grant, if_version, timeout_seconds))

    async def revoke_role(
        self,
        user_id: str,
        role: str,
        *,
        reason: str | None = None,
        ticket: str | None = None,
        if_version: int | None = None,
        timeout_seconds: float | None = None,
    ) -> ChangedAccess:
        """See :meth:`AuthServiceClient.revoke_role`."""
        revocation = {"role": role, **without_none(reason=reason, ticket=ticket)}
        return await self._run(self._operations.revoke_role(user_id, revocation, if_version, timeout_seconds))

    async def changes(
        self, *, after: str | None = None, poll_seconds: float | None = None
    ) -> AsyncIterator[ChangePage]:
        """See :meth:`AuthServiceClient.changes`."""
        reader = self._operations.changes(after, poll_seconds)
        while (page := await self._run(reader.next_page())) is not None:
            yield page

    async def snapshot(self) -> AsyncIterator[SnapshotPage]:
        """See :meth:`AuthServiceClient.snapshot`."""
        reader = self._operations.snapshot()
        while (page := await self._run(reader.next_page())) is not None:
            yield page

    async def _run(self, routine: Routine[Result]) -> Result:
        return await run(routine, self._perform)

    async def _perform(self, effect: Effect) -> object:
        if isinstance(effect, Pause):
            await anyio.sleep(effect.seconds)
            return None
        try:
            with anyio.fail_after(max(0.0, effect.timeout_seconds)):
                return await (self._ask_for_key() if isinstance(effect, ReadKey) else self._send(effect))
        except Exception as error:
            raise failure_of(error) from error

    async def _ask_for_key(self) -> object:
        given = self._key if isinstance(self._key, ApiKey) else self._key()
        return await given if inspect.isawaitable(given) else given

    async def _send(self, effect: Send) -> object:
        request = to_httpx(effect.request, effect.timeout_seconds)
        response = await self._http.send(request, auth=None, follow_redirects=False, stream=True)
        try:
            return from_httpx(response, await response.aread())
        finally:
            await response.aclose()


class AsyncApplicationWebhooks:
    """The webhooks of the client's application; see :class:`ApplicationWebhooks`."""

    def __init__(self, client: AsyncAuthServiceClient) -> None:
        self._client = client

    async def list(self) -> list[Webhook]:
        """See :meth:`ApplicationWebhooks.list`."""
        return await self._client._run(self._client._operations.list_webhooks())

    async def set(
        self,
        webhook_id: str,
        url: str,
        *,
        events: Sequence[str] | None = None,
        format: DeliveryFormat | None = None,
        enabled: bool | None = None,
        if_version: int | None = None,
    ) -> WebhookWithSecret:
        """See :meth:`ApplicationWebhooks.set`."""
        given = None if events is None else [*events]
        setting = {"url": url, **without_none(events=given, format=format, enabled=enabled)}
        return await self._client._run(self._client._operations.set_webhook(webhook_id, setting, if_version))

    async def delete(self, webhook_id: str) -> None:
        """See :meth:`ApplicationWebhooks.delete`."""
        await self._client._run(self._client._operations.delete_webhook(webhook_id))

    async def rotate_secret(self, webhook_id: str, overlap: timedelta | str) -> WebhookWithSecret:
        """See :meth:`ApplicationWebhooks.rotate_secret`."""
        return await self._client._run(self._client._operations.rotate_secret(webhook_id, overlap))


async def run(routine: Routine[Result], perform: Callable[[Effect], Awaitable[object]]) -> Result:
    """Drives a routine to its end."""
    try:
        effect = next(routine)
        while True:
            try:
                reply = await perform(effect)
            except EffectFailed as failure:
                effect = routine.throw(failure)
            else:
                effect = routine.send(reply)
    except StopIteration as stop:
        result: Result = stop.value
        return result
    finally:
        routine.close()
