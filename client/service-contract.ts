// Generated from shared/contract by npm run build:docs.

/** The access of one user to one application. */
export interface Access {
  /** The user, by the id that your applications share. */
  readonly userId: string;
  /** The application. In the Service API it is always that of the API key. */
  readonly appId: string;
  /** The status that was set for this user in this application, or the default `enabled`. */
  readonly status: 'enabled' | 'disabled';
  /** Whether the status was ever set. */
  readonly explicit: boolean;
  /** When the block expires; allowed only with status `disabled`. `null` for never. */
  readonly until: string | null;
  /** The reason, which operators and the application can show. */
  readonly reason: string | null;
  /** The user's global status. */
  readonly userStatus: 'active' | 'inactive';
  /** The effective status now, which the application must obey. */
  readonly effectiveStatus: 'enabled' | 'disabled';
  /** What decided the effective status: `user` (the user is inactive), `explicit` (the status that was set), `lapsed` (a block that has expired), `rollout` (no status was set, and the rollout percentage of the application decides), `default` (no status was set). */
  readonly decidedBy: 'user' | 'explicit' | 'lapsed' | 'rollout' | 'default';
  /** The roles that the user holds now, ordered by name. Expired grants are not listed. */
  readonly roles: readonly {
    /** The role. */
    readonly name: string;
    /** When the grant expires; `null` for never. */
    readonly expiresAt: string | null;
  }[];
  /** Counts the changes; also the `ETag` and the value for `If-Match`. An access that was never changed has version 0. */
  readonly version: number;
  /** When it last changed; `null` if it never did. */
  readonly updatedAt: string | null;
}

/** The response to a write: `changed` is false if the access was already as requested. */
export interface ChangedAccess extends Access {
  /** Whether the request changed anything. `false` if it was already in this state. */
  readonly changed: boolean;
  /** The `id` of the change that the request made; `null` if nothing changed. */
  readonly changeId: string | null;
}

/** An id that matches no user. */
export interface UnknownUser {
  /** The user, by the id that your applications share. */
  readonly userId: string;
  /** There is no user with this id. */
  readonly code: 'user_not_found';
}

/** The result for one of several users. */
export type CheckedAccess = Access | UnknownUser;

/** The kinds of changes that a webhook delivers. New ones may be added. */
export type WebhookEvent =
  | 'user.created'
  | 'user.deleted'
  | 'user.status.changed'
  | 'access.changed'
  | 'role.assigned'
  | 'role.revoked'
  | 'role.defined'
  | 'role.deleted'
  | 'application.created'
  | 'application.updated'
  | 'application.deleted'
  | 'application.reviewed'
  | 'key.issued'
  | 'key.updated'
  | 'key.rotated'
  | 'key.revoked'
  | 'login.changed'
  | 'login.deleted'
  | 'login.secret.added'
  | 'webhook.created'
  | 'webhook.updated'
  | 'webhook.rotated'
  | 'webhook.deleted';

/** A webhook of the application, without its secret. */
export interface Webhook {
  /** The webhook. */
  readonly webhookId: string;
  /** Where the events are posted: https, port 443 or above 1023, a public host, no credentials, no redirects. */
  readonly url: string;
  /** The format of the deliveries: `standard` for Standard Webhooks, `set` for Security Event Tokens. The deployment must have it. */
  readonly format: 'standard' | 'set';
  /** Whether events are delivered. While it is `false`, they wait for as long as the feed is kept. */
  readonly enabled: boolean;
  /** The kinds of changes that are delivered, as in the feed; `null` for all. */
  readonly events: readonly WebhookEvent[] | null;
  /** `on`, `retrying` while a delivery waits for another attempt, `off`, or `failed` if it turned itself off: its receiver accepted nothing for three days, or answered 410. */
  readonly state: 'on' | 'retrying' | 'off' | 'failed';
  /** Why it turned itself off; `null` if it did not. */
  readonly offReason: 'failing' | 'gone' | null;
  /** The current secret and, during the overlap of a rotation, the one before; only their ids. */
  readonly secrets: readonly {
    /** Identifies the secret, which is derived from it and stored nowhere. */
    readonly secretId: string;
    /** Until when the secret signs beside its successor; `null` for the current one. */
    readonly expiresAt: string | null;
  }[];
  /** When the oldest event that waits for a retry was first attempted; `null` if there is none. */
  readonly failingSince: string | null;
  /** The error of the last failed attempt; `null` if none failed since the last success. */
  readonly lastError: string | null;
  /** When a delivery last succeeded; `null` if none did. */
  readonly lastDeliveredAt: string | null;
  /** When the next retry is due; `null` if none waits. */
  readonly nextAttemptAt: string | null;
  /** The time of the oldest change that waits for a retry; `null` if none does. */
  readonly oldestUndelivered: string | null;
  /** Counts the changes; also the `ETag` and the value for `If-Match`. An access that was never changed has version 0. */
  readonly version: number;
  /** When it was created. */
  readonly createdAt: string;
  /** When it last changed. */
  readonly updatedAt: string;
}

