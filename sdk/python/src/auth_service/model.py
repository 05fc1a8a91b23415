"""What the service answers, as frozen dataclasses. Each keeps all members of the answer in ``raw``, also new ones."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Literal, Union

__all__ = [
    "Access",
    "Change",
    "ChangePage",
    "ChangedAccess",
    "CheckedAccess",
    "DeliveryFormat",
    "Role",
    "SnapshotPage",
    "Status",
    "UnknownUser",
    "Webhook",
    "WebhookWithSecret",
]

Status = Literal["enabled", "disabled"]
"""Whether a user may enter."""
DeliveryFormat = Literal["standard", "set"]
"""How a webhook sends a change: ``standard`` (Standard Webhooks) or ``set`` (a security event token, RFC 8417)."""
Raw = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Role:
    """A role that a user holds now. ``"editor" in access.role_names`` asks for one by name."""

    name: str
    """The name of the role; case-sensitive."""
    expires_at: datetime | None
    """When the grant expires; ``None`` for never."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Access:
    """The access of one user to one application. Obey ``effective_status``, or ``is_enabled``: roles are listed even while it is
    ``disabled``."""

    user_id: str
    """The user, by the id that your applications share."""
    app_id: str
    """The application of the API key."""
    status: Status
    """The status that was set for this user in this application, or the default ``enabled``."""
    explicit: bool
    """Whether the status was ever set."""
    until: datetime | None
    """When the block expires; ``None`` for never."""
    reason: str | None
    """The reason for the status; ``None`` if there is none."""
    user_status: str
    """The global status of the user: ``active`` or ``inactive``."""
    effective_status: Status
    """The effective status now, which the application must obey."""
    decided_by: str
    """What decided: ``user``, ``explicit``, ``lapsed``, ``rollout`` or ``default``. New values may be added."""
    roles: tuple[Role, ...]
    """The roles that the user holds now, ordered by name."""
    version: int
    """Counts the changes; the value for ``if_version``."""
    updated_at: datetime | None
    """When the access last changed; ``None`` if it never did."""
    raw: Raw = field(repr=False, compare=False)
    """The whole answer, with members that this version of the SDK does not know."""

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


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangedAccess(Access):
    """The response to a write."""

    changed: bool
    """Whether the request changed anything. ``False`` if it was already in this state."""
    change_id: str | None
    """The ``id`` of the change that the request made; ``None`` if nothing changed."""


@dataclass(frozen=True, slots=True)
class UnknownUser:
    """An id that matches no user, who has no access."""

    user_id: str
    """The id, as asked."""
    is_enabled: Literal[False] = False
    """Always ``False``."""


CheckedAccess = Union[Access, UnknownUser]
"""The result for one of several users."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """The record of one accepted change. ``action`` says which; ignore those that you do not know."""

    id: str
    """A ULID. Of two changes of a user, the one with the higher id is the later one."""
    action: str
    """Such as ``access.changed``, ``role.assigned``, ``user.status.changed``."""
    at: datetime | None
    """When it happened."""
    app_id: str | None
    """The application; ``None`` if the change concerns all of them."""
    user_id: str | None
    """The user; ``None`` if it concerns none."""
    role: str | None
    """The role; ``None`` if it concerns none."""
    reason: str | None
    """The reason that the caller gave; ``None`` if there is none."""
    before: Raw | None
    """The state before; ``None`` if there was none."""
    after: Raw | None
    """The state after; ``None`` if there is none."""
    raw: Raw = field(repr=False, compare=False)
    """The whole record."""


@dataclass(frozen=True, slots=True)
class ChangePage:
    """Consecutive changes, at least one, oldest first."""

    items: tuple[Change, ...]
    """The changes of this page, oldest first."""
    cursor: str
    """Where the next page begins: store it once this page is processed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SnapshotPage:
    """A part of everything that differs from the default."""

    items: Sequence[Raw]
    """Entries of the kinds ``erased``, ``inactive`` and ``access``, as the service returns them."""
    changes_cursor: str
    """The changes after the snapshot begin here."""
    rollout_percent: float
    """The percentage of users without an explicit status who have access."""
    raw: Raw = field(repr=False, compare=False)
    """The whole answer."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Webhook:
    """A webhook of the application, without its secret."""

    webhook_id: str
    """The id, which the application chose."""
    url: str
    """Where the changes are sent."""
    format: str
    """How they are sent."""
    enabled: bool
    """Whether they are sent."""
    events: tuple[str, ...] | None
    """The kinds of changes that are delivered; ``None`` for all."""
    state: str
    """``on``, ``retrying``, ``off``, or ``failed`` if it turned itself off."""
    last_error: str | None
    """Why the last delivery failed; ``None`` if it did not."""
    version: int
    """Counts the changes; the value for ``if_version``."""
    raw: Raw = field(repr=False, compare=False)
    """The whole answer."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WebhookWithSecret(Webhook):
    """A webhook with a secret that no later answer contains."""

    secret: str | None = field(repr=False)
    """``whsec_…``; ``None`` unless the request has created the webhook or replaced the secret."""
    changed: bool
    """Whether the request changed anything."""
