"""The decision of a guard, for every framework: any failure is a denial."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Generic, Literal, Protocol, TypeVar, Union, runtime_checkable

from .._core.ids import is_user_id
from ..model import Role

Request = TypeVar("Request")

_titles = {401: "Unauthorized", 403: "Forbidden", 503: "Service Unavailable"}
_details = {
    "not_authenticated": "The request has no logged-in user. Log in first.",
    "access_denied": "This user has no access to this application.",
    "role_missing": "This user lacks a role that this request requires.",
    "access_unavailable": "The access of this user cannot be checked now. Try again later.",
}
_default_retry_after_seconds = 5

WhenUnavailable = Literal["deny", "allow"]
"""What a guard does while the service does not answer."""

# Neither a refused key, because a leaked one is revoked to end its use, nor ``too_many_requests``, which anyone who sends many
# requests can cause.
_outage_codes = ("no_answer", "circuit_open", "unavailable", "stale")


@runtime_checkable
class GuardedAccess(Protocol):
    """What a guard decides by: an access, or the decision of a replica."""

    @property
    def user_id(self) -> str:
        """The user, as asked."""

    @property
    def effective_status(self) -> str:
        """``enabled`` or ``disabled``."""

    @property
    def decided_by(self) -> str | None:
        """What decided; ``outage`` if only ``when_unavailable="allow"`` admits the user."""

    @property
    def roles(self) -> tuple[Role, ...]:
        """The roles that the user holds now."""


@dataclass(frozen=True, slots=True)
class OutageAccess:
    """The access of a user whom a guard admits because the service does not answer: it has no roles."""

    user_id: str
    """The user whom nobody could be asked about."""
    effective_status: Literal["enabled"] = "enabled"
    """Always ``enabled``."""
    decided_by: Literal["outage"] = "outage"
    """Always ``outage``."""
    roles: tuple[Role, ...] = ()
    """None."""
    is_enabled: Literal[True] = True
    """Always ``True``."""
    role_names: frozenset[str] = frozenset()
    """None."""

    def may(self, *roles: str) -> bool:
        """Whether the user may enter and holds one of these roles, which nobody does in an outage."""
        return not roles


@dataclass(frozen=True, slots=True)
class Passage:
    """The request is admitted."""

    user_id: str
    """The user who may enter."""
    access: GuardedAccess
    """With ``when_unavailable="allow"`` an :class:`OutageAccess`, if the service does not answer."""
    status: Literal[200] = 200
    """That of an admitted request."""
    error: Exception | None = None
    """The error of the source in such an outage."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Denial:
    """Why a request is denied."""

    status: Literal[401, 403, 503]
    """The HTTP status of the response."""
    code: str
    """``not_authenticated``, ``access_denied``, ``role_missing`` or ``access_unavailable``. New codes may be added."""
    user_id: str | None = None
    """``None`` with a 401."""
    access: GuardedAccess | None = None
    """The access that led to a 403; ``None`` if the user is unknown."""
    error: Exception | None = None
    """For a 503 the error of the source, for a 401 that of ``user_id``."""


GuardDecision = Union[Passage, Denial]
"""The decision of a guard about a request."""


@dataclass(frozen=True, slots=True)
class Refusal:
    """The response to a denied request: a problem document (RFC 9457)."""

    status: int
    headers: Mapping[str, str]
    body: bytes