/** A webhook with its new secret. */
export interface IssuedWebhook extends Webhook {
  /** The secret that signs deliveries in the format `standard`. No later answer contains it. */
  readonly secret: string;
}

/** The response to setting a webhook: `changed` is false if it was already as requested. */
export interface SetWebhook extends Webhook {
  /** Whether the request changed anything. `false` if it was already in this state. */
  readonly changed: boolean;
  /** The secret that signs deliveries in the format `standard`, if the request created the webhook; otherwise `null`. */
  readonly secret: string | null;
}

/** What every change record contains: who, when, why, and in which request. */
export interface ChangeRecord {
  /** A ULID. All deliveries of the same change have the same id. */
  readonly id: string;
  /** When it happened. */
  readonly at: string;
  /** Who made the change; operators and connections are anonymous. */
  readonly caller:
    | {
        /** An application with its API key, an operator, a connection, such as a directory, or the service itself. */
        readonly kind: 'api-key';
        /** The application. In the Service API it is always that of the API key. */
        readonly appId: string;
        /** The API key. Not secret. */
        readonly keyId: string;
      }
    | {
        /** An application with its API key, an operator, a connection, such as a directory, or the service itself. */
        readonly kind: 'operator';
      }
    | {
        /** An application with its API key, an operator, a connection, such as a directory, or the service itself. */
        readonly kind: 'connection';
      }
    | {
        /** An application with its API key, an operator, a connection, such as a directory, or the service itself. */
        readonly kind: 'service';
      };
  /** The id of the request, as in its `Apigw-Requestid` or `X-Amzn-RequestId` header and in the log. */
  readonly requestId: string;
  /** The source address of a request with the application's API key. Absent for others. */
  readonly sourceIp?: string;
  /** The `id` of the change that this one undid. Absent if it undid none. */
  readonly undoOf?: string;
  /** The reason that the caller gave. */
  readonly reason: string | null;
  /** The ticket that the caller gave, such as `INC-1234`. Absent if there was none. */
  readonly ticket?: string;
  /** A JWS with detached content (RFC 7515, appendix F) over all other members, serialized by RFC 8785. `GET /api/service/change-keys` has the keys. */
  readonly signature?: string;
}

/** A user was enabled or disabled in the application. */
export interface AccessChange extends ChangeRecord {
  /** What happened. */
  readonly action: 'access.changed';
  /** The application. In the Service API it is always that of the API key. */
  readonly appId: string;
  /** The user, by the id that your applications share. */
  readonly userId: string;
  /** The state before; `null` if there was none. */
  readonly before: {
    /** The status that was set for this user in this application, or the default `enabled`. */
    readonly status: 'enabled' | 'disabled';
    /** Whether the status was ever set. */
    readonly explicit: boolean;
    /** When the block expires; allowed only with status `disabled`. `null` for never. */
    readonly until: string | null;
    /** The reason, which operators and the application can show. */
    readonly reason: string | null;
    /** The version of what changed. Of two, the higher is the later. */
    readonly version?: number;
  };
  /** The state after; `null` if there is none. */
  readonly after: {
    /** The status that was set for this user in this application, or the default `enabled`. */
    readonly status: 'enabled' | 'disabled';
    /** Whether the status was ever set. */
    readonly explicit: boolean;
    /** When the block expires; allowed only with status `disabled`. `null` for never. */
    readonly until: string | null;
    /** The reason, which operators and the application can show. */
    readonly reason: string | null;
    /** The version of what changed. Of two, the higher is the later. */
    readonly version?: number;
  };
}

