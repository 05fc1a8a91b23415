"""Verifies that the service signed a change: an item of the feed, or the ``detail`` of an event.

Needs the package ``cryptography``: ``pip install auth-service-client[verify]``. No API key is needed.
"""

from __future__ import annotations

import json
import math
import re
import threading
import time
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Callable, Mapping
from typing import Any, Literal, Union

import httpx
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from ._core.settings import read_origin
from .model import Change

__all__ = ["ChangeKeys", "ChangeNotVerifiedError", "PublicKey", "verify_change"]

PublicKey = Mapping[str, Any]
"""An Ed25519 key as a JWK (RFC 7517, RFC 8037)."""
KeySet = Union[Mapping[str, Any], "Callable[[str], PublicKey | None]"]

_pause_seconds = 60.0
"""Invented names must not make the receiver call the service for each change."""
_timeout_seconds = 5.0
_max_bytes = 65_536
_largest_exact = 2**53

Reason = Literal["missing-signature", "malformed", "unknown-key", "altered", "keys-unavailable"]


class ChangeNotVerifiedError(Exception):
    """A change that must not be trusted; only ``keys-unavailable`` says nothing about it."""

    def __init__(self, reason: Reason) -> None:
        super().__init__(f"the change is not verified: {reason}")
        self.reason: Reason = reason


def verify_change(change: Change | Mapping[str, Any], keys: KeySet) -> None:
    """Returns if the service signed exactly this change, and raises a :class:`ChangeNotVerifiedError` otherwise.

    ``keys`` is the answer of ``GET /api/service/change-keys``, or a :class:`ChangeKeys`, which fetches it. It does not tell whether the
    change is the newest one, or was received before.
    """
    members = dict(change.raw if isinstance(change, Change) else change)
    signature = members.pop("signature", None)
    if signature is None:
        raise ChangeNotVerifiedError("missing-signature")
    header, kid, mac = _parse(signature)
    key = keys(kid) if callable(keys) else _find(keys, kid)
    if key is None or (key.get("kty"), key.get("crv")) != ("OKP", "Ed25519"):
        raise ChangeNotVerifiedError("unknown-key")
    try:
        public = Ed25519PublicKey.from_public_bytes(_decode(key["x"]))
    except (KeyError, TypeError, ValueError) as cause:
        raise ChangeNotVerifiedError("unknown-key") from cause
    try:
        content = urlsafe_b64encode(canonical_json(members).encode()).rstrip(b"=")
        public.verify(mac, header.encode() + b"." + content)
    except (InvalidSignature, TypeError, ValueError) as cause:
        raise ChangeNotVerifiedError("altered") from cause


def _find(keys: Mapping[str, Any], kid: str) -> PublicKey | None:
    return next((key for key in keys["keys"] if key.get("kid") == kid), None)


def _parse(signature: object) -> tuple[str, str, bytes]:
    """The parts of a JWS with detached content (RFC 7515, appendix F). Its header names the algorithm, never another one."""
    found = re.fullmatch(r"([\w-]{1,200})\.\.([\w-]{86})", signature, re.ASCII) if isinstance(signature, str) else None
    if found is None:
        raise ChangeNotVerifiedError("malformed")
    header, encoded = found.groups()
    try:
        parsed = json.loads(_decode(header))
        kid, is_ours = parsed.get("kid"), parsed.get("alg") == "EdDSA" and "crit" not in parsed
    except (ValueError, AttributeError) as cause:
        raise ChangeNotVerifiedError("malformed") from cause
    if not is_ours or not isinstance(kid, str):
        raise ChangeNotVerifiedError("malformed")
    return header, kid, _decode(encoded)


def _decode(text: str) -> bytes:
    return urlsafe_b64decode(text + "=" * (-len(text) % 4))


