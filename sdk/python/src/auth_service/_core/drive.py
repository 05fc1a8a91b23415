"""What both drivers of routines share."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Union

import httpx

from .answers import Answer
from .effects import EffectFailed, SignedRequest
from .signing import ApiKey

KeySource = Callable[[], ApiKey]
"""Returns the current key for each call, so that it can be rotated while the application runs. It should cache what it reads."""
AsyncKeySource = Callable[[], Union[ApiKey, Awaitable[ApiKey]]]
"""A key, or a function that returns it or an awaitable of it; called for each call."""

USER_AGENT = "auth-service-python/0.1.0"


def to_httpx(request: SignedRequest, timeout_seconds: float) -> httpx.Request:
    """The request with these headers and no others: no cookies, no authorization and no defaults of the client."""
    timeout = httpx.Timeout(max(0.001, timeout_seconds))
    return httpx.Request(
        request.method,
        request.url,
        headers={"user-agent": USER_AGENT, **request.headers},
        content=request.body,
        extensions={"timeout": timeout.as_dict()},
    )


def from_httpx(response: httpx.Response, body: bytes) -> Answer:
    return Answer(response.status_code, {name.lower(): value for name, value in response.headers.items()}, body)


def failure_of(cause: Exception) -> EffectFailed:
    """What went wrong, without the URL, which has a user id."""
    timed_out = isinstance(cause, (httpx.TimeoutException, TimeoutError))
    return EffectFailed(f"{type(cause).__name__}: {cause}", timed_out=timed_out)


def source_of(key_id: str | None, secret: str | None, key: object) -> ApiKey | Callable[[], object]:
    """The key from the options, or its source; raises a ``ValueError`` unless exactly one is given."""
    if key is None:
        return ApiKey(key_id or "", secret or "")
    if key_id is not None or secret is not None:
        raise ValueError("give either key, or key_id and secret")
    if isinstance(key, ApiKey) or callable(key):
        return key
    raise ValueError("key must be an ApiKey, or a function that returns one")
