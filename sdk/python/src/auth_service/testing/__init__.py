"""The service itself, for the tests of an application: the code of the service over a table in memory.

It is the test double of the TypeScript package, run by Node.js 20.12 or later. Install the package beside your tests, with
``npm install --no-save auth-service-client-*.tgz``, or name its folder in ``AUTH_SERVICE_CLIENT``; ``AUTH_SERVICE_NODE`` names
another ``node``. With pytest, the fixture ``fake_auth_service`` gives each test a service of its own.
"""

from __future__ import annotations

from .fake import FakeAuthService, FakeRequest, FakeServers

__all__ = ["FakeAuthService", "FakeRequest", "FakeServers"]
