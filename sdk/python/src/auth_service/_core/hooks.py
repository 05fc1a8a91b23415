"""Callbacks for telemetry about requests."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

__all__ = ["Hooks", "RequestEvent", "ResponseEvent", "RetryEvent"]

Event = TypeVar("Event")


@dataclass(frozen=True, slots=True)
class RequestEvent:
    """One request of a call."""

    operation: str
    """Method and path below ``/api/service/``, such as ``GET users/{userId}/access``; the same for every user."""
    attempt: int
    """1 for the first request of a call."""


@dataclass(frozen=True, slots=True)
class ResponseEvent(RequestEvent):
    """The end of one request."""

    duration_seconds: float
    """How long the request took."""
    status: int | None
    """The HTTP status; ``None`` if there was no response."""
    request_id: str | None
    """The id by which the operators of the service find the request."""
    code: str | None
    """The code of the failure; ``None`` after a success."""


@dataclass(frozen=True, slots=True)
class RetryEvent(RequestEvent):
    """A retry."""

    code: str
    """Why the last attempt failed."""
    delay_seconds: float
    """How long the client waits before the next attempt."""


@dataclass(frozen=True, slots=True)
class Hooks:
    """Callbacks that receive neither secrets nor bodies nor user ids. The client ignores what they raise."""

    on_request: Callable[[RequestEvent], object] | None = None
    """Called before a request is signed and sent."""
    on_response: Callable[[ResponseEvent], object] | None = None
    """Called after each request, with or without a response."""
    on_retry: Callable[[RetryEvent], object] | None = None
    """Called before the pause that precedes another attempt."""


def tell(hook: Callable[[Event], object] | None, event: Event) -> None:
    """Calls a hook, if there is one, and ignores its failures."""
    if hook is None:
        return
    try:
        hook(event)
    except Exception:  # telemetry must never fail a call
        pass
