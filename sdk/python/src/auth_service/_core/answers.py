"""What counts as an answer of the service."""

from __future__ import annotations

import hmac
import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime, timezone
from email.utils import parsedate_to_datetime
from typing import Any, TypeVar

from ..errors import AuthServiceError, UnavailableError, UnexpectedAnswerError, error_classes
from .signing import describe_difference

Result = TypeVar("Result")

Members = Mapping[str, Any]


class NotExpected(Exception):
    """A body is not a valid answer to the call."""


@dataclass(frozen=True, slots=True)
class Answer:
    """A response. Header names are in lower case."""

    status: int
    headers: Mapping[str, str]
    body: bytes


Reader = Callable[[Members, str, Answer], Result]
"""Reads a body with the id of the key and the whole answer; raises ``NotExpected``, or what a wrong shape leads to."""


def read_answer(
    answer: Answer, *, nonce: str, base: str, key_id: str, read: Reader[Result], now: Callable[[], float]
) -> Result:
    """Returns the content of an expected 200, and raises an error for everything else.

    Only a response with the nonce of the request comes from the service: that of a cache, a login page or a proxy has none, and
    does not count as a refusal either.
    """
    members = parse_members(answer.body)
    is_own = hmac.compare_digest(answer.headers.get("request-nonce", "").encode(), nonce.encode())
    if answer.status == 200 and is_own:
        try:
            return read(members, key_id, answer)
        except (NotExpected, KeyError, TypeError, ValueError, AttributeError):
            pass
    raise _error_of(answer, members, is_own=is_own, base=base, now=now)


def parse_members(body: bytes) -> Members:
    """The members of a JSON object; none of anything else."""
    try:
        parsed = json.loads(body)
    except (ValueError, RecursionError):
        return {}
    return parsed if isinstance(parsed, dict) else {}


def _error_of(
    answer: Answer, members: Members, *, is_own: bool, base: str, now: Callable[[], float]
) -> AuthServiceError:
    status, headers = answer.status, answer.headers
    is_refusal = is_own and headers.get("content-type", "").startswith("application/problem+json")
    problem = members if is_refusal else {}
    given = problem.get("code")
    code = given if isinstance(given, str) and given else _code_without(status)
    detail = problem.get("detail")
    if not isinstance(detail, str):
        detail = f"HTTP {status}" + ("" if is_own else ", not the service's answer to this request")
    server_base = problem.get("signatureBase")
    if isinstance(server_base, str):
        detail += f"; {describe_difference(base, server_base)}"
    kind: type[AuthServiceError] = error_classes.get(status, UnexpectedAnswerError) if code else UnexpectedAnswerError
    request_id = members.get("requestId") or headers.get("apigw-requestid")
    return kind(
        code or "unexpected_answer",
        detail,
        status=status,
        request_id=request_id if isinstance(request_id, str) else None,
        retry_after_seconds=_retry_after(headers.get("retry-after", ""), now()),
        problem=members,
    )


def _code_without(status: int) -> str | None:
    """Responses of API Gateway or a proxy have no code: those that can be retried get one from their status."""
    if status == 429:
        return "too_many_requests"
    return "unavailable" if error_classes.get(status) is UnavailableError else None


def _retry_after(header: str, now: float) -> float:
    """A number of seconds or a date (RFC 9110 section 10.2.3); 0 for anything else."""
    if re.fullmatch(r"\s*\d{1,9}(\.\d{1,9})?\s*", header, re.ASCII):
        return float(header)
    try:
        return max(0.0, http_date(header) - now)
    except ValueError:
        return 0.0


def http_date(text: str) -> float:
    """The seconds since 1970 of a date in a header; raises a ``ValueError`` for anything else."""
    try:
        parsed = parsedate_to_datetime(text)
    except (TypeError, IndexError) as cause:
        raise ValueError("not a date") from cause
    return (parsed if parsed.tzinfo else parsed.replace(tzinfo=timezone.utc)).timestamp()


def parse_time(text: object) -> datetime:
    """A timestamp (RFC 3339) of the service; raises a ``ValueError`` for anything else."""
    if not isinstance(text, str):
        raise ValueError("not a timestamp")
    parsed = datetime.fromisoformat(re.sub(r"[Zz]\Z", "+00:00", text))
    if parsed.tzinfo is None:
        raise ValueError("a timestamp without a time zone")
    return parsed
