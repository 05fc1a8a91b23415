"""What the core asks of the I/O.

A routine is a generator that yields effects and is sent their results, so the rules are written once for threads and for async
code. A driver throws ``EffectFailed`` into it for an effect that failed.
"""

from __future__ import annotations

from collections.abc import Generator, Mapping
from dataclasses import dataclass
from typing import Any, TypeVar, Union

Result = TypeVar("Result")


@dataclass(frozen=True, slots=True)
class SignedRequest:
    """A request that must be sent exactly as it is."""

    method: str
    url: str
    headers: Mapping[str, str]
    body: bytes


@dataclass(frozen=True, slots=True)
class Send:
    """Sends a request, follows no redirect, and results in its ``Answer``, complete within the time."""

    request: SignedRequest
    timeout_seconds: float


@dataclass(frozen=True, slots=True)
class ReadKey:
    """Results in what the source of the key returns within the time."""

    timeout_seconds: float


@dataclass(frozen=True, slots=True)
class Pause:
    """Waits."""

    seconds: float


Effect = Union[Send, ReadKey, Pause]
Routine = Generator[Effect, Any, Result]


class EffectFailed(Exception):
    """An effect has no result."""

    def __init__(self, detail: str, *, timed_out: bool = False) -> None:
        super().__init__(detail)
        self.timed_out = timed_out
