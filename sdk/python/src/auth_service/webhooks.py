"""Verifies deliveries of webhooks in the format Standard Webhooks 1.0.0."""

from __future__ import annotations

import binascii
import hashlib
import hmac
import json
import re
import time
from base64 import b64decode, b64encode
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from ._core.answers import NotExpected, parse_time
from ._core.readers import read_change
from .model import Change

__all__ = ["Delivery", "WebhookNotVerifiedError", "verify_webhook"]

TOLERANCE_SECONDS = 300


class WebhookNotVerifiedError(ValueError):
    """A delivery must not be trusted. Answer it with 400."""


@dataclass(frozen=True, slots=True)
class Delivery:
    """A delivery that the service signed."""

    id: str
    """The ``id`` of the change, the same in every attempt: drop a delivery whose id you know."""
    type: str
    """The action of the change, such as ``access.changed``."""
    timestamp: datetime
    """When the change happened."""
    change: Change
    """A hint, and never a decision: ask for the access of the user."""


def verify_webhook(
    secret: str,
    body: bytes,
    headers: Mapping[str, str],
    *,
    now: Callable[[], float] = time.time,
) -> Delivery:
    """Verifies a delivery and returns its content; raises :class:`WebhookNotVerifiedError` otherwise.

    ``secret`` is that of the webhook, ``whsec_…``. ``body`` has the bytes exactly as received: in Django ``request.body``, in Flask
    ``request.get_data()``, in Starlette ``await request.body()``. Header names are case-insensitive. A delivery may be five minutes
    old, or ahead of this machine's clock. During the rotation of a secret, the old and the new one are both valid.
    """
    key = _decode_secret(secret)
    named = {name.lower(): value for name, value in headers.items()}
    delivery_id, timestamp = named.get("webhook-id", ""), named.get("webhook-timestamp", "")
    if not delivery_id or not re.fullmatch(r"\d{1,15}", timestamp, re.ASCII):
        raise WebhookNotVerifiedError("webhook-id or webhook-timestamp is missing or malformed")
    signed = b".".join([delivery_id.encode(), timestamp.encode(), body])
    expected = b64encode(hmac.new(key, signed, hashlib.sha256).digest())
    given = [one.partition(",") for one in named.get("webhook-signature", "").split(" ")]
    matches = [hmac.compare_digest(expected, value.encode()) for version, _, value in given if version == "v1"]
    if not any(matches):
        raise WebhookNotVerifiedError("no signature in webhook-signature is right")
    if abs(int(now()) - int(timestamp)) > TOLERANCE_SECONDS:
        raise WebhookNotVerifiedError("webhook-timestamp is too old, or ahead of this machine's clock")
    return _read_delivery(delivery_id, body)


def _decode_secret(secret: str) -> bytes:
    """Raises a ``ValueError`` without the secret: this is a mistake of the receiver, not of the delivery."""
    try:
        key = b64decode(secret.removeprefix("whsec_"), validate=True)
    except (binascii.Error, ValueError):
        key = b""
    if not key:
        raise ValueError("the secret of the webhook must be whsec_...")
    return key


def _read_delivery(delivery_id: str, body: bytes) -> Delivery:
    try:
        content: dict[str, Any] = json.loads(body)
        change = read_change(content["data"])
        return Delivery(delivery_id, content["type"], parse_time(content["timestamp"]), change)
    except (NotExpected, KeyError, TypeError, ValueError, AttributeError) as cause:
        raise WebhookNotVerifiedError("the body is not a delivery of the service") from cause
