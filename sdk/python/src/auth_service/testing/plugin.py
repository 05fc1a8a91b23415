"""Fixtures for pytest, which finds them by the entry point of the package."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from .fake import FakeAuthService, FakeServers


@pytest.fixture(scope="session")
def fake_auth_servers() -> Iterator[FakeServers]:
    """The process of all test doubles of a run."""
    with FakeServers() as servers:
        yield servers


@pytest.fixture
def fake_auth_service(fake_auth_servers: FakeServers) -> Iterator[FakeAuthService]:
    """A service of its own for each test, with the application ``billing``, and without users and roles."""
    service = fake_auth_servers.create()
    yield service
    service.close()
