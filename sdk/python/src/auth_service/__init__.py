"""The client of the auth service: may this user enter my application, and with which roles?"""

from __future__ import annotations

from ._async import AsyncApplicationWebhooks, AsyncAuthServiceClient
from ._core.circuit import CircuitOptions
from ._core.drive import AsyncKeySource, KeySource
from ._core.hooks import Hooks, RequestEvent, ResponseEvent, RetryEvent
from ._core.operations import Moment
from ._core.signing import ApiKey, sign_request
from ._sync import ApplicationWebhooks, AuthServiceClient
from .errors import (
    AuthServiceError,
    ForbiddenError,
    InvalidRequestError,
    NotFoundError,
    SignatureError,
    UnavailableError,
    UnexpectedAnswerError,
    VersionMismatchError,
)
from .model import (
    Access,
    Change,
    ChangedAccess,
    ChangePage,
    CheckedAccess,
    Role,
    SnapshotPage,
    UnknownUser,
    Webhook,
    WebhookWithSecret,
)

__all__ = [
    "Access",
    "ApiKey",
    "ApplicationWebhooks",
    "AsyncApplicationWebhooks",
    "AsyncAuthServiceClient",
    "AsyncKeySource",
    "AuthServiceClient",
    "AuthServiceError",
    "Change",
    "ChangePage",
    "ChangedAccess",
    "CheckedAccess",
    "CircuitOptions",
    "ForbiddenError",
    "Hooks",
    "InvalidRequestError",
    "KeySource",
    "Moment",
    "NotFoundError",
    "RequestEvent",
    "ResponseEvent",
    "RetryEvent",
    "Role",
    "SignatureError",
    "SnapshotPage",
    "UnavailableError",
    "UnexpectedAnswerError",
    "UnknownUser",
    "VersionMismatchError",
    "Webhook",
    "WebhookWithSecret",
    "sign_request",
]
