"""Guards: only users with access reach a route.

:mod:`auth_service.guards.asgi` is for Starlette and FastAPI, :mod:`auth_service.guards.flask` for Flask,
:mod:`auth_service.guards.django` for Django. The ``source`` of a guard is a client, which asks the service for each request, or a
replica, which decides in memory. Create the replica with ``unknown="ask"``.
"""

from __future__ import annotations

from .decision import Denial, GuardDecision, GuardedAccess, OutageAccess, Passage, WhenUnavailable

__all__ = ["Denial", "GuardDecision", "GuardedAccess", "OutageAccess", "Passage", "WhenUnavailable"]
