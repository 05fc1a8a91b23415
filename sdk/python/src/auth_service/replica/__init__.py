"""The replica: decides without a request, and follows changes."""

from __future__ import annotations

from .asynchronous import AsyncAccessReplica, open_async_replica
from .core import ClosedError
from .decision import NoDecisionCode, ReplicaDecision
from .file import FileNotUsableError
from .options import ReplicaChange, ReplicaFailure, WhenStale, WhenUnknown
from .rollout import is_in_rollout, rollout_bucket
from .sync import AccessReplica, open_replica

__all__ = [
    "AccessReplica",
    "AsyncAccessReplica",
    "ClosedError",
    "FileNotUsableError",
    "NoDecisionCode",
    "ReplicaChange",
    "ReplicaDecision",
    "ReplicaFailure",
    "WhenStale",
    "WhenUnknown",
    "is_in_rollout",
    "open_async_replica",
    "open_replica",
    "rollout_bucket",
]
