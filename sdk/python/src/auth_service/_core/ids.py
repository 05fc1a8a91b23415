"""The identifiers of the service, as the service checks them."""

from __future__ import annotations

import re
from urllib.parse import quote

from ..errors import InvalidRequestError

_user_id = re.compile(r"(?!\.{1,2}\Z)[A-Za-z0-9\-._~!$&'()*+,;=:@|]{1,128}")
_webhook_id = re.compile(r"[a-z][a-z0-9-]{1,39}")


def is_user_id(user_id: object) -> bool:
    """Whether a value can be the id of a user."""
    return isinstance(user_id, str) and _user_id.fullmatch(user_id) is not None


def require_user_id(user_id: object) -> None:
    """Raises for an id that no user can have, before a request is sent."""
    if not is_user_id(user_id):
        raise InvalidRequestError("invalid_request", "path:userId is not the id of a user")


def require_role_in_query(role: object) -> None:
    """Raises for a role that cannot be part of a query; role names have a smaller alphabet."""
    if not is_user_id(role):
        raise InvalidRequestError("invalid_request", "query:role is not the name of a role")


def require_webhook_id(webhook_id: object) -> None:
    """Raises for an id that no webhook can have."""
    if not (isinstance(webhook_id, str) and _webhook_id.fullmatch(webhook_id)):
        raise InvalidRequestError("invalid_request", "path:webhookId is not the id of a webhook")


def encode(text: str) -> str:
    """Percent-encodes all but the unreserved characters (RFC 3986 section 2.3): the service signs the path as it is sent."""
    return quote(text, safe="")