def canonical_json(value: object) -> str:
    """JSON by the JSON Canonicalization Scheme (RFC 8785), so that the text does not depend on the order of members."""
    if isinstance(value, list):
        return f"[{','.join(canonical_json(item) for item in value)}]"
    if isinstance(value, dict):
        # By UTF-16 code units (RFC 8785 section 3.2.3).
        names = sorted(value, key=lambda name: str(name).encode("utf-16-be"))
        return "{" + ",".join(f"{canonical_json(name)}:{canonical_json(value[name])}" for name in names) + "}"
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return _canonical_number(value)
    if value is None or isinstance(value, (bool, str)):
        return json.dumps(value, ensure_ascii=False)
    raise TypeError(f"a {type(value).__name__} is not JSON")


def _canonical_number(value: int | float) -> str:
    """As ECMAScript writes it: its shortest digits, with an exponent below 1e-6 and from 1e21 on."""
    if isinstance(value, int) and abs(value) <= _largest_exact:
        return str(value)
    number = float(value)
    if not math.isfinite(number):
        raise ValueError("not a number of JSON")
    mantissa, _, exponent = f"{abs(number)!r}".partition("e")
    whole, _, fraction = mantissa.partition(".")
    point = len(whole) + int(exponent or 0)
    digits = (whole + fraction).lstrip("0")
    point -= len(whole + fraction) - len(digits)
    digits = digits.rstrip("0")
    sign = "-" if number < 0 else ""
    if not digits:
        return "0"
    if not -6 < point <= 21:
        rest = f".{digits[1:]}" if digits[1:] else ""
        return f"{sign}{digits[0]}{rest}e{point - 1:+d}"
    if point <= 0:
        return f"{sign}0.{'0' * -point}{digits}"
    padded = digits.ljust(point, "0")
    return f"{sign}{padded[:point]}" + (f".{padded[point:]}" if padded[point:] else "")


class ChangeKeys:
    """Fetches the service's public keys when they are first needed, and keeps them for ``keep_seconds``.

    An unknown name fetches them again, at most once a minute. While the service does not answer, known keys are still used. It serves
    any number of threads; from async code, call :func:`verify_change` in a thread.
    """

    def __init__(
        self, base_url: str, *, keep_seconds: float = 3600, allow_http: bool = False, http_client: httpx.Client | None = None
    ) -> None:
        self._url = f"{read_origin(base_url, allow_http)}/api/service/change-keys"
        self._keep_seconds = keep_seconds
        self._http = http_client
        self._lock = threading.Lock()
        self._known: dict[str, PublicKey] = {}
        self._fetched_at = -math.inf
        self._tried_at = -math.inf
        self._failure: Exception | None = None

    def __call__(self, kid: str) -> PublicKey | None:
        """The public key of a name; ``None`` if the service has none of this name."""
        with self._lock:
            now = time.monotonic()
            is_fresh = now - self._fetched_at < self._keep_seconds
            if not (is_fresh and kid in self._known) and now - self._tried_at >= _pause_seconds:
                self._refresh(now)
            key = self._known.get(kid)
            if key is None and self._failure is not None:
                raise ChangeNotVerifiedError("keys-unavailable") from self._failure
            return key

    def _refresh(self, now: float) -> None:
        self._tried_at = now
        try:
            self._known = self._fetch()
            self._fetched_at, self._failure = now, None
        except (httpx.HTTPError, ValueError, KeyError, TypeError) as error:
            self._failure = error

    def _fetch(self) -> dict[str, PublicKey]:
        if self._http is None:
            with httpx.Client(trust_env=False) as http:
                return _fetch_keys(http, self._url)
        return _fetch_keys(self._http, self._url)


def _fetch_keys(http: httpx.Client, url: str) -> dict[str, PublicKey]:
    response = http.get(url, timeout=_timeout_seconds, follow_redirects=False)
    if response.status_code != 200:
        raise ValueError(f"the service answered {response.status_code}")
    if len(response.content) > _max_bytes:
        raise ValueError("the answer is too long")
    return {key["kid"]: key for key in response.json()["keys"]}
