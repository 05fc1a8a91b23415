"""How a guard asks in a thread: for Flask and Django."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from .decision import Denial, GuardDecision, GuardRules

Request = TypeVar("Request")


def decide_request(
    rules: GuardRules[Request], user_id: Callable[[Request], object], request: Request
) -> GuardDecision:
    """Decides about a request, and tells the application."""
    decision = _decide(rules, user_id, request)
    rules.tell(decision, request)
    return decision


def _decide(rules: GuardRules[Request], user_id: Callable[[Request], object], request: Request) -> GuardDecision:
    try:
        found = rules.read_user_id(user_id(request))
    except Exception as error:  # whatever fails is a denial
        return rules.not_authenticated(error)
    if isinstance(found, Denial):
        return found
    try:
        return rules.decide(found, rules.ask(found))
    except Exception as error:  # whatever fails is a denial
        return rules.failed(found, error)
