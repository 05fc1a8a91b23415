"""The guard for ASGI applications: Starlette, FastAPI and others."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import anyio.to_thread
from starlette.requests import HTTPConnection
from starlette.types import ASGIApp, Receive, Scope, Send

from .decision import Denial, GuardDecision, GuardedAccess, GuardRules, Refusal, WhenUnavailable

__all__ = ["AccessGuard", "access_of_request"]

_key = "auth_service.access"


class AccessGuard:
    """A middleware: only users with access reach the application, optionally only with one of these roles.

    ``app.add_middleware(AccessGuard, source=client, user_id=…)`` guards the whole application; to guard some routes, wrap their
    mounted application or router: ``Mount("/admin", AccessGuard(admin, source=…, user_id=…, role="owner"))``.

    ``source`` is an :class:`AsyncAuthServiceClient`, an :class:`AsyncAccessReplica`, or one for threads, which is asked in a thread.
    ``user_id`` gets the connection, such as a ``Request``, and returns the id of the logged-in user, or ``None``; it may be async.
    Other requests get a problem document: 401 without a user, 403 without access, 503 if no decision is possible. A WebSocket is
    closed instead. ``challenge`` is the ``WWW-Authenticate`` of a 401. ``show_reason`` adds the reason of a block, which is written
    for operators, to a 403. ``when_unavailable="allow"`` admits every user while the service does not answer, with an
    :class:`~auth_service.guards.OutageAccess`, unless a ``role`` is required. ``on_decision`` receives each decision.
    """

    def __init__(
        self,
        app: ASGIApp,
        *,
        source: object,
        user_id: Callable[[HTTPConnection], object],
        role: str | Sequence[str] | None = None,
        challenge: str = "Bearer",
        show_reason: bool = False,
        when_unavailable: WhenUnavailable = "deny",
        on_decision: Callable[[GuardDecision, HTTPConnection], object] | None = None,
    ) -> None:
        self._app = app
        self._user_id = user_id
        self._rules: GuardRules[HTTPConnection] = GuardRules(
            source, user_id, role, challenge, show_reason, when_unavailable, on_decision
        )

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        decision = await self._decide(HTTPConnection(scope))
        self._rules.tell(decision, HTTPConnection(scope))
        if isinstance(decision, Denial):
            await _refuse(self._rules.refuse(decision), scope, receive, send)
        else:
            await self._app({**scope, _key: decision.access}, receive, send)

    async def _decide(self, connection: HTTPConnection) -> GuardDecision:
        try:
            given = self._user_id(connection)
            found = self._rules.read_user_id(await given if inspect.isawaitable(given) else given)
        except Exception as error:  # whatever fails is a denial
            return self._rules.not_authenticated(error)
        if isinstance(found, Denial):
            return found
        try:
            return self._rules.decide(found, await _ask(self._rules.ask, found))
        except Exception as error:  # whatever fails is a denial
            return self._rules.failed(found, error)


async def _ask(ask: Callable[[str], Any], user_id: str) -> object:
    if inspect.iscoroutinefunction(ask):
        return await ask(user_id)
    answer = await anyio.to_thread.run_sync(partial(ask, user_id))
    return await answer if inspect.isawaitable(answer) else answer


async def _refuse(refusal: Refusal, scope: Scope, receive: Receive, send: Send) -> None:
    if scope["type"] == "websocket":
        # Before it is accepted, the server answers a closed WebSocket with 403.
        await receive()
        await send({"type": "websocket.close", "code": 1008})
        return
    headers = [(name.encode(), value.encode()) for name, value in refusal.headers.items()]
    length = (b"content-length", str(len(refusal.body)).encode())
    await send({"type": "http.response.start", "status": refusal.status, "headers": [*headers, length]})
    await send({"type": "http.response.body", "body": refusal.body})


def access_of_request(connection: HTTPConnection) -> GuardedAccess:
    """The access by which a guard has admitted the request; raises a ``LookupError`` if none has."""
    access: GuardedAccess | None = connection.scope.get(_key)
    if access is None:
        raise LookupError("no guard has admitted this request")
    return access