class GuardRules(Generic[Request]):
    """The options of a guard, checked once when it is created."""

    def __init__(
        self,
        source: object,
        user_id: Callable[..., object],
        role: str | Sequence[str] | None,
        challenge: str,
        show_reason: bool,
        when_unavailable: WhenUnavailable,
        on_decision: Callable[[GuardDecision, Request], object] | None,
    ) -> None:
        self.ask = _ask_of(source)
        if not callable(user_id):
            raise TypeError("user_id of a guard must be a function of the request")
        self._roles = _roles_of(role)
        if not (challenge and challenge.isascii() and challenge.isprintable()):
            raise ValueError("challenge of a guard must be the text of a header")
        if when_unavailable not in ("deny", "allow"):
            raise ValueError("when_unavailable of a guard must be deny or allow")
        self._opens_in_outage = when_unavailable == "allow" and self._roles is None
        self._challenge = challenge
        self._show_reason = show_reason
        self._on_decision = on_decision

    def read_user_id(self, given: object) -> str | Denial:
        """The id of the logged-in user, or that there is none."""
        if given is None or given == "":
            return Denial(status=401, code="not_authenticated")
        if is_user_id(given):
            return str(given)
        return self.not_authenticated(TypeError(f"user_id returned a {type(given).__name__} that cannot be a user id"))

    def not_authenticated(self, error: Exception) -> Denial:
        return Denial(status=401, code="not_authenticated", error=error)

    def decide(self, user_id: str, access: object) -> GuardDecision:
        """Decides by what the source has returned."""
        code = getattr(access, "code", None)
        if code in ("user_not_found", "unknown"):
            return Denial(status=403, code="access_denied", user_id=user_id)
        if code is not None:
            return self._without_decision(user_id, LookupError(f"the source of the guard has no decision: {code}"), code)
        if not isinstance(access, GuardedAccess) or access.user_id != user_id:
            return self._without_decision(
                user_id, TypeError("the source of the guard did not return the access of this user"), None
            )
        if access.effective_status != "enabled":
            return Denial(status=403, code="access_denied", user_id=user_id, access=access)
        if self._roles is not None and not any(role.name in self._roles for role in access.roles):
            return Denial(status=403, code="role_missing", user_id=user_id, access=access)
        return Passage(user_id, access)

    def failed(self, user_id: str, error: Exception) -> GuardDecision:
        """The source has failed, or says that there is no such user."""
        code = getattr(error, "code", None)
        if code == "user_not_found":
            return Denial(status=403, code="access_denied", user_id=user_id)
        return self._without_decision(user_id, error, code)

    def _without_decision(self, user_id: str, error: Exception, code: object) -> GuardDecision:
        if self._opens_in_outage and code in _outage_codes:
            return Passage(user_id, OutageAccess(user_id), error=error)
        return Denial(status=503, code="access_unavailable", user_id=user_id, error=error)

    def tell(self, decision: GuardDecision, request: Request) -> None:
        """Tells the application for its logs and metrics; ignores its errors."""
        if self._on_decision is None:
            return
        try:
            self._on_decision(decision, request)
        except Exception:  # telemetry must never open or close a route
            pass

    def refuse(self, denial: Denial) -> Refusal:
        """The response to a denied request."""
        problem = {
            "type": "about:blank",
            "title": _titles[denial.status],
            "status": denial.status,
            "detail": _details[denial.code],
            "code": denial.code,
        }
        reason = getattr(denial.access, "reason", None)
        if self._show_reason and denial.code == "access_denied" and getattr(denial.access, "decided_by", "") == "explicit":
            problem |= {"reason": reason} if reason else {}
        headers = {"content-type": "application/problem+json", "cache-control": "no-store"}
        if denial.status == 401:
            # RFC 9110 section 15.5.2: a 401 must have one.
            headers["www-authenticate"] = self._challenge
        if denial.status == 503:
            headers["retry-after"] = str(_retry_after(denial.error))
        return Refusal(denial.status, headers, json.dumps(problem, ensure_ascii=False).encode())


def _ask_of(source: object) -> Callable[[str], object]:
    for name in ("check_or_ask", "get_access"):
        ask = getattr(source, name, None)
        if callable(ask):
            found: Callable[[str], object] = ask
            return found
    raise TypeError("source of a guard must be a client or a replica")


def _roles_of(role: str | Sequence[str] | None) -> frozenset[str] | None:
    if role is None:
        return None
    names = [role] if isinstance(role, str) else [*role]
    # A list that is empty by mistake must not open the route to everyone.
    if not names or not all(isinstance(name, str) and name for name in names):
        raise ValueError("role of a guard must be a name or several")
    return frozenset(names)


def _retry_after(error: Exception | None) -> int:
    seconds = getattr(error, "retry_after_seconds", 0)
    return math.ceil(seconds) if 0 < seconds < math.inf else _default_retry_after_seconds
