"""Random decisions of the replica against those of the TypeScript replica, over the feed of a running service.

``REPLICA_DECISIONS`` says how many are compared.
"""

from __future__ import annotations

import json
import os
import random
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path
from typing import Any, Protocol

from auth_service import AuthServiceClient, AuthServiceError
from auth_service.replica import AccessReplica, open_replica
from auth_service.testing import FakeAuthService, FakeServers
from auth_service.testing.fake import find_package
from kit import Case
from test_decisions import to_json

DECISIONS = int(os.environ.get("REPLICA_DECISIONS", "3000"))
USERS = [f"user-{n}" for n in range(30)] + ["auth0|a+b", "o'brien@example.com", "A", "z" * 128]
UNKNOWN = ["nobody", "User-1", "a/b", ".."]
ROLES = ["admin", "editor", "viewer"]


class Follower(Protocol):
    def ask(self, **command: object) -> list[Case]: ...


@contextmanager
def typescript_replica(service: FakeAuthService) -> Iterator[Follower]:
    options = {
        "baseUrl": service.base_url,
        "keyId": service.key.key_id,
        "secret": service.key.secret,
        "replica": {"pollSeconds": 0.02, "maxStalenessSeconds": 0.1, "whenStale": "goOn"},
    }
    program = Path(__file__).with_name("typescript_replica.mjs")
    command = [os.environ.get("AUTH_SERVICE_NODE", "node"), str(program), str(find_package()), json.dumps(options)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:

        class Process:
            def ask(self, **command: object) -> list[Case]:
                assert process.stdin and process.stdout
                process.stdin.write(f"{json.dumps(command)}\n")
                process.stdin.flush()
                found: list[Case] = json.loads(process.stdout.readline())
                return found

        yield Process()
        assert process.stdin
        process.stdin.close()
        process.wait(60)


class Comparison:
    """Changes a service at random, and compares what both replicas decide."""

    def __init__(self, service: FakeAuthService, other: Follower, client: AuthServiceClient, file: Path, seed: int) -> None:
        self._service = service
        self._other = other
        self._client = client
        self._file = file
        self._chance = random.Random(seed)
        self._replica = self._open()
        self._is_down = False
        self.compared = 0
        self.repeated = 0

    def _open(self) -> AccessReplica:
        limits: Any = {"poll_seconds": 0.02, "max_staleness_seconds": 0.1, "when_stale": "go_on"}
        return open_replica(self._client, file=self._file, **limits)

    def close(self) -> None:
        self._replica.close()

    def round(self) -> None:
        chance = self._chance
        for _ in range(chance.randint(1, 6)):
            self._change()
        if chance.random() < 0.1:
            self._replica.close()
            self._replica = self._open()
        self._catch_up()
        self._compare_with_service()
        if chance.random() < 0.2:
            # During an outage both decide by what they know.
            self._is_down = True
            self._service.fail("no answer")
            for _ in range(chance.randint(1, 4)):
                self._change()
        for _ in range(8):
            self._compare()
            self._advance(chance.choice([0.05, 0.4, 1, 7, 60, 900]))
        self._is_down = False
        self._service.recover()
        if chance.random() < 0.02:
            self._advance(chance.choice([7, 31]) * 86_400)
            self._catch_up()
            self._compare()

    def _change(self) -> None:
        chance, service = self._chance, self._service
        user, role = chance.choice(USERS), chance.choice(ROLES)
        end = service.now() + timedelta(seconds=chance.choice([1, 5, 30, 600, 86_400]))
        changes: list[Callable[[], None]] = [
            lambda: service.set_access(user, "disabled"),
            lambda: service.set_access(user, "disabled", until=end),
            lambda: service.set_access(user, "enabled"),
            lambda: service.assign_role(user, role),
            lambda: service.assign_role(user, role, expires_at=end),
            lambda: service.revoke_role(user, role),
            lambda: service.set_user_status(user, chance.choice(["active", "inactive"])),
            lambda: service.set_rollout(chance.choice([100, 100, 0, 50, 33.33])),
            lambda: service.delete_user(user),
            lambda: service.create_user(user),
        ]
        weights = [3, 3, 2, 3, 3, 2, 3, 1, 0.3, 2]
        try:
            chance.choices(changes, weights)[0]()
        except AuthServiceError as error:
            # The user does not exist, exists already, or was erased a short time ago.
            assert error.code in ("user_not_found", "already_exists", "unavailable", "invalid_request"), error

    def _advance(self, seconds: float) -> None:
        # A replica that polled while only some of the clocks have moved would estimate the service's time only to a second.
        self._service.fail("no answer")
        time.sleep(0.01)
        self._service.advance(seconds)
        self._other.ask(advance=seconds)
        if not self._is_down:
            self._service.recover()

    def _catch_up(self) -> None:
        since = time.monotonic()
        while self._replica.age_seconds >= time.monotonic() - since:
            time.sleep(0.002)
        self._other.ask(follow=True)

    def _compare(self) -> None:
        users = [*USERS, *UNKNOWN]
        ours, theirs = self._decisions(users), self._other.ask(users=users)
        for _ in range(4):
            if ours == theirs:
                break
            # Each replica knows the service's time to a second, so that what ends may end for one of them first.
            self.repeated += 1
            self._advance(1.1)
            ours, theirs = self._decisions(users), self._other.ask(users=users)
        assert dict(zip(users, ours)) == dict(zip(users, theirs))
        self.compared += len(users)

    def _decisions(self, users: list[str]) -> list[Case]:
        return [to_json(self._replica.check(user)) for user in users]

    def _compare_with_service(self) -> None:
        for answer in self._client.check_access(USERS):
            decision = self._replica.check(answer.user_id)
            if answer.is_enabled is not decision.is_enabled:
                # Only an id that was never created, or is free again, is unknown to the service and not to the replica.
                assert not hasattr(answer, "roles") and decision.decided_by in ("default", "rollout"), (answer, decision)


def test_both_replicas_decide_the_same(fake_auth_servers: FakeServers, tmp_path: Path) -> None:
    compared = repeated = 0
    for seed in range(1_000_000):
        service = fake_auth_servers.create(users=USERS[: 10 + seed % 20], roles=ROLES)
        with typescript_replica(service) as other, service.client() as client:
            comparison = Comparison(service, other, client, tmp_path / f"replica-{seed}", seed)
            try:
                for _ in range(20):
                    comparison.round()
            finally:
                comparison.close()
                compared += comparison.compared
                repeated += comparison.repeated
        service.close()
        if compared >= DECISIONS:
            print(f"{compared} decisions, {repeated} comparisons repeated")
            return
