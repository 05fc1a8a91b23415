"""Reads bodies of the service. Each reader also decides whether a body is an answer to its call."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from ..model import (
    Access,
    Change,
    ChangedAccess,
    CheckedAccess,
    Role,
    SnapshotPage,
    UnknownUser,
    Webhook,
    WebhookWithSecret,
)
from .answers import Answer, Members, NotExpected, Reader, parse_time



def _require(condition: object) -> None:
    if not condition:
        raise NotExpected


def _optional_time(text: object) -> datetime | None:
    return None if text is None else parse_time(text)


def _list_of(items: object) -> list[Any]:
    if not isinstance(items, list):
        raise NotExpected
    return items


def read_access(user_id: str) -> Reader[Access]:
    """The access of this user to the application in the key id, with a valid status."""

    def read(members: Members, key_id: str, _: Answer) -> Access:
        return Access(**_access_members(user_id, members, key_id))

    return read


def read_changed_access(user_id: str) -> Reader[ChangedAccess]:
    """The same after a write."""

    def read(members: Members, key_id: str, _: Answer) -> ChangedAccess:
        access = _access_members(user_id, members, key_id)
        return ChangedAccess(**access, changed=members.get("changed") is True, change_id=members.get("changeId"))

    return read


def _access_members(user_id: str, members: Members, key_id: str) -> dict[str, Any]:
    _require(members["userId"] == user_id and members["appId"] == key_id.split("_")[2])
    _require(members["effectiveStatus"] in ("enabled", "disabled"))
    return {
        "user_id": user_id,
        "app_id": members["appId"],
        "status": members["status"],
        "explicit": members["explicit"],
        "until": _optional_time(members["until"]),
        "reason": members["reason"],
        "user_status": members["userStatus"],
        "effective_status": members["effectiveStatus"],
        "decided_by": members["decidedBy"],
        "roles": read_roles(members["roles"]),
        "version": members["version"],
        "updated_at": _optional_time(members["updatedAt"]),
        "raw": members,
    }


def read_roles(roles: object) -> tuple[Role, ...]:
    """Roles with names; a malformed one makes the whole answer unexpected."""
    found = tuple(Role(role["name"], _optional_time(role["expiresAt"])) for role in _list_of(roles))
    _require(all(isinstance(role.name, str) for role in found))
    return found


def read_checked(user_ids: Sequence[str]) -> Reader[list[CheckedAccess]]:
    """An answer about each of these users, in this order."""

    def read_one(user_id: str, members: Members, key_id: str) -> CheckedAccess:
        if members.get("code") == "user_not_found" and members["userId"] == user_id:
            return UnknownUser(user_id)
        return Access(**_access_members(user_id, members, key_id))

    def read(members: Members, key_id: str, _: Answer) -> list[CheckedAccess]:
        items = _list_of(members["items"])
        _require(len(items) == len(user_ids))
        return [read_one(user_id, item, key_id) for user_id, item in zip(user_ids, items)]

    return read


class ReadPage:
    """A page of changes, whether there are more, and where they begin."""

    def __init__(self, items: Sequence[Change], more: bool, cursor: str) -> None:
        self.items = items
        self.more = more
        self.cursor = cursor


def read_change_page(after: str | None) -> Reader[ReadPage]:
    """A page of changes after this cursor."""

    def read(members: Members, _key_id: str, _answer: Answer) -> ReadPage:
        items = _list_of(members["items"])
        cursor, more = members["cursor"], members["more"]
        _require(isinstance(cursor, str) and cursor)
        _require(cursor != after if more is True else more is False)
        return ReadPage([read_change(item) for item in items], more, cursor)

    return read


def read_change(members: Members) -> Change:
    """A change of the feed or of a delivery."""
    _require(isinstance(members["id"], str))
    at = members.get("at")
    return Change(
        id=members["id"],
        action=members.get("action", ""),
        at=None if at is None else parse_time(at),
        app_id=members.get("appId"),
        user_id=members.get("userId"),
        role=members.get("role"),
        reason=members.get("reason"),
        before=members.get("before"),
        after=members.get("after"),
        raw=members,
    )


class ReadSnapshot:
    """A page of a snapshot, where the next one begins, and how many entries all pages have together."""

    def __init__(self, page: SnapshotPage, cursor: str | None, total: int | None) -> None:
        self.page = page
        self.cursor = cursor
        self.total = total


def read_snapshot_page(members: Members, _key_id: str, _answer: Answer) -> ReadSnapshot:
    """A page of a snapshot."""
    items = _list_of(members["items"])
    cursor = members["cursor"]
    _require(cursor is None or (isinstance(cursor, str) and cursor))
    _require(isinstance(members["changesCursor"], str) and members["changesCursor"])
    page = SnapshotPage(
        items=items,
        changes_cursor=members["changesCursor"],
        rollout_percent=members["rolloutPercent"],
        raw=members,
    )
    return ReadSnapshot(page, cursor, members["total"])


def read_webhooks(members: Members, _key_id: str, _answer: Answer) -> list[Webhook]:
    """All webhooks of the application."""
    return [Webhook(**_webhook_members(item)) for item in _list_of(members["items"])]


def read_webhook(webhook_id: str) -> Reader[WebhookWithSecret]:
    """This webhook, with its secret if it is new."""

    def read(members: Members, _key_id: str, _answer: Answer) -> WebhookWithSecret:
        _require(members["webhookId"] == webhook_id)
        own = _webhook_members(members)
        return WebhookWithSecret(**own, secret=members.get("secret"), changed=members.get("changed") is not False)

    return read


def _webhook_members(members: Members) -> dict[str, Any]:
    events = members["events"]
    return {
        "webhook_id": members["webhookId"],
        "url": members["url"],
        "format": members["format"],
        "enabled": members["enabled"],
        "events": None if events is None else tuple(_list_of(events)),
        "state": members["state"],
        "last_error": members["lastError"],
        "version": members["version"],
        "raw": members,
    }


def read_deletion(members: Members, _key_id: str, _answer: Answer) -> None:
    """That a webhook was deleted."""
    _require(members["complete"] is True)


