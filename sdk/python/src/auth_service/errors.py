"""The errors of a call: the class says how to react, ``code`` what exactly failed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

__all__ = [
    "AuthServiceError",
    "ForbiddenError",
    "InvalidRequestError",
    "NotFoundError",
    "SignatureError",
    "UnavailableError",
    "UnexpectedAnswerError",
    "VersionMismatchError",
    "error_classes",
]


class AuthServiceError(Exception):
    """A failed call. No error contains a secret."""

    code: str
    """Stable; what to branch on. New codes may be added."""
    detail: str
    """What went wrong this time."""
    status: int | None
    """The HTTP status; ``None`` if there was no response."""
    request_id: str | None
    """The id by which the operators of the service find the request."""
    retry_after_seconds: float
    """How long to wait before the next request, as the server asks, or until the circuit closes; otherwise 0."""
    problem: Mapping[str, Any]
    """The problem document (RFC 9457) in the response; empty if there is none."""
    attempts: int
    """The number of requests that the call sent."""
    timed_out: bool
    """Whether the last request got no answer in time."""

    def __init__(
        self,
        code: str,
        detail: str,
        *,
        status: int | None = None,
        request_id: str | None = None,
        retry_after_seconds: float = 0.0,
        problem: Mapping[str, Any] | None = None,
        timed_out: bool = False,
    ) -> None:
        super().__init__(f"{code}: {detail}")
        self.code = code
        self.detail = detail
        self.status = status
        self.request_id = request_id
        self.retry_after_seconds = retry_after_seconds
        self.problem = problem if problem is not None else {}
        self.attempts = 0
        self.timed_out = timed_out

    def __reduce__(self) -> tuple[object, ...]:
        # The default would call the class with the message alone, so that no error could be pickled.
        return _restore, (type(self), self.code, self.detail, self.__dict__.copy())


def _restore(kind: type[AuthServiceError], code: str, detail: str, members: dict[str, Any]) -> AuthServiceError:
    error = kind(code, detail)
    error.__dict__.update(members)
    return error


class InvalidRequestError(AuthServiceError):
    """The arguments are invalid. Nothing has changed."""


class SignatureError(AuthServiceError):
    """The key or the signature was rejected; ``signature_mismatch`` says where the signature bases differ."""


class ForbiddenError(AuthServiceError):
    """The API key lacks the scope, or the service accepts no requests from this address."""


class NotFoundError(AuthServiceError):
    """The user or the role does not exist. An unknown user has no access."""


class VersionMismatchError(AuthServiceError):
    """The version of the access is not ``if_version``. Nothing has changed: read the access and decide again."""


class UnavailableError(AuthServiceError):
    """Too many requests, no response, or the service is unavailable, even after all retries.

    A write may have taken effect: read the access before you repeat it, because a new call can overwrite changes that others
    have made since.
    """


class UnexpectedAnswerError(AuthServiceError):
    """A response that the service does not define: an internal error, a proxy's page, a redirect, another user's access."""


error_classes: Mapping[int, type[AuthServiceError]] = {
    400: InvalidRequestError,
    401: SignatureError,
    403: ForbiddenError,
    404: NotFoundError,
    409: UnavailableError,
    410: InvalidRequestError,
    412: VersionMismatchError,
    413: InvalidRequestError,
    415: InvalidRequestError,
    429: UnavailableError,
    502: UnavailableError,
    503: UnavailableError,
    504: UnavailableError,
}
"""The class of each status; any other status is an :class:`UnexpectedAnswerError`."""
