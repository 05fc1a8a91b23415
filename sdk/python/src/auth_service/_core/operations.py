"""The operations of the Service API, each as a routine."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any, TypeVar, Union

from ..errors import AuthServiceError, InvalidRequestError
from ..model import Access, ChangedAccess, ChangePage, CheckedAccess, SnapshotPage, Webhook, WebhookWithSecret
from .answers import Answer, Members, Reader
from .call import MAX_CALL_SECONDS, Call, Caller
from .effects import Pause, Routine
from .ids import encode, require_role_in_query, require_user_id, require_webhook_id
from .readers import (
    ReadPage,
    read_access,
    read_change_page,
    read_changed_access,
    read_checked,
    read_deletion,
    read_snapshot_page,
    read_webhook,
    read_webhooks,
)

Result = TypeVar("Result")

Moment = Union[datetime, str]
"""A time with an offset: an aware ``datetime``, or a text of RFC 3339."""

MAX_PAGE_SIZE = 100
_remembered_changes = 1000


class Operations:
    """The operations of one application."""

    def __init__(self, caller: Caller) -> None:
        self._caller = caller

    def is_allowed(self, user_id: str, timeout_seconds: float | None = None) -> Routine[bool]:
        try:
            access = yield from self.get_access(user_id, timeout_seconds)
        except AuthServiceError as error:
            # An unknown user, or an invalid id: nothing else in a read can be invalid.
            if error.code in ("user_not_found", "invalid_request"):
                return False
            raise
        return access.is_enabled

    def get_access(self, user_id: str, timeout_seconds: float | None = None) -> Routine[Access]:
        require_user_id(user_id)
        call = Call(
            method="GET",
            path="users/{userId}/access",
            target=f"users/{encode(user_id)}/access",
            read=read_access(user_id),
            reads=True,
            timeout_seconds=require_seconds(timeout_seconds),
        )
        return (yield from self._caller.run(call))

    def check_access(
        self, user_ids: Sequence[str], timeout_seconds: float | None = None
    ) -> Routine[list[CheckedAccess]]:
        return (yield from self._check(user_ids, read_checked(list(user_ids)), timeout_seconds))

    def check_access_raw(self, user_ids: Sequence[str]) -> Routine[list[Members]]:
        """The members of the answers, for a replica."""

        def read(members: Members, key_id: str, answer: Answer) -> list[Members]:
            read_checked(user_ids)(members, key_id, answer)
            return list(members["items"])

        return (yield from self._check(user_ids, read, None))

    def _check(
        self, user_ids: Sequence[str], read: Reader[Result], timeout_seconds: float | None
    ) -> Routine[Result]:
        if isinstance(user_ids, str):
            raise TypeError("user_ids must be a sequence of ids, not one id")
        call = Call(
            method="POST",
            path="access/check",
            target="access/check",
            read=read,
            body=encode_body({"userIds": list(user_ids)}),
            reads=True,
            timeout_seconds=require_seconds(timeout_seconds),
        )
        return (yield from self._caller.run(call))

    def set_access(
        self,
        user_id: str,
        setting: Mapping[str, object],
        if_version: int | None,
        timeout_seconds: float | None,
    ) -> Routine[ChangedAccess]:
        path = "users/{userId}/access"
        return (yield from self._write("PUT", path, user_id, setting, if_version, timeout_seconds))

    def assign_role(
        self,
        user_id: str,
        grant: Mapping[str, object],
        if_version: int | None,
        timeout_seconds: float | None,
    ) -> Routine[ChangedAccess]:
        path = "roles/{userId}/assign"
        return (yield from self._write("POST", path, user_id, grant, if_version, timeout_seconds))

    def revoke_role(
        self,
        user_id: str,
        revocation: Mapping[str, object],
        if_version: int | None,
        timeout_seconds: float | None,
    ) -> Routine[ChangedAccess]:
        path = "users/{userId}/revoke"
        if set(revocation) == {"role"}:
            role = revocation["role"]
            require_role_in_query(role)
            # In the query, because some proxies drop the body of a DELETE.
            query = f"?role={encode(str(role))}"
            return (yield from self._write("DELETE", path, user_id, None, if_version, timeout_seconds, query))
        return (yield from self._write("DELETE", path, user_id, revocation, if_version, timeout_seconds))

    def _write(
        self,
        method: str,
        path: str,
        user_id: str,
        body: Mapping[str, object] | None,
        if_version: int | None,
        timeout_seconds: float | None,
        query: str = "",
    ) -> Routine[ChangedAccess]:
        require_user_id(user_id)
        call = Call(
            method=method,
            path=path,
            target=path.replace("{userId}", encode(user_id)) + query,
            read=read_changed_access(user_id),
            body=b"" if body is None else encode_body(body),
            if_version=if_version,
            timeout_seconds=require_seconds(timeout_seconds),
        )
        return (yield from self._caller.run(call))

    def list_webhooks(self) -> Routine[list[Webhook]]:
        call = Call(method="GET", path="webhooks", target="webhooks", read=read_webhooks, reads=True)
        return (yield from self._caller.run(call))

    def set_webhook(
        self, webhook_id: str, setting: Mapping[str, object], if_version: int | None
    ) -> Routine[WebhookWithSecret]:
        require_webhook_id(webhook_id)
        call = Call(
            method="PUT",
            path="webhooks/{webhookId}",
            target=f"webhooks/{webhook_id}",
            read=read_webhook(webhook_id),
            body=encode_body(setting),
            if_version=if_version,
        )
        return (yield from self._caller.run(call))

    def delete_webhook(self, webhook_id: str) -> Routine[None]:
        require_webhook_id(webhook_id)
        path, target = "webhooks/{webhookId}", f"webhooks/{webhook_id}"
        return (yield from self._caller.run(Call(method="DELETE", path=path, target=target, read=read_deletion)))

    def rotate_secret(self, webhook_id: str, overlap: timedelta | str) -> Routine[WebhookWithSecret]:
        require_webhook_id(webhook_id)
        text = overlap if isinstance(overlap, str) else f"PT{int(overlap.total_seconds())}S"
        call = Call(
            method="POST",
            path="webhooks/{webhookId}/rotate",
            target=f"webhooks/{webhook_id}/rotate",
            read=read_webhook(webhook_id),
            body=encode_body({"overlap": text}),
        )
        return (yield from self._caller.run(call))

    def changes(self, after: str | None, poll_seconds: float | None) -> ChangesReader:
        return ChangesReader(self._caller, after, require_seconds(poll_seconds, 1_000_000))

    def snapshot(self) -> SnapshotReader:
        return SnapshotReader(self._caller)


class ChangesReader:
    """Reads changes page by page."""

    def __init__(self, caller: Caller, after: str | None, poll_seconds: float | None) -> None:
        self._caller = caller
        self._cursor = after
        self._poll_seconds = poll_seconds
        self._known: list[str] = []
        self._is_at_end = False

    def next_page(self) -> Routine[ChangePage | None]:
        """The next page with changes that were not returned before; ``None`` at the end."""
        while True:
            if self._is_at_end:
                if self._poll_seconds is None:
                    return None
                yield Pause(self._poll_seconds)
            page = yield from self._read()
            self._cursor, self._is_at_end = page.cursor, not page.more
            # Changes are repeated until they have a number.
            known = set(self._known)
            items = tuple(change for change in page.items if change.id not in known)
            self._known = [*self._known, *(change.id for change in items)][-_remembered_changes:]
            if items:
                return ChangePage(items, page.cursor)

    def _read(self) -> Routine[ReadPage]:
        after = f"&after={encode(self._cursor)}" if self._cursor else ""
        call = Call(
            method="GET",
            path="changes",
            target=f"changes?limit={MAX_PAGE_SIZE}{after}",
            read=read_change_page(self._cursor),
            reads=True,
        )
        return (yield from self._caller.run(call))


class SnapshotReader:
    """Reads a snapshot page by page."""

    def __init__(self, caller: Caller) -> None:
        self._caller = caller
        self._after: str | None = None
        self._entries = 0
        self._is_at_end = False

    def next_page(self) -> Routine[SnapshotPage | None]:
        """The next page; ``None`` after the last one. Raises if the number of entries does not prove that it is complete."""
        if self._is_at_end:
            return None
        after = f"&after={encode(self._after)}" if self._after else ""
        target = f"access?limit={MAX_PAGE_SIZE}{after}"
        call = Call(method="GET", path="access", target=target, read=read_snapshot_page, reads=True)
        found = yield from self._caller.run(call)
        self._entries += len(found.page.items)
        self._after, self._is_at_end = found.cursor, found.cursor is None
        if self._is_at_end and found.total != self._entries:
            raise AuthServiceError("unexpected_answer", "the snapshot is not complete")
        return found.page


def encode_body(members: Mapping[str, object]) -> bytes:
    """The one encoding of a body, which is signed and sent. Raises for a value that JSON or the service does not have."""
    try:
        text = json.dumps(
            {name: _plain(name, value) for name, value in members.items()},
            separators=(",", ":"),
            ensure_ascii=False,
            allow_nan=False,
        )
        return text.encode()
    except (TypeError, ValueError) as cause:
        raise InvalidRequestError("invalid_request", f"the body has no encoding: {cause}") from cause


def _plain(name: str, value: object) -> object:
    if not isinstance(value, datetime):
        return value
    if value.tzinfo is None:
        # A time of an unknown zone could be a block that ends hours too early.
        raise InvalidRequestError("invalid_request", f"#/{name} must be a datetime with a time zone")
    return value.isoformat(timespec="milliseconds")


def without_none(**members: Any) -> dict[str, Any]:
    """The members that were given."""
    return {name: value for name, value in members.items() if value is not None}


def require_seconds(seconds: float | None, most: float = MAX_CALL_SECONDS) -> float | None:
    """Raises a ``ValueError`` for a time limit beyond that of a nonce, or another impossible number of seconds."""
    if seconds is not None and not 0 < seconds <= most:
        raise ValueError(f"a number of seconds must be more than 0 and at most {most}")
    return seconds
