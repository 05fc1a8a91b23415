"""The guard for views of Django."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import wraps
from typing import Any, TypeVar, cast

from django.http import HttpRequest, HttpResponse

from .decision import Denial, GuardDecision, GuardedAccess, GuardRules, WhenUnavailable
from .sync import decide_request

View = TypeVar("View", bound=Callable[..., Any])

__all__ = ["access_of_request", "guard"]

_attribute = "_auth_service_access"


def guard(
    source: object,
    user_id: Callable[[HttpRequest], object],
    *,
    role: str | Sequence[str] | None = None,
    challenge: str = "Bearer",
    show_reason: bool = False,
    when_unavailable: WhenUnavailable = "deny",
    on_decision: Callable[[GuardDecision, HttpRequest], object] | None = None,
) -> Callable[[View], View]:
    """Decorates a view, so that only users with access reach it; see :func:`auth_service.guards.flask.guard`.

    For a class, decorate ``dispatch`` with ``method_decorator(guard(…))``, or what ``as_view()`` returns. ``user_id`` is, for example,
    ``lambda request: request.user.username if request.user.is_authenticated else None``.
    """
    rules = GuardRules(source, user_id, role, challenge, show_reason, when_unavailable, on_decision)

    def decorate(view: View) -> View:
        @wraps(view)
        def guarded(request: HttpRequest, *args: Any, **kwargs: Any) -> Any:
            decision = decide_request(rules, user_id, request)
            if not isinstance(decision, Denial):
                setattr(request, _attribute, decision.access)
                return view(request, *args, **kwargs)
            refusal = rules.refuse(decision)
            response = HttpResponse(refusal.body, status=refusal.status)
            for name, value in refusal.headers.items():
                response[name] = value
            return response

        return cast(View, guarded)

    return decorate


def access_of_request(request: HttpRequest) -> GuardedAccess:
    """The access by which a guard has admitted the request; raises a ``LookupError`` if none has."""
    access: GuardedAccess | None = getattr(request, _attribute, None)
    if access is None:
        raise LookupError("no guard has admitted this request")
    return access
