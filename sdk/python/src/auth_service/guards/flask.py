"""The guard for Flask."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import wraps
from typing import Any, TypeVar, cast

import flask

from .decision import Denial, GuardDecision, GuardedAccess, GuardRules, WhenUnavailable
from .sync import decide_request

View = TypeVar("View", bound=Callable[..., Any])

__all__ = ["access_of_request", "guard"]

_attribute = "auth_service_access"


def guard(
    source: object,
    user_id: Callable[[flask.Request], object],
    *,
    role: str | Sequence[str] | None = None,
    challenge: str = "Bearer",
    show_reason: bool = False,
    when_unavailable: WhenUnavailable = "deny",
    on_decision: Callable[[GuardDecision, flask.Request], object] | None = None,
) -> Callable[[View], View]:
    """Decorates a view, so that only users with access reach it, optionally only with one of these roles.

    Put it below ``@app.get(…)``. ``source`` is an :class:`AuthServiceClient` or an :class:`AccessReplica`. ``user_id`` returns the id
    of the logged-in user, or ``None``. Other requests get a problem document: 401 without a user, 403 without access, 503 if no
    decision is possible. ``challenge`` is the ``WWW-Authenticate`` of a 401. ``show_reason`` adds the reason of a block, which is
    written for operators, to a 403. ``when_unavailable="allow"`` admits every user while the service does not answer, with an
    :class:`~auth_service.guards.OutageAccess`, unless a ``role`` is required. ``on_decision`` receives each decision. Raises a
    ``TypeError`` or ``ValueError`` for invalid options.
    """
    rules = GuardRules(source, user_id, role, challenge, show_reason, when_unavailable, on_decision)

    def decorate(view: View) -> View:
        @wraps(view)
        def guarded(*args: Any, **kwargs: Any) -> Any:
            refusal = _check(rules, user_id)
            return flask.current_app.ensure_sync(view)(*args, **kwargs) if refusal is None else refusal

        return cast(View, guarded)

    return decorate


def _check(rules: GuardRules[flask.Request], user_id: Callable[[flask.Request], object]) -> flask.Response | None:
    decision = decide_request(rules, user_id, flask.request)
    if isinstance(decision, Denial):
        refusal = rules.refuse(decision)
        return flask.Response(refusal.body, refusal.status, dict(refusal.headers))
    setattr(flask.g, _attribute, decision.access)
    return None


def access_of_request() -> GuardedAccess:
    """The access by which a guard has admitted the current request; raises a ``LookupError`` if none has."""
    access: GuardedAccess | None = getattr(flask.g, _attribute, None)
    if access is None:
        raise LookupError("no guard has admitted this request")
    return access
