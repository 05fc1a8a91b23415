// Generated from shared/contract by npm run build:docs.

/** The answer of `set-user-access`, `assign-user-role` and 1 more. */
export interface ChangedAccess {
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
  readonly roles: readonly ChangedAccessRole[];
  /** Counts the changes; also the `ETag` and the value for `If-Match`. An access that was never changed has version 0. */
  readonly version: number;
  /** When it last changed; `null` if it never did. */
  readonly updatedAt: string | null;
  /** Whether the request changed anything. `false` if it was already in this state. */
  readonly changed: boolean;
  /** The `id` of the change that the request made; `null` if nothing changed. */
  readonly changeId: string | null;
}

/** A part of `ChangePage` and `UserChangePage`. */
export interface Change {
  /** A ULID. All deliveries of the same change have the same id. */
  readonly id: string;
  /** When it happened. */
  readonly at: string;
  /** What happened. New actions may be added. */
  readonly action:
    | 'user.created'
    | 'user.updated'
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
    | 'webhook.deleted'
    | 'connection.created'
    | 'connection.updated'
    | 'connection.deleted'
    | 'user.invited'
    | 'user.signed.out'
    | 'user.account.deleted';
  /** The application. In the Service API it is always that of the API key. */
  readonly appId?: string;
  /** The connection. */
  readonly connectionId?: string;
  /** The user, by the id that your applications share. */
  readonly userId?: string;
  /** The name of the role in the application. Case-sensitive. */
  readonly role?: string;
  /** The key of the application or connection. Not secret. */
  readonly keyId?: string;
  /** The webhook of the application. */
  readonly webhookId?: string;
  /** The bulk change that the change, or the one that it undid, is part of. Absent if there is none. */
  readonly bulkId?: string;
  /** Who made the change. */
  readonly caller: Caller;
  /** The id of the request, as in its `Apigw-Requestid` or `X-Amzn-RequestId` header and in the log. */
  readonly requestId: string;
  /** The source address of the request. */
  readonly sourceIp: string;
  /** The `id` of the change that this one undid. Absent if it undid none. */
  readonly undoOf?: string;
  /** The state before; `null` if there was none. */
  readonly before: RecordedState | null;
  /** The state after; `null` if there is none. */
  readonly after: RecordedState | null;
  /** The reason that the caller gave. */
  readonly reason: string | null;
  /** The ticket that the caller gave, such as `INC-1234`. Absent if there was none. */
  readonly ticket?: string;
  /** Links the change to the previous one, which reveals altered and removed changes. */
  readonly integrity: ChangeIntegrity;
  /** Whether the operator can undo the change, by its kind and the roles: `possible`, or the code of the refusal. Only the undo itself checks what has changed since. Not part of the record: exports and events do not contain it, and the MAC does not cover it. */
  readonly undo: 'possible' | 'role_required' | 'not_undoable';
}

/** A part of `Change`. */
export type RecordedState = Readonly<Record<string, string | number | boolean | null>>;

/** A part of `Change`, `AccessReview` and 1 more. */
export type Caller =
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
      /** How the operator was authenticated: `iam` at the function URL, `token` at the HTTP API. */
      readonly via: 'iam' | 'token';
      /** The issuer of the operator's token. */
      readonly issuer?: string;
      /** The IAM ARN, or the token's `sub`, which only its issuer vouches for. */
      readonly id: string;
      /** The e-mail address of the operator's token, if it has one. */
      readonly email?: string;
      /** The operator's role, in the application of the change if it has one. */
      readonly role: 'viewer' | 'support' | 'admin';
    }
  | {
      /** An application with its API key, an operator, a connection, such as a directory, or the service itself. */
      readonly kind: 'connection';
      /** The connection. */
      readonly connectionId: string;
      /** The API key. Not secret. */
      readonly keyId: string;
    }
  | {
      /** An application with its API key, an operator, a connection, such as a directory, or the service itself. */
      readonly kind: 'service';
    };

/** A part of `Change`. */
export interface ChangeIntegrity {
  /** The version of the root from which the key of the MAC is derived. */
  readonly root: string;
  /** The `mac` of the previous change of the same user, access, role, application or connection; `null` for the first. */
  readonly previous: string | null;
  /** The salt of the digest of the personal data. It is removed together with that data. */
  readonly salt?: string;
  /** In a redacted change: the digest of the personal data, in place of that data and the salt. */
  readonly personal?: string;
  /** The MAC of all other members of the change. Only the service can compute it. */
  readonly mac: string;
}

/** The answer of `list-application-changes`. */
export interface ChangePage {
  /** The items of this page. */
  readonly items: readonly Change[];
  /** Leads to the next page, as `?cursor=` backward and `?after=` forward. Forward it is `null` only if there is no change yet. */
  readonly cursor: string | null;
}

/** The answer of `list-user-changes` and `list-all-changes`. */
export interface UserChangePage extends ChangePage {
  /** The applications to which the operator's roles are limited: the list leaves out all others. Absent without a limit. */
  readonly limitedTo?: readonly string[];
}

/** A part of `ChangeVerdicts`. */
export interface ChangeVerdict {
  /** The id of the change, as in the request. */
  readonly id: string;
  /** `unchanged`: as the service wrote it. `changed`: altered. `without-mac`: cannot be verified, because it has no `integrity`. `unknown-root`: the service does not have the root of its key, or no longer has it. */
  readonly verdict: 'unchanged' | 'changed' | 'without-mac' | 'unknown-root';
}

/** The answer of `verify-changes`. */
export interface ChangeVerdicts {
  /** One verdict per change, in the order of the request. */
  readonly items: readonly ChangeVerdict[];
}

/** The answer of `create-application` and `get-application`. */
export interface Application {
  /** The application. In the Service API it is always that of the API key. */
  readonly appId: string;
  /** The name of the application for people. */
  readonly name: string;
  /** The percentage of users without an explicit status who are enabled, with at most two decimals; 100 for all of them. */
  readonly rolloutPercent: number;
  /** The requests per second that the application may send to the Service API, over all routes and keys; above it, some are refused with 429. `null` for no limit. */
  readonly requestsPerSecond: number | null;
  /** Whose changes of access and roles in the application require a reason: `operators`, or `all`, which includes the application itself. `null` for nobody, unless the deployment requires it. */
  readonly requireReason: 'operators' | 'all' | null;
  /** How many days after a review of its access the next one is due; the first, after the creation of the application. `null` if no reviews are expected. */
  readonly reviewEveryDays: number | null;
  /** When its access was last marked as reviewed; `null` if it never was. */
  readonly reviewedAt: string | null;
  /** When the next review of its access is due; `null` if no reviews are expected. */
  readonly reviewDueAt: string | null;
  /** Counts the changes; also the `ETag` and the value for `If-Match`. An access that was never changed has version 0. */
  readonly version: number;
  /** When it was created. */
  readonly createdAt: string;
  /** When it last changed. */
  readonly updatedAt: string;
}

/** The answer of `update-application` and `undo-application-change`. */
export interface ChangedApplication extends Application {
  /** Whether the request changed anything. `false` if it was already in this state. */
  readonly changed: boolean;
  /** The `id` of the change that the request made; `null` if nothing changed. */
  readonly changeId: string | null;
}

/** The answer of `list-applications`. */
export interface ApplicationPage {
  /** The items of this page. */
  readonly items: readonly Application[];
  /** Leads to the next page, as `?cursor=`. `null` on the last page. */
  readonly cursor: string | null;
  /** The applications to which the operator's roles are limited: the list leaves out all others. Absent without a limit. */
  readonly limitedTo?: readonly string[];
}

/** A part of `ApiKeyPage`. */
export interface ApiKey {
  /** The API key. Not secret. */
  readonly keyId: string;
  /** The name of the key for people; `null` if it has none. */
  readonly label: string | null;
  /** When it was created. */
  readonly createdAt: string;
  /** Who issued or rotated it; `null` if no operator did. */
  readonly issuedBy: ApiKeyIssuedBy | null;
  /** When the key expires; `null` for never. */
  readonly expiresAt: string | null;
  /** When the key was revoked; `null` if it was not. */
  readonly revokedAt: string | null;
  /** The day on which it was last used; `null` if it never was. */
  readonly lastUsedOn: string | null;
  /** The key that a rotation replaced with this one; `null` if it was not issued by a rotation. */
  readonly replaces: string | null;
  /** The key that replaced this one in its latest rotation; `null` if it was not rotated. */
  readonly replacedBy: string | null;
  /** The scopes of the key. */
  readonly scopes: readonly ('access:read' | 'access:write' | 'roles:write' | 'webhooks:write')[];
}

/** The answer of `revoke-key`. */
export interface ChangedApiKey extends ApiKey {
  /** Whether the request changed anything. `false` if it was already in this state. */
  readonly changed: boolean;
}

/** The answer of `issue-key` and `rotate-key`. */
export interface IssuedApiKey extends ApiKey {
  /** The secret that signs requests. No later answer contains it. */
  readonly secret: string;
}

/** The answer of `list-keys`. */
export interface ApiKeyPage {
  /** The items of this page. */
  readonly items: readonly ApiKey[];
  /** Leads to the next page, as `?cursor=`. `null` on the last page. */
  readonly cursor: string | null;
}

/** The answer of `get-role`. */
export interface Role {
  /** The application. In the Service API it is always that of the API key. */
  readonly appId: string;
  /** The name of the role in the application. Case-sensitive. */
  readonly role: string;
  /** What the role allows; `null` if not described. */
  readonly description: string | null;
  /** Counts the changes; also the `ETag` and the value for `If-Match`. An access that was never changed has version 0. */
  readonly version: number;
  /** When it was created. */
  readonly createdAt: string;
  /** When it last changed. */
  readonly updatedAt: string;
}

/** The answer of `define-role`. */
export interface ChangedRole extends Role {
  /** Whether the request changed anything. `false` if it was already in this state. */
  readonly changed: boolean;
}

/** The answer of `list-roles`. */
export interface RolePage {
  /** The items of this page. */
  readonly items: readonly Role[];
  /** Leads to the next page, as `?cursor=`. `null` on the last page. */
  readonly cursor: string | null;
}

/** A part of `MemberPage`. */
export interface Member {
  /** The user, by the id that your applications share. */
  readonly userId: string;
  /** The name of the user for people; `null` if it has none. */
  readonly displayName: string | null;
  /** The e-mail address of the user; `null` if it has none. */
  readonly email: string | null;
  /** When the grant expires; `null` for never. */
  readonly expiresAt: string | null;
}

/** The answer of `list-members`. */
export interface MemberPage {
  /** The items of this page. */
  readonly items: readonly Member[];
  /** Leads to the next page, as `?cursor=`. `null` on the last page. */
  readonly cursor: string | null;
}

/** The answer of `list-application-users`. */
export interface AccessPage {
  /** The items of this page. */
  readonly items: readonly {
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
    readonly roles: readonly ChangedAccessRole[];
    /** Counts the changes; also the `ETag` and the value for `If-Match`. An access that was never changed has version 0. */
    readonly version: number;
    /** When it last changed; `null` if it never did. */
    readonly updatedAt: string | null;
    /** The name of the user for people; `null` if it has none. */
    readonly displayName: string | null;
    /** The e-mail address of the user; `null` if it has none. */
    readonly email: string | null;
    /** Who set the status in the application; `null` if it was never set. */
    readonly statusSetBy: AccessStatusSetBy | null;
    /** Who made the user inactive; `null` for an active user. */
    readonly userStatusSetBy: AccessStatusSetBy | null;
  }[];
  /** Leads to the next page, as `?cursor=`. `null` on the last page. */
  readonly cursor: string | null;
}

/** A part of `BulkOutcomes`. */
export interface BulkOutcome {
  /** The user, by the id that your applications share. */
  readonly userId: string;
  /** The outcome for this user. */
  readonly outcome: 'changed' | 'unchanged' | 'failed';
  /** Why it failed; only if it failed. */
  readonly problem?: BulkOutcomeProblem;
}

/** The answer of `assign-role-in-bulk`, `revoke-role-in-bulk` and 2 more. */
export interface BulkOutcomes {
  /** The outcomes, in the order of the users. */
  readonly items: readonly BulkOutcome[];
}

/** The answer of `get-user`. */
export interface User extends CreateUserAnswer {
  /** Who set the global status; `null` if it was never set. */
  readonly statusSetBy: AccessStatusSetBy | null;
  /** The connection of the directory that owns the user, even after that directory deleted the user: no other directory can have the user. `null` if none does. */
  readonly directory: string | null;
}

/** The answer of `update-user` and `set-user-status`. */
export interface ChangedUser extends CreateUserAnswer {
  /** Whether the request changed anything. `false` if it was already in this state. */
  readonly changed: boolean;
  /** The `id` of the change that the request made; `null` if nothing changed. */
  readonly changeId: string | null;
}

/** The answer of `list-users`. */
export interface UserPage {
  /** The items of this page. */
  readonly items: readonly {
    /** The user, by the id that your applications share. */
    readonly userId: string;
    /** The global status: an inactive user has no access to any application, whatever else is set. */
    readonly status: 'active' | 'inactive';
    /** The name of the user for people; `null` if it has none. */
    readonly displayName: string | null;
    /** The e-mail address of the user; `null` if it has none. */
    readonly email: string | null;
    /** Counts the changes; also the `ETag` and the value for `If-Match`. An access that was never changed has version 0. */
    readonly version: number;
    /** When it was created. */
    readonly createdAt: string;
    /** When it last changed. */
    readonly updatedAt: string;
    /** With `hasRole=true`: the roles that the user holds now, by application. With roles that are limited to applications, an operator sees those in them. */
    readonly roles?: readonly {
      /** The application. In the Service API it is always that of the API key. */
      readonly appId: string;
      /** The role. */
      readonly name: string;
      /** When it expires; `null` for never. */
      readonly expiresAt: string | null;
    }[];
  }[];
  /** Leads to the next page, as `?cursor=`. `null` on the last page. */
  readonly cursor: string | null;
}

/** A part of `UserAccessPage`. */
export interface UserAccess {
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
  readonly roles: readonly ChangedAccessRole[];
  /** Counts the changes; also the `ETag` and the value for `If-Match`. An access that was never changed has version 0. */
  readonly version: number;
  /** When it last changed; `null` if it never did. */
  readonly updatedAt: string | null;
  /** The name of the application for people. */
  readonly appName: string;
  /** The percentage of users without an explicit status who have access. */
  readonly rolloutPercent: number;
  /** Whose changes in the application require a reason, by its own setting. */
  readonly requireReason: 'operators' | 'all' | null;
  /** Who set the status in the application; `null` if it was never set. */
  readonly statusSetBy: AccessStatusSetBy | null;
}

/** The answer of `list-user-access`. */
export interface UserAccessPage {
  /** The items of this page. */
  readonly items: readonly UserAccess[];
  /** Leads to the next page, as `?cursor=`. `null` on the last page. */
  readonly cursor: string | null;
  /** The applications to which the operator's roles are limited: the list leaves out all others. Absent without a limit. */
  readonly limitedTo?: readonly string[];
}

/** The answer of `get-operator`. */
export interface Operator {
  /** The IAM ARN, or the token's `sub`, which only its issuer vouches for. */
  readonly id: string;
  /** How the operator was authenticated: `iam` at the function URL, `token` at the HTTP API. */
  readonly via: 'iam' | 'token';
  /** The e-mail address of the operator's token; `null` if it has none. */
  readonly email: string | null;
  /** Everything that the operator may do: the roles add up, and each includes the lesser ones. */
  readonly roles: readonly {
    /** The role of the operator: `viewer`, `support` or `admin`. */
    readonly role: 'viewer' | 'support' | 'admin';
    /** The only application in which it applies; `null` for all. */
    readonly appId: string | null;
  }[];
  /** Whether the deployment requires a reason for each change of a status, an access or a role; an application may require it too. */
  readonly reasonRequired: boolean;
}

/** The answer of `delete-application`, `delete-role` and 5 more. */
export interface Deletion {
  /** Whether the request changed anything. `false` if it was already in this state. */
  readonly changed: boolean;
  /** `false` if time ran out: repeat the request to continue. */
  readonly complete: boolean;
}

/** A part of `AccessReview`. */
export interface ReviewedUser {
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
  /** Counts the changes; also the `ETag` and the value for `If-Match`. An access that was never changed has version 0. */
  readonly version: number;
  /** When it last changed; `null` if it never did. */
  readonly updatedAt: string | null;
  /** The name of the user for people; `null` if it has none. */
  readonly displayName: string | null;
  /** The e-mail address of the user; `null` if it has none. */
  readonly email: string | null;
  /** The roles that the user holds now, ordered by name. Expired grants are not listed. */
  readonly roles: readonly {
    /** The role. */
    readonly name: string;
    /** When the grant expires; `null` for never. */
    readonly expiresAt: string | null;
    /** When the role was last assigned; another expiry counts as assigning it again. */
    readonly grantedAt: string;
    /** Who assigned it; `null` for a grant that was made before this was recorded. */
    readonly grantedBy: AccessStatusSetBy | null;
  }[];
  /** Who set the status in the application; `null` if it was never set. */
  readonly statusSetBy: AccessStatusSetBy | null;
  /** Who made the user inactive; `null` for an active user. */
  readonly userStatusSetBy: AccessStatusSetBy | null;
  /** The last change of the access in the application, whatever it changed. */
  readonly lastChange: AccessStatusSetBy | null;
}

/** The answer of `list-access-review`. */
export interface AccessReview {
  /** The items of this page. */
  readonly items: readonly ReviewedUser[];
  /** Leads to the next page, as `?cursor=`. `null` on the last page. */
  readonly cursor: string | null;
  /** When the page was read. */
  readonly asOf: string;
  /** The last review of the application; `null` if there was none. */
  readonly lastReview: {
    /** The `id` of the change that set it. */
    readonly changeId: string;
    /** When it happened. */
    readonly at: string;
    /** Who set it; `null` after the retention of the history. */
    readonly caller: Caller | null;
    /** The reason that the caller gave. */
    readonly reason: string | null;
    /** The ticket that the caller gave; `null` if there was none. */
    readonly ticket: string | null;
    /** The bulk that the change is part of, such as an offboarding; `null` if it is part of none. */
    readonly bulkId: string | null;
    /** When the list was read that was reviewed. */
    readonly asOf: string;
    /** How many changes of access and roles came after the list was read and before it was marked as reviewed; at most 10,000 are counted. */
    readonly laterChanges: number;
  } | null;
}

/** The answer of `review-application`. */
export interface ReviewedApplication extends Application {
  /** How many changes of access and roles came after the list was read and before it was marked as reviewed; at most 10,000 are counted. */
  readonly laterChanges: number;
}

/** The body of `set-user-access`. */
export interface SetAccessBody extends UndoApplicationChangeBody {
  /** The new status. */
  readonly status: 'enabled' | 'disabled';
  /** When the block expires; allowed only with status `disabled`. `null` for never. */
  readonly until?: string | null | undefined;
}

/** The body of `rotate-webhook-secret`. */
export interface RotateOwnWebhookSecretBody {
  /** How long the old secret signs too, from `PT0S` to 30 days, in days, hours, minutes and seconds. */
  readonly overlap: string;
}

/** The body of `create-application`. */
export interface CreateApplicationBody {
  /** The application. In the Service API it is always that of the API key. */
  readonly appId: string;
  /** The name of the application for people. */
  readonly name: string;
  /** The percentage of users without an explicit status who are enabled, with at most two decimals; 100 for all of them. Default: `100`. */
  readonly rolloutPercent?: number | undefined;
  /** Whose changes of access and roles in the application require a reason: `operators`, or `all`, which includes the application itself. `null` for nobody, unless the deployment requires it. */
  readonly requireReason?: 'operators' | 'all' | null | undefined;
  /** How many days after a review of its access the next one is due; the first, after the creation of the application. `null` if no reviews are expected. */
  readonly reviewEveryDays?: number | null | undefined;
}

/** The body of `update-application`. */
export interface UpdateApplicationBody extends UndoApplicationChangeBody {
  /** The name of the application for people. */
  readonly name?: string | undefined;
  /** The percentage of users without an explicit status who are enabled, with at most two decimals; 100 for all of them. */
  readonly rolloutPercent?: number | undefined;
  /** The requests per second that the application may send to the Service API, over all routes and keys; above it, some are refused with 429. `null` for no limit. */
  readonly requestsPerSecond?: number | null | undefined;
  /** Whose changes of access and roles in the application require a reason: `operators`, or `all`, which includes the application itself. `null` for nobody, unless the deployment requires it. */
  readonly requireReason?: 'operators' | 'all' | null | undefined;
  /** How many days after a review of its access the next one is due; the first, after the creation of the application. `null` if no reviews are expected. */
  readonly reviewEveryDays?: number | null | undefined;
}

/** The body of `undo-application-change`, `revoke-user-role` and 1 more. */
export interface UndoApplicationChangeBody {
  /** Why. It is kept in the history, and operators and the application can show it. */
  readonly reason?: string | null | undefined;
  /** The ticket behind the change, such as `INC-1234`. It is kept in the history, beside the reason. */
  readonly ticket?: string | null | undefined;
}

/** The body of `issue-key`. */
export interface IssueKeyBody {
  /** The scopes of the key. Default: `access:read`. Default: `access:read`. */
  readonly scopes?: readonly ('access:read' | 'access:write' | 'roles:write' | 'webhooks:write')[] | undefined;
  /** When the key expires; `null` for never. Default: in 90 days. */
  readonly expiresAt?: string | null | undefined;
  /** The name of the key for people; `null` if it has none. */
  readonly label?: string | null | undefined;
}

/** The body of `update-key` and `update-connection-key`. */
export interface UpdateKeyBody {
  /** The name of the key for people; `null` removes it. */
  readonly label: string | null;
}

/** The body of `rotate-key` and `rotate-connection-key`. */
export interface RotateKeyBody {
  /** How long the old key stays valid, from `PT0S` to 30 days, in days, hours, minutes and seconds. */
  readonly overlap: string;
  /** When the new key expires; `null` for never. By default it gets the lifetime with which the old key was issued. */
  readonly expiresAt?: string | null | undefined;
  /** A root version from which the new key must not be derived, such as one that leaked. Refused while it is still the newest. */
  readonly avoidRoot?: string | undefined;
}

/** The body of `define-role`. */
export interface DefineRoleBody {
  /** What the role allows; `null` if not described. */
  readonly description?: string | null | undefined;
}

/** The body of `assign-role-in-bulk`. */
export interface AssignRoleInBulkBody extends RevokeRoleInBulkBody {
  /** When the grants expire; `null` for never. */
  readonly expiresAt?: string | null | undefined;
}

/** The body of `revoke-role-in-bulk`. */
export interface RevokeRoleInBulkBody extends UndoBulkBody {
  /** The users, each once. */
  readonly userIds: readonly string[];
  /** A ULID that you generate, the same in all requests of one bulk: each of its changes stores it, so that they can be undone together. Its time must be at most a day ago. */
  readonly bulkId?: string | undefined;
}

/** The body of `resolve-users`. */
export interface ResolveUsersBody {
  /** User ids or e-mail addresses. */
  readonly names: readonly string[];
}

/** The body of `create-user`. */
export interface CreateUserBody {
  /** The name of the user for people; `null` if it has none. */
  readonly displayName?: string | null | undefined;
  /** The e-mail address of the user; `null` if it has none. */
  readonly email?: string | null | undefined;
}

/** The body of `update-user`. */
export interface UpdateUserBody {
  /** The name of the user for people; `null` if it has none. */
  readonly displayName?: string | null | undefined;
  /** The e-mail address of the user; `null` if it has none. */
  readonly email?: string | null | undefined;
}

/** The body of `set-user-status`. */
export interface SetUserStatusBody extends UndoApplicationChangeBody {
  /** The new global status: an inactive user has no access to any application, whatever else is set. */
  readonly status: 'active' | 'inactive';
}

/** The body of `set-user-status-in-bulk`. */
export interface SetUserStatusInBulkBody extends RevokeRoleInBulkBody {
  /** The new global status: an inactive user has no access to any application, whatever else is set. */
  readonly status: 'active' | 'inactive';
}

/** The body of `set-access-in-bulk`. */
export interface SetAccessInBulkBody extends RevokeRoleInBulkBody {
  /** The new status. */
  readonly status: 'enabled' | 'disabled';
  /** When the block expires; allowed only with status `disabled`. `null` for never. */
  readonly until?: string | null | undefined;
}

/** The body of `assign-user-role`. */
export interface AssignUserRoleBody extends UndoApplicationChangeBody {
  /** When the grant expires; `null` for never. */
  readonly expiresAt?: string | null | undefined;
}

/** The body of `verify-changes`. */
export interface VerifyChangesBody {
  /** The changes, with all of their members, in any order. */
  readonly changes: readonly {
    /** A ULID. All deliveries of the same change have the same id. */
    readonly id: string;
    /** Required to verify the change. The feed of an application does not contain it. */
    readonly integrity?:
      | {
          /** The version of the root from which the key of the MAC is derived. */
          readonly root: string;
          /** The `mac` of the previous change of the same user, access, role, application or connection; `null` for the first. */
          readonly previous: string | null;
          /** The salt of the digest of the personal data. It is removed together with that data. */
          readonly salt?: string | undefined;
          /** In a redacted change: the digest of the personal data, in place of that data and the salt. */
          readonly personal?: string | undefined;
          /** The MAC of all other members of the change. Only the service can compute it. */
          readonly mac: string;
        }
      | undefined;
  }[];
}

/** The body of `import-users`. */
export interface ImportUsersBody extends UndoBulkBody {
  /** The users, each once. */
  readonly users: readonly {
    /** The user, by the id that your applications share. */
    readonly userId: string;
    /** The name of the user for people; `null` if it has none. */
    readonly displayName?: string | null | undefined;
    /** The e-mail address of the user; `null` if it has none. */
    readonly email?: string | null | undefined;
    /** The global status; that of a new user is `active` unless given. */
    readonly status?: 'active' | 'inactive' | undefined;
    /** The access status in applications, each once. Default: . */
    readonly accesses?:
      | readonly {
          /** The application. In the Service API it is always that of the API key. */
          readonly appId: string;
          /** The status of the user in the application. */
          readonly status: 'enabled' | 'disabled';
          /** When the block ends; `null` for never. If left out, a block in force keeps its end. */
          readonly until?: string | null | undefined;
        }[]
      | undefined;
    /** The roles in applications, each once. Default: . */
    readonly roles?:
      | readonly {
          /** The application. In the Service API it is always that of the API key. */
          readonly appId: string;
          /** The name of the role in the application. Case-sensitive. */
          readonly role: string;
          /** Whether to assign or revoke the role. Default: `assigned`. */
          readonly status?: 'assigned' | 'revoked' | undefined;
          /** When the grant expires; `null` for never. If left out, a role that is held keeps its expiry. */
          readonly expiresAt?: string | null | undefined;
        }[]
      | undefined;
  }[];
  /** Whether to create the users that do not exist; otherwise they fail. Default: `true`. */
  readonly create?: boolean | undefined;
  /** Whether users who are inactive may be activated; otherwise they fail. Default: `false`. */
  readonly reactivate?: boolean | undefined;
  /** Whether users who are disabled in an application may be enabled there; otherwise they fail. Default: `false`. */
  readonly unblock?: boolean | undefined;
  /** A ULID that you generate, the same in all requests of one bulk: each of its changes stores it, so that they can be undone together. Its time must be at most a day ago. */
  readonly bulkId?: string | undefined;
}

/** The body of `undo-bulk` and `undo-status-bulk`. */
export interface UndoBulkBody extends UndoApplicationChangeBody {
  /** Whether to return what would change without writing anything. Default: `false`. */
  readonly dryRun?: boolean | undefined;
}

/** The body of `create-connection`. */
export interface CreateConnectionBody {
  /** The connection. */
  readonly connectionId: string;
  /** What the connection is for: `evaluate` asks whether users may enter applications and hold roles; `scim` is a directory that creates users, changes them and assigns roles to its groups. */
  readonly kind: 'evaluate' | 'scim';
  /** The name of the connection for people. */
  readonly name: string;
  /** The issuer of the users' JWTs, which `/access/v1/authorize` verifies with the issuer's published keys; the user is their `sub`. `null` if users are identified otherwise. */
  readonly issuer?: string | null | undefined;
  /** The audience that those JWTs must name. Required with `issuer`. */
  readonly audience?: string | null | undefined;
  /** Whether the proxy that calls `/access/v1/authorize` sets `X-Original-User` in every request, so that the header identifies the user. If it does not, callers can claim to be any user. Default: `false`. */
  readonly trustsUserHeader?: boolean | undefined;
  /** The applications of the clients of an identity provider that calls `/hooks`, such as `0oa1=wiki 0oa2=billing`. Any other client has the application of its own id, if the connection names it. */
  readonly clients?: string | null | undefined;
  /** The claim that contains the user's id, in what an identity provider sends to `/hooks`. `null` for its own id of the user. */
  readonly userIdClaim?: string | null | undefined;
  /** For a directory: the attribute of its users that becomes the `userId`, which every application knows them by. It never changes. Choose one that the directory never reassigns. `null` for other kinds. */
  readonly userIdAttribute?: 'userName' | 'externalId' | 'email' | null | undefined;
  /** For a directory: `matching` if a user that it sends may be an existing one with this `userId` whom no other connection owns; with `none`, the default, that is a conflict. `null` for other kinds. */
  readonly takeover?: 'none' | 'matching' | null | undefined;
  /** The applications that it may ask about, or whose roles it may assign. Only a directory may have none. */
  readonly applications: readonly string[];
  /** For a directory: which groups assign which roles, in applications of the connection. Empty for other kinds. Default: . */
  readonly groupRoles?:
    | readonly {
        /** The `displayName` of the group in the directory, exactly. */
        readonly group: string;
        /** The application. In the Service API it is always that of the API key. */
        readonly appId: string;
        /** The name of the role in the application. Case-sensitive. */
        readonly role: string;
      }[]
    | undefined;
}

/** The body of `update-connection`. */
export interface UpdateConnectionBody {
  /** The name of the connection for people. */
  readonly name?: string | undefined;
  /** The issuer of the users' JWTs, which `/access/v1/authorize` verifies with the issuer's published keys; the user is their `sub`. `null` if users are identified otherwise. */
  readonly issuer?: string | null | undefined;
  /** The audience that those JWTs must name. Required with `issuer`. */
  readonly audience?: string | null | undefined;
  /** Whether the proxy that calls `/access/v1/authorize` sets `X-Original-User` in every request, so that the header identifies the user. If it does not, callers can claim to be any user. */
  readonly trustsUserHeader?: boolean | undefined;
  /** The applications of the clients of an identity provider that calls `/hooks`, such as `0oa1=wiki 0oa2=billing`. Any other client has the application of its own id, if the connection names it. */
  readonly clients?: string | null | undefined;
  /** The claim that contains the user's id, in what an identity provider sends to `/hooks`. `null` for its own id of the user. */
  readonly userIdClaim?: string | null | undefined;
  /** For a directory: `matching` if a user that it sends may be an existing one with this `userId` whom no other connection owns; with `none`, the default, that is a conflict. `null` for other kinds. */
  readonly takeover?: 'none' | 'matching' | null | undefined;
  /** The applications that it may ask about, or whose roles it may assign. Only a directory may have none. */
  readonly applications?: readonly string[] | undefined;
  /** For a directory: which groups assign which roles, in applications of the connection. Empty for other kinds. */
  readonly groupRoles?:
    | readonly {
        /** The `displayName` of the group in the directory, exactly. */
        readonly group: string;
        /** The application. In the Service API it is always that of the API key. */
        readonly appId: string;
        /** The name of the role in the application. Case-sensitive. */
        readonly role: string;
      }[]
    | undefined;
}

/** The body of `issue-connection-key`. */
export interface IssueConnectionKeyBody {
  /** The scopes of the key: `access:read` for whether users may enter, `roles:read` for their roles; of a directory `users:write` for users, `roles:write` for groups that assign roles. Default: all that its kind can have. */
  readonly scopes?: readonly ('access:read' | 'roles:read' | 'users:write' | 'roles:write')[] | undefined;
  /** When the key expires; `null` for never. Default: in 90 days. */
  readonly expiresAt?: string | null | undefined;
  /** The name of the key for people; `null` if it has none. */
  readonly label?: string | null | undefined;
}

/** The body of `set-login`. */
export interface SetLoginBody {
  /** `public`, the default, or `confidential`. Default: `public`. */
  readonly clientType?: 'public' | 'confidential' | undefined;
  /** From one to 20 addresses: `https`, `http` of localhost, or of a scheme with a dot in it. */
  readonly redirectUris: readonly string[];
  /** Up to 20 addresses. Default: none. Default: . */
  readonly logoutUris?: readonly string[] | undefined;
}

/** The body of `review-application`. */
export interface ReviewApplicationBody extends UndoApplicationChangeBody {
  /** When the list was read that was reviewed: `asOf` of its first page. */
  readonly asOf: string;
}

/** The body of `create-webhook`. */
export interface CreateWebhookBody {
  /** The webhook. */
  readonly webhookId: string;
  /** Where the events are posted: https, port 443 or above 1023, a public host, no credentials, no redirects. */
  readonly url: string;
  /** The format of the deliveries: `standard` for Standard Webhooks, `set` for Security Event Tokens. The deployment must have it. Default: `standard`. */
  readonly format?: 'standard' | 'set' | undefined;
  /** Whether events are delivered. While it is `false`, they wait for as long as the feed is kept. Default: `true`. */
  readonly enabled?: boolean | undefined;
  /** The kinds of changes to deliver, as in the feed; `null` for all. */
  readonly events?:
    | readonly (
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
        | 'webhook.deleted'
      )[]
    | null
    | undefined;
}

/** The body of `update-webhook`. */
export interface UpdateWebhookBody {
  /** Where the events are posted: https, port 443 or above 1023, a public host, no credentials, no redirects. */
  readonly url?: string | undefined;
  /** The format of the deliveries: `standard` for Standard Webhooks, `set` for Security Event Tokens. The deployment must have it. */
  readonly format?: 'standard' | 'set' | undefined;
  /** Whether events are delivered. While it is `false`, they wait for as long as the feed is kept. */
  readonly enabled?: boolean | undefined;
  /** The kinds of changes to deliver, as in the feed; `null` for all. */
  readonly events?:
    | readonly (
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
        | 'webhook.deleted'
      )[]
    | null
    | undefined;
}

/** The body of `resend-webhook`. */
export interface ResendWebhookBody {
  /** The `id` of a change in the feed. Cannot be combined with `since`. */
  readonly changeId?: string | undefined;
  /** The time from which all changes are sent again, while the feed has them. */
  readonly since?: string | undefined;
}

/** The answer of `list-all-keys`. */
export interface ListAllKeysAnswer {
  /** The items of this page. */
  readonly items: readonly {
    /** The API key. Not secret. */
    readonly keyId: string;
    /** The name of the key for people; `null` if it has none. */
    readonly label: string | null;
    /** When it was created. */
    readonly createdAt: string;
    /** Who issued or rotated it; `null` if no operator did. */
    readonly issuedBy: ApiKeyIssuedBy | null;
    /** When the key expires; `null` for never. */
    readonly expiresAt: string | null;
    /** When the key was revoked; `null` if it was not. */
    readonly revokedAt: string | null;
    /** The day on which it was last used; `null` if it never was. */
    readonly lastUsedOn: string | null;
    /** The key that a rotation replaced with this one; `null` if it was not issued by a rotation. */
    readonly replaces: string | null;
    /** The key that replaced this one in its latest rotation; `null` if it was not rotated. */
    readonly replacedBy: string | null;
    /** The scopes of the key. */
    readonly scopes: readonly ('access:read' | 'access:write' | 'roles:write' | 'webhooks:write')[];
    /** The application. In the Service API it is always that of the API key. */
    readonly appId: string;
    /** The name of the application for people. */
    readonly applicationName: string;
  }[];
  /** Leads to the next page, as `?cursor=`. `null` on the last page. */
  readonly cursor: string | null;
  /** The applications to which the operator's roles are limited: the list leaves out all others. Absent without a limit. */
  readonly limitedTo?: readonly string[];
}

/** The answer of `update-key`. */
export interface UpdateKeyAnswer extends ApiKey {
  /** Whether the request changed anything. `false` if it was already in this state. */
  readonly changed: boolean;
}

/** The answer of `resolve-users`. */
export interface ResolveUsersAnswer {
  /** One for each name, in the same order. */
  readonly items: readonly {
    /** As requested. */
    readonly name: string;
    /** The matching users: none, one, or up to 10 with this e-mail address. */
    readonly users: readonly {
      /** The user, by the id that your applications share. */
      readonly userId: string;
      /** The name of the user for people; `null` if it has none. */
      readonly displayName: string | null;
      /** The e-mail address of the user; `null` if it has none. */
      readonly email: string | null;
      /** The global status: an inactive user has no access to any application, whatever else is set. */
      readonly status: 'active' | 'inactive';
    }[];
  }[];
}

/** The answer of `create-user`. */
export interface CreateUserAnswer {
  /** The user, by the id that your applications share. */
  readonly userId: string;
  /** The global status: an inactive user has no access to any application, whatever else is set. */
  readonly status: 'active' | 'inactive';
  /** The name of the user for people; `null` if it has none. */
  readonly displayName: string | null;
  /** The e-mail address of the user; `null` if it has none. */
  readonly email: string | null;
  /** Counts the changes; also the `ETag` and the value for `If-Match`. An access that was never changed has version 0. */
  readonly version: number;
  /** When it was created. */
  readonly createdAt: string;
  /** When it last changed. */
  readonly updatedAt: string;
}

/** The answer of `undo-change`. */
export interface UndoChangeAnswer {
  /** The user, by the id that your applications share. */
  readonly userId: string;
  /** The application. Absent for a change of the user itself. */
  readonly appId?: string;
  /** Whether the request changed anything. `false` if it was already in this state. */
  readonly changed: boolean;
  /** The `id` of the change that the request made; `null` if nothing changed. */
  readonly changeId: string | null;
  /** Counts the changes; also the `ETag` and the value for `If-Match`. An access that was never changed has version 0. */
  readonly version: number;
}

/** The answer of `import-users`. */
export interface ImportUsersAnswer {
  /** The outcomes, in the order of the users. */
  readonly items: readonly {
    /** The user, by the id that your applications share. */
    readonly userId: string;
    /** The outcome for this user. */
    readonly outcome: 'changed' | 'unchanged' | 'failed';
    /** What changed or, with `dryRun`, would change. */
    readonly changes: readonly {
      /** The effect on the user. */
      readonly effect:
        | 'created'
        | 'updated'
        | 'deactivated'
        | 'reactivated'
        | 'blocked'
        | 'unblocked'
        | 'allowed'
        | 'assigned'
        | 'revoked';
      /** The application. In the Service API it is always that of the API key. */
      readonly appId?: string;
      /** The name of the role in the application. Case-sensitive. */
      readonly role?: string;
    }[];
    /** Why it failed; only if it failed. */
    readonly problems: readonly {
      /** The code, for programs. New codes may be added. */
      readonly code: string;
      /** The error in this request, and how to correct it. */
      readonly detail: string;
      /** The application. In the Service API it is always that of the API key. */
      readonly appId?: string;
      /** The name of the role in the application. Case-sensitive. */
      readonly role?: string;
    }[];
  }[];
}

/** The answer of `undo-bulk` and `undo-status-bulk`. */
export interface UndoBulkAnswer {
  /** The items of this page. */
  readonly items: readonly {
    /** The user, by the id that your applications share. */
    readonly userId: string;
    /** The outcome for this user. */
    readonly outcome: 'changed' | 'unchanged' | 'failed';
    /** Why it failed; only if it failed. */
    readonly problem?: BulkOutcomeProblem;
    /** The `id` of the change of the bulk. */
    readonly changeId: string;
  }[];
  /** Leads to the next page, as `?cursor=`. `null` on the last page. */
  readonly cursor: string | null;
}

/** The answer of `create-connection` and `get-connection`. */
export interface Connection {
  /** The connection. */
  readonly connectionId: string;
  /** What the connection is for: `evaluate` asks whether users may enter applications and hold roles; `scim` is a directory that creates users, changes them and assigns roles to its groups. */
  readonly kind: 'evaluate' | 'scim';
  /** The name of the connection for people. */
  readonly name: string;
  /** The issuer of the users' JWTs, which `/access/v1/authorize` verifies with the issuer's published keys; the user is their `sub`. `null` if users are identified otherwise. */
  readonly issuer: string | null;
  /** The audience that those JWTs must name. Required with `issuer`. */
  readonly audience: string | null;
  /** Whether the proxy that calls `/access/v1/authorize` sets `X-Original-User` in every request, so that the header identifies the user. If it does not, callers can claim to be any user. */
  readonly trustsUserHeader: boolean;
  /** The applications of the clients of an identity provider that calls `/hooks`, such as `0oa1=wiki 0oa2=billing`. Any other client has the application of its own id, if the connection names it. */
  readonly clients: string | null;
  /** The claim that contains the user's id, in what an identity provider sends to `/hooks`. `null` for its own id of the user. */
  readonly userIdClaim: string | null;
  /** For a directory: the attribute of its users that becomes the `userId`, which every application knows them by. It never changes. Choose one that the directory never reassigns. `null` for other kinds. */
  readonly userIdAttribute: 'userName' | 'externalId' | 'email' | null;
  /** For a directory: `matching` if a user that it sends may be an existing one with this `userId` whom no other connection owns; with `none`, the default, that is a conflict. `null` for other kinds. */
  readonly takeover: 'none' | 'matching' | null;
  /** The applications that it may ask about, or whose roles it may assign. Only a directory may have none. */
  readonly applications: readonly string[];
  /** For a directory: which groups assign which roles, in applications of the connection. Empty for other kinds. */
  readonly groupRoles: readonly ConnectionGroupRole[];
  /** Its keys, newest first. */
  readonly keys: readonly ConnectionKey[];
  /** Counts the changes; also the `ETag` and the value for `If-Match`. An access that was never changed has version 0. */
  readonly version: number;
  /** When it was created. */
  readonly createdAt: string;
  /** When it last changed. */
  readonly updatedAt: string;
}

/** The answer of `list-connections`. */
export interface ListConnectionsAnswer {
  /** The items of this page. */
  readonly items: readonly Connection[];
  /** Leads to the next page, as `?cursor=`. `null` on the last page. */
  readonly cursor: string | null;
}

/** The answer of `update-connection`. */
export interface UpdateConnectionAnswer extends Connection {
  /** Whether the request changed anything. `false` if it was already in this state. */
  readonly changed: boolean;
}

/** The answer of `get-connection-activity`. */
export interface ConnectionActivity {
  /** When the directory last sent a request, to the minute; `null` if it has not within 24 hours. */
  readonly lastRequestAt: string | null;
  /** How many requests it sent in the last 24 hours. */
  readonly requests: number;
  /** How many of them were refused. */
  readonly refused: number;
  /** The latest refused requests, newest first, at most 20. */
  readonly refusals: readonly {
    /** When it happened. */
    readonly at: string;
    /** The method of the request. */
    readonly method: string;
    /** Its path, without the query. */
    readonly path: string;
    /** The status of the answer. */
    readonly status: number;
    /** The `scimType` of the answer (RFC 7644 section 3.12); `null` if it had none. */
    readonly scimType: string | null;
    /** The `detail` of the answer. */
    readonly detail: string;
  }[];
}

/** The answer of `issue-connection-key` and `rotate-connection-key`. */
export interface IssueConnectionKeyAnswer extends ConnectionKey {
  /** The bearer token. No later answer contains it. */
  readonly token: string;
}

/** The answer of `update-connection-key` and `revoke-connection-key`. */
export interface UpdateConnectionKeyAnswer extends ConnectionKey {
  /** Whether the request changed anything. `false` if it was already in this state. */
  readonly changed: boolean;
}

/** The answer of `get-login`. */
export interface Login {
  /** The application. In the Service API it is always that of the API key. */
  readonly appId: string;
  /** Whether the application has a login. */
  readonly enabled: boolean;
  /** `public` for a browser or an installed program, which uses PKCE alone; `confidential` for a backend that also has a secret. */
  readonly clientType: 'public' | 'confidential' | null;
  /** The addresses to which a login may return; compared exactly. */
  readonly redirectUris: readonly string[];
  /** The addresses to which a logout may return; compared exactly. */
  readonly logoutUris: readonly string[];
  /** The client id of the application at the issuer; `null` until the client has been created. */
  readonly clientId: string | null;
  /** The issuer of the login (OpenID Connect Discovery); `null` if this deployment has no login. */
  readonly issuer: string | null;
  /** What the provider said when it refused the last change; `null` if it did not. */
  readonly error: string | null;
}

/** The answer of `set-login`. */
export interface SetLoginAnswer extends Login {
  /** Whether the request changed anything. `false` if it was already in this state. */
  readonly changed: boolean;
}

/** The answer of `add-login-secret`. */
export interface AddLoginSecretAnswer {
  /** The client that the secret belongs to. */
  readonly clientId: string;
  /** The id of the secret. Not secret. */
  readonly secretId: string;
  /** The secret. No later answer contains it, and the service does not store it. */
  readonly secret: string;
}

/** The answer of `get-account`. */
export interface Account {
  /** The user, by the id that your applications share. */
  readonly userId: string;
  /** `none`; `pending` until the provider has the account; `invited` until the person has chosen a password, or logged in at a company's provider; `confirmed`; `disabled` while the user is inactive. */
  readonly state: 'none' | 'pending' | 'invited' | 'confirmed' | 'disabled';
  /** When the user was last invited; `null` if there is no account. */
  readonly invitedAt: string | null;
  /** When all sessions were last ended; `null` if they never were. */
  readonly signedOutAt: string | null;
  /** The second factors that the person has set up, such as `SOFTWARE_TOKEN_MFA`. */
  readonly mfa: readonly string[];
  /** The name of the company's provider at which the person logs in; `null` before the first login there. */
  readonly provider: string | null;
  /** The issuer of the login; `null` if this deployment has no login. */
  readonly issuer: string | null;
  /** What the provider said when it refused the last change, such as that another account has the e-mail address. */
  readonly error: string | null;
}

/** The answer of `invite-user` and `sign-out-user`. */
export interface InviteUserAnswer extends Account {
  /** Whether the request changed anything. `false` if it was already in this state. */
  readonly changed: boolean;
}

/** The answer of `get-overview`. */
export interface Overview {
  /** How many users are active and inactive. */
  readonly users: {
    /** Users whose status is `active`. */
    readonly active: number;
    /** Users whose status is `inactive`. */
    readonly inactive: number;
  };
  /** The ten applications with the most explicitly blocked users, or all, the most first. */
  readonly applications: readonly {
    /** The application. In the Service API it is always that of the API key. */
    readonly appId: string;
    /** Its name. */
    readonly name: string;
    /** Users with an explicit block that is in force, also if they are inactive. */
    readonly blocked: number;
    /** How many of its API keys are active, and how many of them expire within 30 days. */
    readonly keys: {
      /** Those that can be used now. */
      readonly active: number;
      /** Those of them that expire within 30 days, without those that a rotation replaced. */
      readonly expiring: number;
    };
  }[];
  /** The ten applications with the lowest rollouts below 100%, the lowest first. */
  readonly rollouts: readonly {
    /** The application. In the Service API it is always that of the API key. */
    readonly appId: string;
    /** Its name. */
    readonly name: string;
    /** The percentage of users without a status of their own who have access. */
    readonly rolloutPercent: number;
  }[];
  /** Blocks that end within 7 days. */
  readonly blocksEndingThisWeek: OverviewBlocksEndingThisWeek;
  /** Active API keys that expire within 30 days, and those that were not used for 30 days. */
  readonly keys: OverviewKey;
  /** The changes of the last 30 days (UTC), the oldest day first. Days without changes are left out. */
  readonly days: readonly {
    /** The day, as `YYYY-MM-DD`. */
    readonly date: string;
    /** All changes. */
    readonly changes: number;
    /** Changes of an access that blocked a user. */
    readonly blocks: number;
    /** Changes of an access that ended a block. A block that expires makes no change. */
    readonly unblocks: number;
  }[];
  /** When a feed was last counted; `null` if none was. */
  readonly asOf: string | null;
  /** The applications to which the operator's roles are limited. Absent without a limit. */
  readonly limitedTo?: readonly string[];
  /** The same of the tokens of connections; 0 for a role that is limited to applications. */
  readonly tokens: OverviewKey;
  /** Applications whose access should have been reviewed by now. */
  readonly reviewsOverdue: number;
  /** Webhooks that turned themselves off because their receivers failed, at most ten. */
  readonly webhooksStopped: readonly {
    /** The application. In the Service API it is always that of the API key. */
    readonly appId: string;
    /** The name of the application. */
    readonly name: string;
    /** The webhook. */
    readonly webhookId: string;
  }[];
}

/** The answer of `list-block-ends`. */
export interface ListBlockEndsAnswer {
  /** The items of this page. */
  readonly items: readonly {
    /** The user, by the id that your applications share. */
    readonly userId: string;
    /** The application. In the Service API it is always that of the API key. */
    readonly appId: string;
    /** When the block ends. */
    readonly until: string;
    /** The reason for the block; `null` if there is none. */
    readonly reason: string | null;
  }[];
  /** Leads to the next page, as `?cursor=`. `null` on the last page. */
  readonly cursor: string | null;
  /** The applications to which the operator's roles are limited: the list leaves out all others. Absent without a limit. */
  readonly limitedTo?: readonly string[];
}

/** The answer of `repair`. */
export interface RepairAnswer {
  /** The number of users, applications, entries, changes and feeds examined on this page. */
  readonly checked: number;
  /** What was wrong, each at most once. */
  readonly findings: readonly {
    /** What was wrong. */
    readonly kind:
      | 'user-list'
      | 'search-words'
      | 'inactive-mark'
      | 'erased-list'
      | 'access-list'
      | 'block-end'
      | 'member'
      | 'grant'
      | 'access'
      | 'erased-data'
      | 'deletion'
      | 'state-behind'
      | 'change-missing'
      | 'feed'
      | 'pending'
      | 'feed-restart'
      | 'feed-unreadable'
      | 'feed-altered'
      | 'change-order'
      | 'index-entry'
      | 'table-format'
      | 'counters'
      | 'counters-busy'
      | 'history-gap'
      | 'change-forged'
      | 'orphan'
      | 'key'
      | 'account'
      | 'account-differs'
      | 'login-client'
      | 'login-account'
      | 'webhook-state';
    /** Whether it has been repaired, or would be without `dryRun`. Data that is missing everywhere cannot be repaired, nor can counters while changes are made. */
    readonly repaired: boolean;
    /** The user. */
    readonly userId?: string;
    /** The application. */
    readonly appId?: string;
    /** The connection. */
    readonly connectionId?: string;
    /** The role. */
    readonly role?: string;
    /** The `id` of the change. */
    readonly changeId?: string;
  }[];
  /** Leads to the next page, as `?cursor=`. `null` on the last page. */
  readonly cursor: string | null;
}

/** The answer of `create-webhook` and `rotate-webhook-secret`. */
export interface CreateWebhookAnswer extends Webhook {
  /** The secret that signs deliveries in the format `standard`. No later answer contains it. */
  readonly secret: string;
}

/** The answer of `list-webhooks`. */
export interface ListWebhooksAnswer {
  /** The items of this page. */
  readonly items: readonly Webhook[];
  /** Leads to the next page, as `?cursor=`. `null` on the last page. */
  readonly cursor: string | null;
}

/** The answer of `get-webhook`. */
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
  readonly events:
    | readonly (
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
        | 'webhook.deleted'
      )[]
    | null;
  /** `on`, `retrying` while a delivery waits for another attempt, `off`, or `failed` if it turned itself off: its receiver accepted nothing for three days, or answered 410. */
  readonly state: 'on' | 'retrying' | 'off' | 'failed';
  /** Why it turned itself off; `null` if it did not. */
  readonly offReason: 'failing' | 'gone' | null;
  /** The current secret and, during the overlap of a rotation, the one before; only their ids. */
  readonly secrets: readonly CreateWebhookSecret[];
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

/** The answer of `update-webhook`. */
export interface UpdateWebhookAnswer extends Webhook {
  /** Whether the request changed anything. `false` if it was already in this state. */
  readonly changed: boolean;
}

/** The answer of `list-webhook-attempts`. */
export interface ListWebhookAttemptsAnswer {
  /** The items of this page. */
  readonly items: readonly {
    /** Identifies the attempt. */
    readonly attemptId: string;
    /** When it happened. */
    readonly at: string;
    /** The `webhook-id` of the delivery: the `id` of the change. */
    readonly eventId: string;
    /** The kind of the change, or `webhook.test`. */
    readonly type:
      | 'user.created'
      | 'user.updated'
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
      | 'webhook.deleted'
      | 'connection.created'
      | 'connection.updated'
      | 'connection.deleted'
      | 'user.invited'
      | 'user.signed.out'
      | 'user.account.deleted'
      | 'webhook.test';
    /** `delivered`; `failed`, to be tried again; `refused`, not to be tried again; or `given_up`, because it has failed for three days while others were accepted. */
    readonly outcome: 'delivered' | 'failed' | 'refused' | 'given_up';
    /** The status of the answer; `null` if there was none. */
    readonly status: number | null;
    /** The error; `null` if the attempt succeeded. */
    readonly error: string | null;
    /** How long it took. */
    readonly durationMilliseconds: number;
    /** When the next attempt is due; `null` if there is none. */
    readonly nextAttemptAt: string | null;
  }[];
  /** Leads to the next page, as `?cursor=`. `null` on the last page. */
  readonly cursor: string | null;
}

/** The answer of `resend-webhook` and `test-webhook`. */
export interface ResendWebhookAnswer {
  /** Whether it is sent within seconds; `false` if the deployment does not deliver in the format of the webhook. */
  readonly queued: boolean;
}

/** A part of `ChangedAccess`, `AccessPage` and 1 more. */
export interface ChangedAccessRole {
  /** The role. */
  readonly name: string;
  /** When the grant expires; `null` for never. */
  readonly expiresAt: string | null;
}

/** A part of `ApiKey`, `ChangedApiKey` and 6 more. */
export interface ApiKeyIssuedBy {
  /** How the operator was authenticated: `iam` at the function URL, `token` at the HTTP API. */
  readonly via: 'iam' | 'token';
  /** The IAM ARN, or the token's `sub`, which only its issuer vouches for. */
  readonly id: string;
  /** The e-mail address of the operator's token; `null` if it had none. */
  readonly email: string | null;
}

/** A part of `AccessPage`, `User` and 2 more. */
export interface AccessStatusSetBy {
  /** The `id` of the change that set it. */
  readonly changeId: string;
  /** When it happened. */
  readonly at: string;
  /** Who set it; `null` after the retention of the history. */
  readonly caller: Caller | null;
  /** The reason that the caller gave. */
  readonly reason: string | null;
  /** The ticket that the caller gave; `null` if there was none. */
  readonly ticket: string | null;
  /** The bulk that the change is part of, such as an offboarding; `null` if it is part of none. */
  readonly bulkId: string | null;
}

/** A part of `BulkOutcome` and `UndoBulkAnswer`. */
export interface BulkOutcomeProblem {
  /** The code, for programs. New codes may be added. */
  readonly code: string;
  /** The error in this request, and how to correct it. */
  readonly detail: string;
}

/** A part of `Connection` and `UpdateConnectionAnswer`. */
export interface ConnectionGroupRole {
  /** The `displayName` of the group in the directory, exactly. */
  readonly group: string;
  /** The application. In the Service API it is always that of the API key. */
  readonly appId: string;
  /** The name of the role in the application. Case-sensitive. */
  readonly role: string;
}

/** A part of `Connection` and `UpdateConnectionAnswer`. */
export interface ConnectionKey {
  /** The API key. Not secret. */
  readonly keyId: string;
  /** The name of the key for people; `null` if it has none. */
  readonly label: string | null;
  /** When it was created. */
  readonly createdAt: string;
  /** Who issued or rotated it; `null` if no operator did. */
  readonly issuedBy: ApiKeyIssuedBy | null;
  /** When the key expires; `null` for never. */
  readonly expiresAt: string | null;
  /** When the key was revoked; `null` if it was not. */
  readonly revokedAt: string | null;
  /** The day on which it was last used; `null` if it never was. */
  readonly lastUsedOn: string | null;
  /** The key that a rotation replaced with this one; `null` if it was not issued by a rotation. */
  readonly replaces: string | null;
  /** The key that replaced this one in its latest rotation; `null` if it was not rotated. */
  readonly replacedBy: string | null;
  /** The scopes of the key. */
  readonly scopes: readonly ('access:read' | 'roles:read' | 'users:write' | 'roles:write')[];
}

/** A part of `Overview` and `OverviewKey`. */
export interface OverviewBlocksEndingThisWeek {
  /** How many were found. */
  readonly count: number;
  /** Whether there may be more: the number read is limited. */
  readonly more: boolean;
}

/** A part of `Overview`. */
export interface OverviewKey {
  /** Keys that expire within 30 days, without those that a rotation replaced. */
  readonly expiring: OverviewBlocksEndingThisWeek;
  /** Keys that were not used for 30 days. */
  readonly unused: OverviewBlocksEndingThisWeek;
}

/** A part of `CreateWebhookAnswer`, `Webhook` and 1 more. */
export interface CreateWebhookSecret {
  /** Identifies the secret, which is derived from it and stored nowhere. */
  readonly secretId: string;
  /** Until when the secret signs beside its successor; `null` for the current one. */
  readonly expiresAt: string | null;
}

/** The query of `create-application`, `update-application` and 29 more. */
export interface DryRunQuery {
  /** Whether to validate and decide without writing anything. The answer or refusal is the one that the request would get now; new ids in it are not stored. */
  readonly dryRun?: boolean | 'true' | 'false' | undefined;
}

/** The query of `list-applications`, `list-keys` and 9 more. */
export interface LimitAndCursorQuery {
  /** The maximum number of items on a page. */
  readonly limit?: number | string | undefined;
  /** The `cursor` of the previous page, unchanged. */
  readonly cursor?: string | undefined;
}

/** The query of `delete-application` and `delete-role`. */
export interface ForceQuery {
  /** Whether to delete it even if it is in use. */
  readonly force?: boolean | 'true' | 'false' | undefined;
}

/** The query of `list-all-keys`. */
export interface ListAllKeysQuery {
  /** The maximum number of items on a page. */
  readonly limit?: number | string | undefined;
  /** The `cursor` of the previous page, unchanged. */
  readonly cursor?: string | undefined;
  /** Only valid keys (`active`), or only revoked and expired keys (`ended`). */
  readonly state?: 'active' | 'ended' | undefined;
  /** Only active keys that expire within this time, such as `P30D`, without those that a rotation replaced. */
  readonly endsWithin?: string | undefined;
  /** Only keys that were neither issued nor used within this time, such as `P30D`. Use is recorded by day. */
  readonly unusedFor?: string | undefined;
}

/** The query of `list-users`. */
export interface ListUsersQuery {
  /** The maximum number of items on a page. */
  readonly limit?: number | string | undefined;
  /** The `cursor` of the previous page, unchanged. */
  readonly cursor?: string | undefined;
  /** Only ids that begin with this. */
  readonly prefix?: string | undefined;
  /** Only users with words that begin like these, in any order. A word of one character only narrows the results of the others. */
  readonly q?: string | undefined;
  /** Only users with this status. */
  readonly status?: 'active' | 'inactive' | undefined;
  /** Only users who hold a role in some application now; with `false`, only users who hold none. */
  readonly hasRole?: boolean | 'true' | 'false' | undefined;
}

/** The query of `list-application-users`. */
export interface ListApplicationUsersQuery {
  /** The maximum number of items on a page. */
  readonly limit?: number | string | undefined;
  /** The `cursor` of the previous page, unchanged. */
  readonly cursor?: string | undefined;
  /** Only users with this stored status. */
  readonly status?: 'enabled' | 'disabled' | undefined;
  /** Only users with this effective status. */
  readonly effectiveStatus?: 'enabled' | 'disabled' | undefined;
  /** Only users whose access is decided by this. */
  readonly decidedBy?: 'user' | 'explicit' | 'lapsed' | 'rollout' | 'default' | undefined;
  /** Only users with words that begin like these, in any order. */
  readonly q?: string | undefined;
}

/** The query of `list-application-changes`. */
export interface ListApplicationChangesQuery {
  /** The maximum number of items on a page. */
  readonly limit?: number | string | undefined;
  /** The `cursor` of the previous page, unchanged. */
  readonly cursor?: string | undefined;
  /** The `cursor` of the previous answer, unchanged. Only newer changes follow. */
  readonly after?: string | undefined;
}

/** The query of `list-user-changes`. */
export interface ListUserChangesQuery {
  /** The maximum number of items on a page. */
  readonly limit?: number | string | undefined;
  /** The `cursor` of the previous page, unchanged. */
  readonly cursor?: string | undefined;
  /** Only the changes in this application. Default: all. */
  readonly appId?: string | undefined;
}

/** The query of `list-all-changes`. */
export interface ListAllChangesQuery {
  /** The maximum number of items on a page. */
  readonly limit?: number | string | undefined;
  /** The `cursor` of the previous page, unchanged. */
  readonly cursor?: string | undefined;
  /** Only changes from this time on. Default: the entire stored history. */
  readonly since?: string | undefined;
  /** Only changes before this time. Default: now. */
  readonly until?: string | undefined;
  /** Only changes of these actions, separated by commas. Default: all. */
  readonly action?: string | undefined;
  /** Only changes by this operator (e-mail address or the part before its `@`, the token's `sub`, IAM ARN or the part after its last `/`) or by this API key (its id or application). Only ids are case-sensitive. */
  readonly actor?: string | undefined;
  /** Only changes in this application, and those that concern users in every application. */
  readonly appId?: string | undefined;
  /** Only changes of this user, even if the user no longer exists. */
  readonly userId?: string | undefined;
  /** Only changes of this connection and its keys. Cannot be combined with `appId` or `userId`. */
  readonly connectionId?: string | undefined;
  /** Only changes of this bulk, and those that undid them. */
  readonly bulkId?: string | undefined;
}

/** The query of `add-login-secret`. */
export interface KeepQuery {
  /** The id of the secret that stays, in place of the newer one. */
  readonly keep?: string | undefined;
}

/** The query of `get-overview`. */
export interface ApplicationsQuery {
  /** Which applications are counted: the ten with the most blocks, or all. Default: `most-blocked`. */
  readonly applications?: 'most-blocked' | 'all' | undefined;
}

/** The query of `list-block-ends`. */
export interface ListBlockEndsQuery {
  /** The maximum number of items on a page. */
  readonly limit?: number | string | undefined;
  /** The `cursor` of the previous page, unchanged. */
  readonly cursor?: string | undefined;
  /** Only blocks that end within this time. Default: all. */
  readonly endsWithin?: string | undefined;
}

/** The query of `repair`. */
export interface RepairQuery {
  /** The maximum number of items on a page. */
  readonly limit?: number | string | undefined;
  /** The `cursor` of the previous page, unchanged. */
  readonly cursor?: string | undefined;
  /** Whether to validate and decide without writing anything. The answer or refusal is the one that the request would get now; new ids in it are not stored. */
  readonly dryRun?: boolean | 'true' | 'false' | undefined;
  /** When this table took over from another one, or was restored: each feed that has not restarted since then restarts, and its followers read the snapshot again. Default: no feed restarts. */
  readonly restartFeeds?: string | undefined;
}

/** An operation of the API. */
export interface Operation<Input, Answer> {
  /** What it takes: parameters in the path, a query and a body. */
  readonly input: Input;
  /** The body of its answer. */
  readonly answer: Answer;
}

/** Parameters in the path, by name. */
export interface Path<Name extends string> {
  /** Each is one segment, which the client encodes. */
  readonly path: { readonly [Parameter in Name]: string };
}

/** Parameters after the path. */
export interface Query<Parameters> {
  /** Parameters that are left out or undefined are not sent. */
  readonly query?: Parameters;
}

/** A body, which must be passed. */
export interface Body<Content> {
  /** Sent as JSON. */
  readonly body: Content;
}

/** A body that may be left out. */
export interface OptionalBody<Content> {
  /** Sent as JSON. */
  readonly body?: Content;
}

/** A part of the input that the operation does not take. */
export type Without<Part extends 'path' | 'query' | 'body'> = { readonly [Name in Part]?: never };

/** The input and the answer of each operation of the Management API. */

export interface ManagementOperations {
  /** Read who you are and what you may do. */
  readonly 'get-operator': Operation<Without<'path' | 'query' | 'body'>, Operator>;
  /** Create an application. */
  readonly 'create-application': Operation<
    Query<DryRunQuery> & Body<CreateApplicationBody> & Without<'path'>,
    Application
  >;
  /** List applications. */
  readonly 'list-applications': Operation<Query<LimitAndCursorQuery> & Without<'path' | 'body'>, ApplicationPage>;
  /** Read an application. */
  readonly 'get-application': Operation<Path<'appId'> & Without<'query' | 'body'>, Application>;
  /** Change the settings of an application. */
  readonly 'update-application': Operation<
    Path<'appId'> & Query<DryRunQuery> & OptionalBody<UpdateApplicationBody>,
    ChangedApplication
  >;
  /** Undo a change of an application's settings. */
  readonly 'undo-application-change': Operation<
    Path<'appId' | 'changeId'> & Query<DryRunQuery> & OptionalBody<UndoApplicationChangeBody>,
    ChangedApplication
  >;
  /** Delete an application. */
  readonly 'delete-application': Operation<Path<'appId'> & Query<ForceQuery> & Without<'body'>, Deletion>;
  /** Issue an API key. */
  readonly 'issue-key': Operation<Path<'appId'> & OptionalBody<IssueKeyBody> & Without<'query'>, IssuedApiKey>;
  /** List the API keys of an application. */
  readonly 'list-keys': Operation<Path<'appId'> & Query<LimitAndCursorQuery> & Without<'body'>, ApiKeyPage>;
  /** List the API keys of all applications. */
  readonly 'list-all-keys': Operation<Query<ListAllKeysQuery> & Without<'path' | 'body'>, ListAllKeysAnswer>;
  /** Label an API key. */
  readonly 'update-key': Operation<Path<'appId' | 'keyId'> & Query<DryRunQuery> & Body<UpdateKeyBody>, UpdateKeyAnswer>;
  /** Revoke an API key. */
  readonly 'revoke-key': Operation<Path<'appId' | 'keyId'> & Query<DryRunQuery> & Without<'body'>, ChangedApiKey>;
  /** Replace an API key. */
  readonly 'rotate-key': Operation<Path<'appId' | 'keyId'> & Query<DryRunQuery> & Body<RotateKeyBody>, IssuedApiKey>;
  /** List the roles of an application. */
  readonly 'list-roles': Operation<Path<'appId'> & Query<LimitAndCursorQuery> & Without<'body'>, RolePage>;
  /** Define or describe a role. */
  readonly 'define-role': Operation<
    Path<'appId' | 'role'> & Query<DryRunQuery> & OptionalBody<DefineRoleBody>,
    ChangedRole
  >;
  /** Read a role. */
  readonly 'get-role': Operation<Path<'appId' | 'role'> & Without<'query' | 'body'>, Role>;
  /** Delete a role. */
  readonly 'delete-role': Operation<Path<'appId' | 'role'> & Query<ForceQuery> & Without<'body'>, Deletion>;
  /** List the users who hold a role. */
  readonly 'list-members': Operation<Path<'appId' | 'role'> & Query<LimitAndCursorQuery> & Without<'body'>, MemberPage>;
  /** Assign a role to many users. */
  readonly 'assign-role-in-bulk': Operation<
    Path<'appId' | 'role'> & Body<AssignRoleInBulkBody> & Without<'query'>,
    BulkOutcomes
  >;
  /** Revoke a role from many users. */
  readonly 'revoke-role-in-bulk': Operation<
    Path<'appId' | 'role'> & Body<RevokeRoleInBulkBody> & Without<'query'>,
    BulkOutcomes
  >;
  /** List or find users. */
  readonly 'list-users': Operation<Query<ListUsersQuery> & Without<'path' | 'body'>, UserPage>;
  /** Find users by exact ids or e-mail addresses. */
  readonly 'resolve-users': Operation<Body<ResolveUsersBody> & Without<'path' | 'query'>, ResolveUsersAnswer>;
  /** Create a user. */
  readonly 'create-user': Operation<
    Path<'userId'> & Query<DryRunQuery> & OptionalBody<CreateUserBody>,
    CreateUserAnswer
  >;
  /** Read a user. */
  readonly 'get-user': Operation<Path<'userId'> & Without<'query' | 'body'>, User>;
  /** Change the name or e-mail address of a user. */
  readonly 'update-user': Operation<Path<'userId'> & Query<DryRunQuery> & OptionalBody<UpdateUserBody>, ChangedUser>;
  /** Erase a user. */
  readonly 'delete-user': Operation<Path<'userId'> & Query<DryRunQuery> & Without<'body'>, Deletion>;
  /** Activate or deactivate a user. */
  readonly 'set-user-status': Operation<Path<'userId'> & Query<DryRunQuery> & Body<SetUserStatusBody>, ChangedUser>;
  /** Activate or deactivate many users. */
  readonly 'set-user-status-in-bulk': Operation<
    Body<SetUserStatusInBulkBody> & Without<'path' | 'query'>,
    BulkOutcomes
  >;
  /** Enable or disable a user in an application. */
  readonly 'set-user-access': Operation<
    Path<'userId' | 'appId'> & Query<DryRunQuery> & Body<SetAccessBody>,
    ChangedAccess
  >;
  /** List the users of an application. */
  readonly 'list-application-users': Operation<
    Path<'appId'> & Query<ListApplicationUsersQuery> & Without<'body'>,
    AccessPage
  >;
  /** Set the status of many users. */
  readonly 'set-access-in-bulk': Operation<Path<'appId'> & Body<SetAccessInBulkBody> & Without<'query'>, BulkOutcomes>;
  /** List a user's access in every application. */
  readonly 'list-user-access': Operation<Path<'userId'> & Query<LimitAndCursorQuery> & Without<'body'>, UserAccessPage>;
  /** Assign a role to a user in an application. */
  readonly 'assign-user-role': Operation<
    Path<'userId' | 'appId' | 'role'> & Query<DryRunQuery> & OptionalBody<AssignUserRoleBody>,
    ChangedAccess
  >;
  /** Revoke a role from a user in an application. */
  readonly 'revoke-user-role': Operation<
    Path<'userId' | 'appId' | 'role'> & Query<DryRunQuery> & OptionalBody<UndoApplicationChangeBody>,
    ChangedAccess
  >;
  /** Read the history of an application. */
  readonly 'list-application-changes': Operation<
    Path<'appId'> & Query<ListApplicationChangesQuery> & Without<'body'>,
    ChangePage
  >;
  /** Read the history of a user. */
  readonly 'list-user-changes': Operation<
    Path<'userId'> & Query<ListUserChangesQuery> & Without<'body'>,
    UserChangePage
  >;
  /** Verify changes of an export. */
  readonly 'verify-changes': Operation<Body<VerifyChangesBody> & Without<'path' | 'query'>, ChangeVerdicts>;
  /** Read the global history. */
  readonly 'list-all-changes': Operation<Query<ListAllChangesQuery> & Without<'path' | 'body'>, UserChangePage>;
  /** Undo a change. */
  readonly 'undo-change': Operation<
    Path<'userId' | 'changeId'> & Query<DryRunQuery> & OptionalBody<UndoApplicationChangeBody>,
    UndoChangeAnswer
  >;
  /** Import users with their status, accesses and roles. */
  readonly 'import-users': Operation<Body<ImportUsersBody> & Without<'path' | 'query'>, ImportUsersAnswer>;
  /** Undo a bulk in an application. */
  readonly 'undo-bulk': Operation<
    Path<'appId' | 'bulkId'> & Query<LimitAndCursorQuery> & OptionalBody<UndoBulkBody>,
    UndoBulkAnswer
  >;
  /** Undo a bulk of the status of users. */
  readonly 'undo-status-bulk': Operation<
    Path<'bulkId'> & Query<LimitAndCursorQuery> & OptionalBody<UndoBulkBody>,
    UndoBulkAnswer
  >;
  /** Create a connection. */
  readonly 'create-connection': Operation<
    Query<DryRunQuery> & Body<CreateConnectionBody> & Without<'path'>,
    Connection
  >;
  /** List connections. */
  readonly 'list-connections': Operation<Query<LimitAndCursorQuery> & Without<'path' | 'body'>, ListConnectionsAnswer>;
  /** Read a connection. */
  readonly 'get-connection': Operation<Path<'connectionId'> & Without<'query' | 'body'>, Connection>;
  /** Update a connection. */
  readonly 'update-connection': Operation<
    Path<'connectionId'> & Query<DryRunQuery> & OptionalBody<UpdateConnectionBody>,
    UpdateConnectionAnswer
  >;
  /** Delete a connection. */
  readonly 'delete-connection': Operation<Path<'connectionId'> & Query<DryRunQuery> & Without<'body'>, Deletion>;
  /** Read a directory's recent requests. */
  readonly 'get-connection-activity': Operation<Path<'connectionId'> & Without<'query' | 'body'>, ConnectionActivity>;
  /** Issue a connection's key. */
  readonly 'issue-connection-key': Operation<
    Path<'connectionId'> & OptionalBody<IssueConnectionKeyBody> & Without<'query'>,
    IssueConnectionKeyAnswer
  >;
  /** Label a connection's key. */
  readonly 'update-connection-key': Operation<
    Path<'connectionId' | 'keyId'> & Query<DryRunQuery> & Body<UpdateKeyBody>,
    UpdateConnectionKeyAnswer
  >;
  /** Replace a connection's key. */
  readonly 'rotate-connection-key': Operation<
    Path<'connectionId' | 'keyId'> & Query<DryRunQuery> & Body<RotateKeyBody>,
    IssueConnectionKeyAnswer
  >;
  /** Revoke a connection's key. */
  readonly 'revoke-connection-key': Operation<
    Path<'connectionId' | 'keyId'> & Query<DryRunQuery> & Without<'body'>,
    UpdateConnectionKeyAnswer
  >;
  /** Read the login of an application. */
  readonly 'get-login': Operation<Path<'appId'> & Without<'query' | 'body'>, Login>;
  /** Set the login of an application. */
  readonly 'set-login': Operation<Path<'appId'> & Query<DryRunQuery> & Body<SetLoginBody>, SetLoginAnswer>;
  /** Delete the login of an application. */
  readonly 'delete-login': Operation<Path<'appId'> & Query<DryRunQuery> & Without<'body'>, Deletion>;
  /** Add a secret to the login of an application. */
  readonly 'add-login-secret': Operation<Path<'appId'> & Query<KeepQuery> & Without<'body'>, AddLoginSecretAnswer>;
  /** Read the account of a user. */
  readonly 'get-account': Operation<Path<'userId'> & Without<'query' | 'body'>, Account>;
  /** Invite a user. */
  readonly 'invite-user': Operation<Path<'userId'> & Query<DryRunQuery> & Without<'body'>, InviteUserAnswer>;
  /** Sign a user out everywhere. */
  readonly 'sign-out-user': Operation<Path<'userId'> & Query<DryRunQuery> & Without<'body'>, InviteUserAnswer>;
  /** Delete the account of a user. */
  readonly 'delete-account': Operation<Path<'userId'> & Query<DryRunQuery> & Without<'body'>, Deletion>;
  /** Read the numbers of all users and applications. */
  readonly 'get-overview': Operation<Query<ApplicationsQuery> & Without<'path' | 'body'>, Overview>;
  /** List the blocks that have an end. */
  readonly 'list-block-ends': Operation<Query<ListBlockEndsQuery> & Without<'path' | 'body'>, ListBlockEndsAnswer>;
  /** Repair the table. */
  readonly repair: Operation<Query<RepairQuery> & Without<'path' | 'body'>, RepairAnswer>;
  /** List who holds what in an application. */
  readonly 'list-access-review': Operation<Path<'appId'> & Query<LimitAndCursorQuery> & Without<'body'>, AccessReview>;
  /** Mark the access of an application as reviewed. */
  readonly 'review-application': Operation<
    Path<'appId'> & Query<DryRunQuery> & Body<ReviewApplicationBody>,
    ReviewedApplication
  >;
  /** Create a webhook. */
  readonly 'create-webhook': Operation<
    Path<'appId'> & Query<DryRunQuery> & Body<CreateWebhookBody>,
    CreateWebhookAnswer
  >;
  /** List the webhooks of an application. */
  readonly 'list-webhooks': Operation<Path<'appId'> & Query<LimitAndCursorQuery> & Without<'body'>, ListWebhooksAnswer>;
  /** Read a webhook. */
  readonly 'get-webhook': Operation<Path<'appId' | 'webhookId'> & Without<'query' | 'body'>, Webhook>;
  /** Update a webhook. */
  readonly 'update-webhook': Operation<
    Path<'appId' | 'webhookId'> & Query<DryRunQuery> & OptionalBody<UpdateWebhookBody>,
    UpdateWebhookAnswer
  >;
  /** Delete a webhook. */
  readonly 'delete-webhook': Operation<Path<'appId' | 'webhookId'> & Query<DryRunQuery> & Without<'body'>, Deletion>;
  /** Replace a webhook's secret. */
  readonly 'rotate-webhook-secret': Operation<
    Path<'appId' | 'webhookId'> & Query<DryRunQuery> & Body<RotateOwnWebhookSecretBody>,
    CreateWebhookAnswer
  >;
  /** List the attempts of a webhook. */
  readonly 'list-webhook-attempts': Operation<
    Path<'appId' | 'webhookId'> & Query<LimitAndCursorQuery> & Without<'body'>,
    ListWebhookAttemptsAnswer
  >;
  /** Resend events. */
  readonly 'resend-webhook': Operation<
    Path<'appId' | 'webhookId'> & OptionalBody<ResendWebhookBody> & Without<'query'>,
    ResendWebhookAnswer
  >;
  /** Send a test event. */
  readonly 'test-webhook': Operation<Path<'appId' | 'webhookId'> & Without<'query' | 'body'>, ResendWebhookAnswer>;
}

/** @internal The method and the path of each operation. */

export const managementRoutes = {
  'get-operator': ['GET', '/api/manage/operator'],
  'create-application': ['POST', '/api/manage/applications'],
  'list-applications': ['GET', '/api/manage/applications'],
  'get-application': ['GET', '/api/manage/applications/{appId}'],
  'update-application': ['PATCH', '/api/manage/applications/{appId}'],
  'undo-application-change': ['POST', '/api/manage/applications/{appId}/changes/{changeId}/undo'],
  'delete-application': ['DELETE', '/api/manage/applications/{appId}'],
  'issue-key': ['POST', '/api/manage/applications/{appId}/keys'],
  'list-keys': ['GET', '/api/manage/applications/{appId}/keys'],
  'list-all-keys': ['GET', '/api/manage/keys'],
  'update-key': ['PATCH', '/api/manage/applications/{appId}/keys/{keyId}'],
  'revoke-key': ['DELETE', '/api/manage/applications/{appId}/keys/{keyId}'],
  'rotate-key': ['POST', '/api/manage/applications/{appId}/keys/{keyId}/rotate'],
  'list-roles': ['GET', '/api/manage/applications/{appId}/roles'],
  'define-role': ['PUT', '/api/manage/applications/{appId}/roles/{role}'],
  'get-role': ['GET', '/api/manage/applications/{appId}/roles/{role}'],
  'delete-role': ['DELETE', '/api/manage/applications/{appId}/roles/{role}'],
  'list-members': ['GET', '/api/manage/applications/{appId}/roles/{role}/users'],
  'assign-role-in-bulk': ['POST', '/api/manage/applications/{appId}/roles/{role}/users'],
  'revoke-role-in-bulk': ['POST', '/api/manage/applications/{appId}/roles/{role}/users/remove'],
  'list-users': ['GET', '/api/manage/users'],
  'resolve-users': ['POST', '/api/manage/user-names'],
  'create-user': ['PUT', '/api/manage/users/{userId}'],
  'get-user': ['GET', '/api/manage/users/{userId}'],
  'update-user': ['PATCH', '/api/manage/users/{userId}'],
  'delete-user': ['DELETE', '/api/manage/users/{userId}'],
  'set-user-status': ['PUT', '/api/manage/users/{userId}/status'],
  'set-user-status-in-bulk': ['POST', '/api/manage/user-status'],
  'set-user-access': ['PUT', '/api/manage/users/{userId}/access/{appId}'],
  'list-application-users': ['GET', '/api/manage/applications/{appId}/users'],
  'set-access-in-bulk': ['POST', '/api/manage/applications/{appId}/access'],
  'list-user-access': ['GET', '/api/manage/users/{userId}/access'],
  'assign-user-role': ['PUT', '/api/manage/users/{userId}/roles/{appId}/{role}'],
  'revoke-user-role': ['DELETE', '/api/manage/users/{userId}/roles/{appId}/{role}'],
  'list-application-changes': ['GET', '/api/manage/applications/{appId}/changes'],
  'list-user-changes': ['GET', '/api/manage/users/{userId}/changes'],
  'verify-changes': ['POST', '/api/manage/changes/verify'],
  'list-all-changes': ['GET', '/api/manage/changes'],
  'undo-change': ['POST', '/api/manage/users/{userId}/changes/{changeId}/undo'],
  'import-users': ['POST', '/api/manage/user-imports'],
  'undo-bulk': ['POST', '/api/manage/applications/{appId}/bulks/{bulkId}/undo'],
  'undo-status-bulk': ['POST', '/api/manage/bulks/{bulkId}/undo'],
  'create-connection': ['POST', '/api/manage/connections'],
  'list-connections': ['GET', '/api/manage/connections'],
  'get-connection': ['GET', '/api/manage/connections/{connectionId}'],
  'update-connection': ['PATCH', '/api/manage/connections/{connectionId}'],
  'delete-connection': ['DELETE', '/api/manage/connections/{connectionId}'],
  'get-connection-activity': ['GET', '/api/manage/connections/{connectionId}/activity'],
  'issue-connection-key': ['POST', '/api/manage/connections/{connectionId}/keys'],
  'update-connection-key': ['PATCH', '/api/manage/connections/{connectionId}/keys/{keyId}'],
  'rotate-connection-key': ['POST', '/api/manage/connections/{connectionId}/keys/{keyId}/rotate'],
  'revoke-connection-key': ['DELETE', '/api/manage/connections/{connectionId}/keys/{keyId}'],
  'get-login': ['GET', '/api/manage/applications/{appId}/login'],
  'set-login': ['PUT', '/api/manage/applications/{appId}/login'],
  'delete-login': ['DELETE', '/api/manage/applications/{appId}/login'],
  'add-login-secret': ['POST', '/api/manage/applications/{appId}/login/secrets'],
  'get-account': ['GET', '/api/manage/users/{userId}/account'],
  'invite-user': ['POST', '/api/manage/users/{userId}/invitation'],
  'sign-out-user': ['POST', '/api/manage/users/{userId}/sign-out'],
  'delete-account': ['DELETE', '/api/manage/users/{userId}/account'],
  'get-overview': ['GET', '/api/manage/overview'],
  'list-block-ends': ['GET', '/api/manage/block-ends'],
  repair: ['POST', '/api/manage/repair'],
  'list-access-review': ['GET', '/api/manage/applications/{appId}/review'],
  'review-application': ['POST', '/api/manage/applications/{appId}/reviews'],
  'create-webhook': ['POST', '/api/manage/applications/{appId}/webhooks'],
  'list-webhooks': ['GET', '/api/manage/applications/{appId}/webhooks'],
  'get-webhook': ['GET', '/api/manage/applications/{appId}/webhooks/{webhookId}'],
  'update-webhook': ['PATCH', '/api/manage/applications/{appId}/webhooks/{webhookId}'],
  'delete-webhook': ['DELETE', '/api/manage/applications/{appId}/webhooks/{webhookId}'],
  'rotate-webhook-secret': ['POST', '/api/manage/applications/{appId}/webhooks/{webhookId}/rotate'],
  'list-webhook-attempts': ['GET', '/api/manage/applications/{appId}/webhooks/{webhookId}/attempts'],
  'resend-webhook': ['POST', '/api/manage/applications/{appId}/webhooks/{webhookId}/resend'],
  'test-webhook': ['POST', '/api/manage/applications/{appId}/webhooks/{webhookId}/test'],
} as const;