/** A user got or lost a role. */
export interface RoleChange extends ChangeRecord {
  /** What happened. */
  readonly action: 'role.assigned' | 'role.revoked';
  /** The application. In the Service API it is always that of the API key. */
  readonly appId: string;
  /** The user, by the id that your applications share. */
  readonly userId: string;
  /** The name of the role in the application. Case-sensitive. */
  readonly role: string;
  /** The state before; `null` if there was none. */
  readonly before: {
    /** Whether the user has the role. */
    readonly granted: boolean;
    /** When the grant expires; `null` for never. */
    readonly expiresAt: string | null;
    /** Whether a group of a directory gave the role, and nobody has assigned it since. Default: `false`. */
    readonly fromGroup?: boolean;
    /** The version of what changed. Of two, the higher is the later. */
    readonly version?: number;
  };
  /** The state after; `null` if there is none. */
  readonly after: {
    /** Whether the user has the role. */
    readonly granted: boolean;
    /** When the grant expires; `null` for never. */
    readonly expiresAt: string | null;
    /** Whether a group of a directory gave the role, and nobody has assigned it since. Default: `false`. */
    readonly fromGroup?: boolean;
    /** The version of what changed. Of two, the higher is the later. */
    readonly version?: number;
  };
}

/** A user was activated or deactivated in all applications. */
export interface UserStatusChange extends ChangeRecord {
  /** What happened. */
  readonly action: 'user.status.changed';
  /** The user, by the id that your applications share. */
  readonly userId: string;
  /** The state before; `null` if there was none. */
  readonly before: {
    /** The global status of the user. */
    readonly status: 'active' | 'inactive';
    /** The version of what changed. Of two, the higher is the later. */
    readonly version?: number;
  };
  /** The state after; `null` if there is none. */
  readonly after: {
    /** The global status of the user. */
    readonly status: 'active' | 'inactive';
    /** The version of what changed. Of two, the higher is the later. */
    readonly version?: number;
  };
}

/** A user was created with the id of an erased user. */
export interface UserCreation extends ChangeRecord {
  /** What happened. */
  readonly action: 'user.created';
  /** The user, by the id that your applications share. */
  readonly userId: string;
  /** The state before; `null` if there was none. */
  readonly before: null;
  /** The state after; `null` if there is none. */
  readonly after: {
    /** The global status of the user. */
    readonly status: 'active' | 'inactive';
    /** The version of what changed. Of two, the higher is the later. */
    readonly version?: number;
  };
}

/** A user was erased. */
export interface UserDeletion extends ChangeRecord {
  /** What happened. */
  readonly action: 'user.deleted';
  /** The user, by the id that your applications share. */
  readonly userId: string;
  /** The state before; `null` if there was none. */
  readonly before: {
    /** The global status of the user. */
    readonly status: 'active' | 'inactive';
    /** The version of what changed. Of two, the higher is the later. */
    readonly version?: number;
  };
  /** The state after; `null` if there is none. */
  readonly after: null;
}

/** A role was defined or deleted, or its description changed. */
export interface RoleDefinitionChange extends ChangeRecord {
  /** What happened. */
  readonly action: 'role.defined' | 'role.deleted';
  /** The application. In the Service API it is always that of the API key. */
  readonly appId: string;
  /** The name of the role in the application. Case-sensitive. */
  readonly role: string;
  /** The state before; `null` if there was none. */
  readonly before: {
    /** What the role allows; `null` if not described. */
    readonly description: string | null;
    /** The version of what changed. Of two, the higher is the later. */
    readonly version?: number;
  } | null;
  /** The state after; `null` if there is none. */
  readonly after: {
    /** What the role allows; `null` if not described. */
    readonly description: string | null;
    /** The version of what changed. Of two, the higher is the later. */
    readonly version?: number;
  } | null;
}

