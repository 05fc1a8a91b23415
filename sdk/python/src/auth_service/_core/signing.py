"""HTTP Message Signatures (RFC 9421) with HMAC-SHA256, by the profile of the service."""

from __future__ import annotations

import hashlib
import hmac
import math
import re
import secrets
import time
from base64 import b64encode
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from urllib.parse import urlsplit

__all__ = ["ApiKey", "sign_request"]

_key_id = re.compile(r"svk_[^\W_]+_[a-z\d-]+_[^\W_]+", re.ASCII)
_secret = re.compile(r"svs_[\w-]{43}", re.ASCII)


class InvalidKeyError(ValueError):
    """Something is not an API key. The message contains no values: any may be a misplaced secret."""


@dataclass(frozen=True, slots=True)
class ApiKey:
    """An API key, as issued. Raises a ``ValueError``, without the values, for anything else."""

    key_id: str
    """``svk_…``. It is sent with each request."""
    secret: str = field(repr=False)
    """``svs_…``. It is never sent."""

    def __post_init__(self) -> None:
        # The id is sent, so a secret must not be accepted in its place.
        if not (isinstance(self.key_id, str) and _key_id.fullmatch(self.key_id)):
            raise InvalidKeyError(f"key_id is {_state(self.key_id)}: it must be svk_...")
        if not (isinstance(self.secret, str) and _secret.fullmatch(self.secret)):
            raise InvalidKeyError(f"secret is {_state(self.secret)}: it must be svs_...")

    @property
    def app_id(self) -> str:
        """The application, which a key id names."""
        return self.key_id.split("_")[2]


def _state(value: object) -> str:
    return "not valid" if value else "missing"


@dataclass(frozen=True, slots=True)
class Signature:
    """The headers to add to a request, and the text that was signed."""

    headers: Mapping[str, str]
    base: str


def sign(
    method: str,
    url: str,
    body: bytes,
    key: ApiKey,
    *,
    created: float,
    nonce: str,
    expires: float | None = None,
    if_match: str | None = None,
) -> Signature:
    """Signs a request. Times are seconds since 1970: ``created`` is rounded down, ``expires`` up."""
    parts = urlsplit(url)
    values = {"@method": method, "@authority": authority_of(url), "@path": parts.path or "/"}
    if parts.query:
        values["@query"] = f"?{parts.query}"
    if body:
        values["content-digest"] = f"sha-256=:{b64encode(hashlib.sha256(body).digest()).decode()}:"
    if if_match is not None:
        values["if-match"] = if_match
    start = math.floor(created)
    covered = " ".join(f'"{name}"' for name in values)
    params = f'({covered});created={start};nonce="{nonce}";keyid="{key.key_id}"'
    if expires is not None:
        params += f";expires={max(start, math.ceil(expires))}"
    lines = [f'"{name}": {value}' for name, value in values.items()]
    base = "\n".join([*lines, f'"@signature-params": {params}'])
    mac = hmac.new(key.secret.encode(), base.encode(), hashlib.sha256).digest()
    headers = {"signature-input": f"sig1={params}", "signature": f"sig1=:{b64encode(mac).decode()}:"}
    if body:
        headers["content-digest"] = values["content-digest"]
    return Signature(headers, base)


def authority_of(url: str) -> str:
    """The host in lower case, and the port unless it is the default of the scheme (RFC 9421 section 2.2.3)."""
    parts = urlsplit(url)
    host = (parts.hostname or "").lower()
    host = f"[{host}]" if ":" in host else host
    is_default = parts.port in (None, {"https": 443, "http": 80}.get(parts.scheme))
    return host if is_default else f"{host}:{parts.port}"


def sign_request(
    method: str,
    url: str,
    key: ApiKey,
    *,
    body: bytes = b"",
    if_match: str | None = None,
    created: float | None = None,
    expires: float | None = None,
    nonce: str | None = None,
    now: Callable[[], float] = time.time,
) -> dict[str, str]:
    """Signs a request for any HTTP library; returns the headers to add to it.

    Send exactly this URL and exactly these bytes of the body, and follow no redirect. Accept only an answer whose header
    ``Request-Nonce`` is the nonce. A signature is valid for five minutes, and for one write: sign each retry with the ``nonce``
    of the first attempt and a later ``created``, for at most 300 seconds.

    ``created`` and ``expires`` are seconds since 1970; by default now, and five minutes later.
    """
    chosen = new_nonce() if nonce is None else nonce
    at = now() if created is None else created
    signature = sign(method, url, body, key, created=at, nonce=chosen, expires=expires, if_match=if_match)
    return dict(signature.headers)


def new_nonce() -> str:
    """128 random bits, which identify a call."""
    return secrets.token_hex(16)


def describe_difference(signed: str, expected: str) -> str:
    """Which line of two signature bases differs, or that only the secret can be wrong."""
    ours, theirs = signed.split("\n"), expected.split("\n")
    for index, line in enumerate(theirs):
        own = ours[index] if index < len(ours) else None
        if own != line:
            return f"signed {own}, the server has {line}"
    return "same signature base: wrong secret"
