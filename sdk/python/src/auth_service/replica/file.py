"""The file of a replica; a file of another service, application or secret is invalid."""

from __future__ import annotations

import hashlib
import hmac
import json
import os
import secrets
from dataclasses import dataclass
from pathlib import Path

from .._core.signing import ApiKey
from .clock import KnownAt
from .decision import ReplicaState
from .facts import Facts

_mac_bytes = 32


class FileNotUsableError(Exception):
    """The file is damaged, or belongs to another key, application or service."""


@dataclass(frozen=True, slots=True)
class StoredReplica:
    """The data that a replica stores for its next start."""

    state: ReplicaState
    known_at: KnownAt
    is_refused: bool
    """Whether the service has rejected the key since."""


def encode_replica(stored: StoredReplica, key: ApiKey, origin: str) -> bytes:
    """JSON Lines, of the general data and then of each user, and a MAC."""
    state = stored.state
    first = {
        "appId": state.app_id,
        "rollout": state.rollout,
        "cursor": state.cursor,
        "knownAt": stored.known_at,
        "isRefused": stored.is_refused,
    }
    lines = [json.dumps(first), *(json.dumps(entry) for entry in state.users.items())]
    content = "".join(f"{line}\n" for line in lines).encode()
    return content + _mac_of(content, key, origin)


def decode_replica(file: bytes, key: ApiKey, origin: str) -> StoredReplica:
    """Raises a ``FileNotUsableError`` for a file that ``encode_replica`` has not written with this key and origin."""
    content, mac = file[:-_mac_bytes], file[-_mac_bytes:]
    if not hmac.compare_digest(mac, _mac_of(content, key, origin)):
        raise FileNotUsableError("the file is damaged, or belongs to another key, application or service")
    first, *lines = (json.loads(line) for line in content.splitlines())
    users: dict[str, Facts] = {
        user_id: {part: (change_id, value) for part, (change_id, value) in facts.items()} for user_id, facts in lines
    }
    at, ahead = first["knownAt"]
    percent, version = first["rollout"]
    state = ReplicaState(first["appId"], users, (percent, version), first["cursor"])
    return StoredReplica(state, (at, ahead), first["isRefused"])


def _mac_of(content: bytes, key: ApiKey, origin: str) -> bytes:
    """By a separate key, derived from the secret and a text that no signature covers."""
    label = f"auth-service replica file for Python 1\n{origin}\n{key.app_id}"
    derived = hmac.new(key.secret.encode(), label.encode(), hashlib.sha256).digest()
    return hmac.new(derived, content, hashlib.sha256).digest()


def read_file(path: Path) -> bytes | None:
    """``None`` if there is no file."""
    try:
        return path.read_bytes()
    except FileNotFoundError:
        return None


def write_file(path: Path, content: bytes) -> None:
    """Replaces the file atomically, or raises and leaves it unchanged. Only its owner can read it."""
    temporary = path.with_name(f"{path.name}.{secrets.token_hex(8)}")
    try:
        handle = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(handle, "wb") as file:
            file.write(content)
            file.flush()
            # Otherwise a power failure could leave an empty file under the new name.
            os.fsync(file.fileno())
        os.replace(temporary, path)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise
