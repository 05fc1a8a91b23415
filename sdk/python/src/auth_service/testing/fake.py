"""Starts and controls the test double."""

from __future__ import annotations

import json
import os
import subprocess
import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timezone
from pathlib import Path
from types import TracebackType
from typing import Any, Literal

from .._async import AsyncAuthServiceClient
from .._core.answers import Answer
from .._core.operations import Moment
from .._core.readers import read_access
from .._core.signing import ApiKey
from .._sync import AuthServiceClient
from ..errors import AuthServiceError
from ..model import Access, Status

Scope = Literal["access:read", "access:write", "roles:write"]


@dataclass(frozen=True, slots=True)
class FakeRequest:
    """A request that the test double received, with the status of its answer; ``None`` if there was none."""

    method: str
    """The HTTP method."""
    path: str
    """The path with the query."""
    status: int | None
    """The HTTP status of the answer; ``None`` if there was none."""


class FakeServers:
    """A process that serves test doubles. Close it, or use it as a context manager."""

    def __init__(self, package: str | os.PathLike[str] | None = None) -> None:
        node = os.environ.get("AUTH_SERVICE_NODE", "node")
        program = Path(__file__).with_name("fake_server.mjs")
        module = Path(package or find_package()) / "dist" / "testing.js"
        self._lock = threading.Lock()
        self._process = subprocess.Popen(
            [node, str(program), str(module)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, encoding="utf-8"
        )

    def __enter__(self) -> FakeServers:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def create(
        self,
        *,
        app_id: str = "billing",
        users: Sequence[str] = (),
        roles: Sequence[str] = (),
        rollout_percent: float = 100,
    ) -> FakeAuthService:
        """Starts a service with its own users, keys and time."""
        options = {"appId": app_id, "users": [*users], "roles": [*roles], "rolloutPercent": rollout_percent}
        return FakeAuthService(self, self.ask("create", None, options))

    def ask(self, call: str, service: int | None, *args: object) -> Any:
        """Runs one command; raises an ``AuthServiceError`` with the code of the service for what it would refuse."""
        sent = json.dumps({"call": call, "id": service, "args": args})
        with self._lock:
            assert self._process.stdin is not None and self._process.stdout is not None
            self._process.stdin.write(f"{sent}\n")
            self._process.stdin.flush()
            line = self._process.stdout.readline()
        if not line:
            raise RuntimeError("the process of the test double has ended")
        reply = json.loads(line)
        if "error" in reply:
            raise AuthServiceError(reply["error"]["code"], reply["error"]["detail"])
        return reply["result"]

    def close(self) -> None:
        """Ends the process."""
        self._process.communicate()


def find_package() -> Path:
    """The folder of the TypeScript package: named by the environment, or installed in this folder or one above."""
    named = os.environ.get("AUTH_SERVICE_CLIENT")
    if named:
        return Path(named)
    for folder in [Path.cwd(), *Path.cwd().parents]:
        found = folder / "node_modules" / "@auth-service" / "client"
        if found.is_dir():
            return found
    raise FileNotFoundError("the package @auth-service/client is not installed: see auth_service.testing")


class FakeAuthService:
    """A service in memory. Arguments are validated like those of the service."""

    def __init__(self, servers: FakeServers, created: dict[str, Any]) -> None:
        self._servers = servers
        self._id: int = created["id"]
        self._ahead = 0.0
        self.base_url: str = created["baseUrl"]
        self.key = ApiKey(created["keyId"], created["secret"])
        """A key with all scopes."""

    def client(self, **options: Any) -> AuthServiceClient:
        """A client with the address, the key and the time of this service."""
        given: Any = {"key": self.key, "now": self._seconds, **options}
        return AuthServiceClient(self.base_url, **given)

    def async_client(self, **options: Any) -> AsyncAuthServiceClient:
        """The same for async code."""
        given: Any = {"key": self.key, "now": self._seconds, **options}
        return AsyncAuthServiceClient(self.base_url, **given)

    def _seconds(self) -> float:
        return time.time() + self._ahead

    def _ask(self, call: str, *args: object) -> Any:
        return self._servers.ask(call, self._id, *args)

    def create_user(self, user_id: str) -> None:
        """Creates a user."""
        self._ask("createUser", user_id)

    def set_user_status(self, user_id: str, status: Literal["active", "inactive"]) -> None:
        """Activates or deactivates a user in all applications."""
        self._ask("setUserStatus", user_id, status)

    def delete_user(self, user_id: str) -> None:
        """Erases a user with all settings and roles."""
        self._ask("deleteUser", user_id)

    def define_role(self, role: str) -> None:
        """Defines a role of the application."""
        self._ask("defineRole", role)

    def set_rollout(self, percent: float) -> None:
        """Sets the share of users without an explicit status who have access."""
        self._ask("setRollout", percent)

    def set_access(
        self, user_id: str, status: Status, *, until: Moment | None = None, reason: str | None = None
    ) -> None:
        """Enables or disables a user, as an operator."""
        self._ask("setAccess", user_id, {"status": status, "until": _text(until), "reason": reason})

    def assign_role(self, user_id: str, role: str, *, expires_at: Moment | None = None) -> None:
        """Assigns a role to a user, as an operator."""
        self._ask("assignRole", user_id, {"role": role, "expiresAt": _text(expires_at)})

    def revoke_role(self, user_id: str, role: str) -> None:
        """Revokes a role from a user, as an operator."""
        self._ask("revokeRole", user_id, role)

    def get_access(self, user_id: str) -> Access:
        """Reads the effective access, as an operator."""
        members = self._ask("getAccess", user_id)
        return read_access(user_id)(members, self.key.key_id, Answer(200, {}, b""))

    def now(self) -> datetime:
        """The time by which blocks, grants and signatures expire."""
        return datetime.fromtimestamp(self._seconds(), timezone.utc)

    def advance(self, seconds: float) -> None:
        """Advances that time, also for its clients and their replicas."""
        self._ask("advance", seconds)
        self._ahead += seconds

    def issue_key(self, *scopes: Scope) -> ApiKey:
        """Issues another key, with all scopes by default."""
        issued = self._ask("issueKey", *([[*scopes]] if scopes else []))
        return ApiKey(issued["keyId"], issued["secret"])

    def revoke_key(self, key_id: str) -> None:
        """Revokes a key, which the service then refuses."""
        self._ask("revokeKey", key_id)

    def expire_cursors(self) -> None:
        """Expires all cursors of changes returned so far."""
        self._ask("expireCursors")

    def fail(
        self,
        failure: Literal["no answer", "hang", "lost answer"] | None = None,
        *,
        code: str | None = None,
        status: int | None = None,
        retry_after_seconds: float | None = None,
        times: int | None = None,
    ) -> None:
        """Fails the next requests: ``times`` of them, or all until :meth:`recover`.

        Give one of ``failure``, ``code`` (an error of the service) and ``status`` (a bare one, such as that of a proxy).
        """
        if [failure, code, status].count(None) != 2:
            raise ValueError("give one of failure, code and status")
        error: dict[str, object] = {"code": code} if status is None else {"status": status}
        if retry_after_seconds is not None:
            error["retryAfterSeconds"] = retry_after_seconds
        self._ask("fail", failure or error, {} if times is None else {"times": times})

    def recover(self) -> None:
        """Ends the failures."""
        self._ask("recover")

    @property
    def requests(self) -> list[FakeRequest]:
        """All requests, oldest first."""
        return [FakeRequest(each["method"], each["path"], each.get("status")) for each in self._ask("requests")]

    def close(self) -> None:
        """Ends the service."""
        self._ask("close")


def _text(moment: Moment | None) -> str | None:
    return moment.isoformat() if isinstance(moment, datetime) else moment