/** The application was created, changed or deleted. */
export interface ApplicationChange extends ChangeRecord {
  /** What happened. */
  readonly action: 'application.created' | 'application.updated' | 'application.deleted';
  /** The application. In the Service API it is always that of the API key. */
  readonly appId: string;
  /** The state before; `null` if there was none. */
  readonly before: {
    /** The name of the application for people. */
    readonly name: string;
    /** The percentage of users without an explicit status who are enabled, with at most two decimals; 100 for all of them. */
    readonly rolloutPercent?: number;
    /** The requests per second that the application may send to the Service API, over all routes and keys; above it, some are refused with 429. `null` for no limit. */
    readonly requestsPerSecond?: number | null;
    /** Whose changes of access and roles in the application require a reason: `operators`, or `all`, which includes the application itself. `null` for nobody, unless the deployment requires it. */
    readonly requireReason?: 'operators' | 'all' | null;
    /** How many days after a review of its access the next one is due; the first, after the creation of the application. `null` if no reviews are expected. */
    readonly reviewEveryDays?: number | null;
    /** The version of what changed. Of two, the higher is the later. */
    readonly version?: number;
  } | null;
  /** The state after; `null` if there is none. */
  readonly after: {
    /** The name of the application for people. */
    readonly name: string;
    /** The percentage of users without an explicit status who are enabled, with at most two decimals; 100 for all of them. */
    readonly rolloutPercent?: number;
    /** The requests per second that the application may send to the Service API, over all routes and keys; above it, some are refused with 429. `null` for no limit. */
    readonly requestsPerSecond?: number | null;
    /** Whose changes of access and roles in the application require a reason: `operators`, or `all`, which includes the application itself. `null` for nobody, unless the deployment requires it. */
    readonly requireReason?: 'operators' | 'all' | null;
    /** How many days after a review of its access the next one is due; the first, after the creation of the application. `null` if no reviews are expected. */
    readonly reviewEveryDays?: number | null;
    /** The version of what changed. Of two, the higher is the later. */
    readonly version?: number;
  } | null;
}

/** The access to the application was reviewed. */
export interface AccessReview extends ChangeRecord {
  /** What happened. */
  readonly action: 'application.reviewed';
  /** The application. In the Service API it is always that of the API key. */
  readonly appId: string;
  /** The state before; `null` if there was none. */
  readonly before: {
    /** When the list was read that was reviewed; `null` before the first review. */
    readonly reviewedAsOf: string | null;
    /** How many changes of access and roles came after the list was read and before it was marked as reviewed. */
    readonly laterChanges: number | null;
    /** The version of what changed. Of two, the higher is the later. */
    readonly version?: number;
  };
  /** The state after; `null` if there is none. */
  readonly after: {
    /** When the list was read that was reviewed; `null` before the first review. */
    readonly reviewedAsOf: string | null;
    /** How many changes of access and roles came after the list was read and before it was marked as reviewed. */
    readonly laterChanges: number | null;
    /** The version of what changed. Of two, the higher is the later. */
    readonly version?: number;
  };
}

/** An API key was issued. */
export interface KeyIssue extends ChangeRecord {
  /** What happened. */
  readonly action: 'key.issued';
  /** The application. In the Service API it is always that of the API key. */
  readonly appId: string;
  /** The API key. Not secret. */
  readonly keyId: string;
  /** The state before; `null` if there was none. */
  readonly before: {
    /** The version of what changed. Of two, the higher is the later. */
    readonly version?: number;
  };
  /** The state after; `null` if there is none. */
  readonly after: {
    /** The scopes of the key, separated by spaces. */
    readonly scopes: string;
    /** When the grant expires; `null` for never. */
    readonly expiresAt: string | null;
    /** The name of the key for people; `null` if it has none. */
    readonly label?: string | null;
    /** The version of what changed. Of two, the higher is the later. */
    readonly version?: number;
  };
}

/** An API key was labelled. */
export interface KeyUpdate extends ChangeRecord {
  /** What happened. */
  readonly action: 'key.updated';
  /** The application. In the Service API it is always that of the API key. */
  readonly appId: string;
  /** The API key. Not secret. */
  readonly keyId: string;
  /** The state before; `null` if there was none. */
  readonly before: {
    /** The name of the key for people; `null` if it has none. */
    readonly label: string | null;
    /** The version of what changed. Of two, the higher is the later. */
    readonly version?: number;
  };
  /** The state after; `null` if there is none. */
  readonly after: {
    /** The name of the key for people; `null` if it has none. */
    readonly label: string | null;
    /** The version of what changed. Of two, the higher is the later. */
    readonly version?: number;
  };
}

/** An API key was replaced by the one that `keyId` names; the states are those of the old one. */
export interface KeyRotation extends ChangeRecord {
  /** What happened. */
  readonly action: 'key.rotated';
  /** The application. In the Service API it is always that of the API key. */
  readonly appId: string;
  /** The API key. Not secret. */
  readonly keyId: string;
  /** The state before; `null` if there was none. */
  readonly before: {
    /** The API key. Not secret. */
    readonly keyId: string;
    /** When the grant expires; `null` for never. */
    readonly expiresAt: string | null;
    /** The version of what changed. Of two, the higher is the later. */
    readonly version?: number;
  };
  /** The state after; `null` if there is none. */
  readonly after: {
    /** The API key. Not secret. */
    readonly keyId: string;
    /** When the grant expires; `null` for never. */
    readonly expiresAt: string | null;
    /** The version of what changed. Of two, the higher is the later. */
    readonly version?: number;
    /** When the new key expires; `null` for never. */
    readonly newExpiresAt: string | null;
  };
}

/** An API key was revoked. */
export interface KeyRevocation extends ChangeRecord {
  /** What happened. */
  readonly action: 'key.revoked';
  /** The application. In the Service API it is always that of the API key. */
  readonly appId: string;
  /** The API key. Not secret. */
  readonly keyId: string;
  /** The state before; `null` if there was none. */
  readonly before: {
    /** When the key was revoked; `null` if it was not. */
    readonly revokedAt: string | null;
    /** The version of what changed. Of two, the higher is the later. */
    readonly version?: number;
  };
  /** The state after; `null` if there is none. */
  readonly after: {
    /** When the key was revoked; `null` if it was not. */
    readonly revokedAt: string | null;
    /** The version of what changed. Of two, the higher is the later. */
    readonly version?: number;
  };
}

/** The application's login was set, changed or deleted, or a secret added. */
export interface LoginChange extends ChangeRecord {
  /** What happened. */
  readonly action: 'login.changed' | 'login.deleted' | 'login.secret.added';
  /** The application. In the Service API it is always that of the API key. */
  readonly appId: string;
  /** The state before; `null` if there was none. */
  readonly before: {
    readonly clientType?: 'public' | 'confidential' | null;
    readonly redirectUris?: string | null;
    readonly logoutUris?: string | null;
    readonly secretAddedAt?: string | null;
    /** The version of what changed. Of two, the higher is the later. */
    readonly version?: number;
  };
  /** The state after; `null` if there is none. */
  readonly after: {
    readonly clientType?: 'public' | 'confidential' | null;
    readonly redirectUris?: string | null;
    readonly logoutUris?: string | null;
    readonly secretAddedAt?: string | null;
    /** The version of what changed. Of two, the higher is the later. */
    readonly version?: number;
  };
}

/** A webhook was created, changed or deleted, or its secret replaced. */
export interface WebhookChange extends ChangeRecord {
  /** What happened. */
  readonly action: 'webhook.created' | 'webhook.updated' | 'webhook.rotated' | 'webhook.deleted';
  /** The application. In the Service API it is always that of the API key. */
  readonly appId: string;
  /** The webhook. */
  readonly webhookId: string;
  /** The state before; `null` if there was none. */
  readonly before: {
    /** Where the events are posted. Only an API key with the scope `webhooks:write` reads it, and no webhook. */
    readonly url?: string | null;
    /** The format of the deliveries. */
    readonly format?: 'standard' | 'set' | null;
    /** Whether events are delivered. */
    readonly enabled?: boolean | null;
    /** The kinds of changes that are delivered, separated by spaces; `null` for all. */
    readonly events?: string | null;
    /** Why it turned itself off; `null` if it did not. */
    readonly offReason?: string | null;
    /** The id of its secret. */
    readonly secretId?: string | null;
    /** The id of the secret before. */
    readonly previousSecretId?: string | null;
    /** Until when the secret before signs too. */
    readonly previousSecretUntil?: string | null;
    /** The version of what changed. Of two, the higher is the later. */
    readonly version?: number;
  };
  /** The state after; `null` if there is none. */
  readonly after: {
    /** Where the events are posted. Only an API key with the scope `webhooks:write` reads it, and no webhook. */
    readonly url?: string | null;
    /** The format of the deliveries. */
    readonly format?: 'standard' | 'set' | null;
    /** Whether events are delivered. */
    readonly enabled?: boolean | null;
    /** The kinds of changes that are delivered, separated by spaces; `null` for all. */
    readonly events?: string | null;
    /** Why it turned itself off; `null` if it did not. */
    readonly offReason?: string | null;
    /** The id of its secret. */
    readonly secretId?: string | null;
    /** The id of the secret before. */
    readonly previousSecretId?: string | null;
    /** Until when the secret before signs too. */
    readonly previousSecretUntil?: string | null;
    /** The version of what changed. Of two, the higher is the later. */
    readonly version?: number;
  };
}

/** The complete new setting: omitted members are cleared. */
export interface AccessSetting {
  /** The new status. */
  readonly status: 'enabled' | 'disabled';
  /** The reason, which operators and the application can show. */
  readonly reason?: string | null | undefined;
  /** The ticket behind the change, such as `INC-1234`. It is kept in the history, beside the reason. */
  readonly ticket?: string | null | undefined;
  /** When the block expires; allowed only with status `disabled`. `null` for never. */
  readonly until?: string | Date | null | undefined;
}

/** A role to assign. */
export interface Grant {
  /** The name of the role in the application. Case-sensitive. */
  readonly role: string;
  /** When the grant expires; `null` for never. */
  readonly expiresAt?: string | Date | null | undefined;
  /** Why. It is kept in the history, and operators and the application can show it. */
  readonly reason?: string | null | undefined;
  /** The ticket behind the change, such as `INC-1234`. It is kept in the history, beside the reason. */
  readonly ticket?: string | null | undefined;
}

/** A role to revoke. */
export interface Revocation {
  /** The name of the role in the application. Case-sensitive. */
  readonly role: string;
  /** Why. It is kept in the history, and operators and the application can show it. */
  readonly reason?: string | null | undefined;
  /** The ticket behind the change, such as `INC-1234`. It is kept in the history, beside the reason. */
  readonly ticket?: string | null | undefined;
}

/** All of a webhook: omitted members get their defaults. */
export interface WebhookSetting {
  /** Where the events are posted: https, port 443 or above 1023, a public host, no credentials, no redirects. */
  readonly url: string;
  /** The format of the deliveries: `standard` for Standard Webhooks, `set` for Security Event Tokens. The deployment must have it. Default: `standard`. */
  readonly format?: 'standard' | 'set' | undefined;
  /** Whether events are delivered. While it is `false`, they wait for as long as the feed is kept. Default: `true`. */
  readonly enabled?: boolean | undefined;
  /** The kinds of changes to deliver, as in the feed; `null` for all. */
  readonly events?: readonly WebhookEvent[] | null | undefined;
}

/** The record of one accepted change; its `action` says which. New kinds may be added. */
export type Change =
  | AccessChange
  | RoleChange
  | UserStatusChange
  | UserCreation
  | UserDeletion
  | RoleDefinitionChange
  | ApplicationChange
  | AccessReview
  | KeyIssue
  | KeyUpdate
  | KeyRotation
  | KeyRevocation
  | LoginChange
  | WebhookChange;

/** The kinds of changes. New ones may be added. */
export type ChangeAction = Change['action'];

/** Every error code of the service. New ones may be added. */
export type ErrorCode =
  | 'invalid_request'
  | 'reason_required'
  | 'malformed_json'
  | 'signature_missing'
  | 'signature_malformed'
  | 'component_missing'
  | 'clock_skew'
  | 'signature_mismatch'
  | 'digest_mismatch'
  | 'token_missing'
  | 'token_invalid'
  | 'user_unidentified'
  | 'key_revoked'
  | 'key_expired'
  | 'access_denied'
  | 'scope_missing'
  | 'role_required'
  | 'address_not_allowed'
  | 'user_not_found'
  | 'role_not_found'
  | 'application_not_found'
  | 'connection_not_found'
  | 'key_not_found'
  | 'webhook_not_found'
  | 'change_not_found'
  | 'route_not_found'
  | 'nonce_replayed'
  | 'already_exists'
  | 'application_in_use'
  | 'role_in_use'
  | 'not_undoable'
  | 'too_many_keys'
  | 'too_many_webhooks'
  | 'cursor_expired'
  | 'version_mismatch'
  | 'body_too_large'
  | 'unsupported_media_type'
  | 'idempotency_key_reused'
  | 'too_many_requests'
  | 'internal'
  | 'unavailable';

export const userIdPattern = /^(?!\.{1,2}$)[A-Za-z0-9\-._~!$&'()*+,;=:@|]{1,128}$/;

export const appIdPattern = /^[a-z][a-z0-9-]{1,39}$/;

export const roleNamePattern = /^[A-Za-z][A-Za-z0-9._:-]{0,63}$/;

export const secretPattern = /^svs_[\w-]{43}$/;

export const maxPageSize = 100;
