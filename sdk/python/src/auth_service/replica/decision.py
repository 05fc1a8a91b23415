"""The decision of a replica about one user."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from .._core.answers import parse_time
from .._core.ids import is_user_id
from ..model import Role, Status
from .facts import Facts, HeldRole, evaluate, parse_ms
from .rollout import FULL_ROLLOUT, is_in_rollout

NoDecisionCode = Literal["user_not_found", "unknown", "stale", "key_refused"]
"""Why a replica has no decision."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReplicaDecision:
    """The decision of a replica. Obey ``effective_status``, or ``is_enabled``."""

    user_id: str
    """The user, as asked."""
    effective_status: Status
    """What the application must obey."""
    decided_by: str | None
    """What decided, as in an :class:`Access`; ``None`` without a decision, which is never ``enabled``."""
    roles: tuple[Role, ...]
    """The current roles of the user by name, even while access is ``disabled``."""
    code: NoDecisionCode | None
    """Why there is no decision: the user does not exist, nothing is known of the id, the data is older than allowed, or the service
    has rejected the key. ``None`` if there is one."""
    age_seconds: float
    """The age of the data; 0 if the service was asked."""

    @property
    def is_enabled(self) -> bool:
        """Whether the user may enter."""
        return self.effective_status == "enabled"

    @property
    def role_names(self) -> frozenset[str]:
        """The names of the roles."""
        return frozenset(role.name for role in self.roles)

    def may(self, *roles: str) -> bool:
        """Whether the user may enter and holds one of these roles; with no role named, whether the user may enter."""
        return self.is_enabled and (not roles or not self.role_names.isdisjoint(roles))


@dataclass(slots=True)
class ReplicaState:
    """The data of an application's replica."""

    app_id: str
    users: dict[str, Facts]
    """The users with known facts; the default applies to all others."""
    rollout: tuple[float, float] = (100, -1)
    """The rollout percentage, and the version of the application that set it."""
    cursor: str = ""
    """The position of the first change that is not applied yet."""


def decide_locally(state: ReplicaState, user_id: str, now: float, age_seconds: float) -> ReplicaDecision:
    """The same decision as the service's, at a time in milliseconds since the epoch."""
    facts = state.users.get(user_id)
    if facts is None and not is_user_id(user_id):
        return no_decision(user_id, "user_not_found", age_seconds)
    found = evaluate(facts or {}, now)
    if found.erased_until:
        return no_decision(user_id, "user_not_found", age_seconds)
    percent = state.rollout[0]
    is_enabled, decided_by = True, "default"
    if found.is_inactive:
        is_enabled, decided_by = False, "user"
    elif found.setting == "lapsed":
        decided_by = "lapsed"
    elif found.setting is not None:
        is_enabled, decided_by = found.setting == "enabled", "explicit"
    elif percent < FULL_ROLLOUT:
        is_enabled, decided_by = is_in_rollout(state.app_id, user_id, percent), "rollout"
    return ReplicaDecision(
        user_id=user_id,
        effective_status="enabled" if is_enabled else "disabled",
        decided_by=decided_by,
        roles=tuple(_role_of(role) for role in found.roles),
        code=None,
        age_seconds=age_seconds,
    )


def _role_of(role: HeldRole) -> Role:
    is_valid = role.expires_at is not None and parse_ms(role.expires_at) is not None
    return Role(role.name, parse_time(role.expires_at) if is_valid else None)


def no_decision(user_id: str, code: NoDecisionCode, age_seconds: float) -> ReplicaDecision:
    """The answer without a decision."""
    return ReplicaDecision(
        user_id=user_id, effective_status="disabled", decided_by=None, roles=(), code=code, age_seconds=age_seconds
    )
