"""The options of a client."""

from __future__ import annotations

import re

from .call import MAX_CALL_SECONDS, Caller, Clocks
from .circuit import Circuit, CircuitOptions
from .hooks import Hooks
from .signing import authority_of

_origin = re.compile(r"(https?://[!-~]+?)/?(api/service/?)?")
_local = re.compile(r"http://(localhost|127\.0\.0\.1|\[::1\])(:\d+)?")


def create_caller(
    base_url: str,
    *,
    timeout_seconds: float,
    max_attempts: int,
    circuit: CircuitOptions | None,
    hooks: Hooks | None,
    allow_http: bool,
    clocks: Clocks,
) -> Caller:
    """Checks the options; raises a ``ValueError`` that names an invalid one, but no value: any may be a misplaced secret."""
    if not 0 < timeout_seconds <= MAX_CALL_SECONDS:
        raise ValueError(f"timeout_seconds must be more than 0 and at most {MAX_CALL_SECONDS}")
    if not (isinstance(max_attempts, int) and 1 <= max_attempts <= 100):
        raise ValueError("max_attempts must be from 1 to 100")
    return Caller(
        origin=read_origin(base_url, allow_http),
        hooks=hooks or Hooks(),
        circuit=Circuit(circuit or CircuitOptions(), clocks.monotonic),
        clocks=clocks,
        timeout_seconds=timeout_seconds,
        max_attempts=max_attempts,
    )


def read_origin(base_url: str, allow_http: bool) -> str:
    """Scheme and host, without a trailing slash.

    Plain http to other machines is not valid: anyone on the network could answer "enabled".
    """
    found = _origin.fullmatch(str(base_url))
    scheme, _, rest = found.group(1).partition("://") if found else ("", "", "")
    if not rest or re.search(r"[/@?#\\]", rest):
        raise ValueError("base_url must be https://host, or http://host with allow_http")
    try:
        origin = f"{scheme}://{authority_of(f'{scheme}://{rest}')}"
    except ValueError:
        raise ValueError("base_url must be https://host, or http://host with allow_http") from None
    if scheme == "http" and not allow_http and not _local.fullmatch(origin):
        raise ValueError("base_url must be https://host, or http://host with allow_http")
    return origin
