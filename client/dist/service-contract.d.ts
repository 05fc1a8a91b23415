/** The access of one user to one application. */
export interface Access {
  /** The user, by the id that your applications share. */
  readonly userId: string;
  /** The application. In the Service API it is always that of the API key. */
  readonly appId: string;
  /** The status that was set for this user in this application, or the default `enabled`. */
  readonly status: 'enabled' | 'disabled';
  /** Whether somebody ever set the status. */
  readonly explicit: boolean;
  /** When a block ends by itself; goes only with `disabled`. `null` is never. */
  readonly until: string | null;
  /** Why, for operators and for the application to show. */
  readonly reason: string | null;
  /** The user's global status. */
  readonly userStatus: 'active' | 'inactive';
  /** What the application must obey now. */
  readonly effectiveStatus: 'enabled' | 'disabled';
  /** What decided the effective status: `user` (inactive, so disabled), `explicit` (what was set), `lapsed` (a block whose `until` has passed), `rollout` (nobody set anything, and the application is open to a part of the users, to which this one belongs or not), `default` (nobody set anything). */
  readonly decidedBy: 'user' | 'explicit' | 'lapsed' | 'rollout' | 'default';
  /** The roles that the user holds now, by name. Grants that have ended are not listed. */
  readonly roles: readonly {
    /** The role. */
    readonly name: string;
    /** When it ends by itself; `null` is never. */
    readonly expiresAt: string | null;
  }[];
  /** Counts the changes; also the `ETag`, and what `If-Match` names. An access that was never changed is at 0. */
  readonly version: number;
  /** When it last changed; `null` is never. */
  readonly updatedAt: string | null;
}
/** The answer of a write: `changed` is false when the access was already as requested. */
export interface ChangedAccess extends Access {
  /** Whether the request changed anything. `false` says that what was asked for already held. */
  readonly changed: boolean;
}
/** The record of one accepted change: who, what, before, after, why, when, in which request. */
export interface Change {
  /** A ULID. Deliveries of the same change have the same id. */
  readonly id: string;
  /** When it happened. */
  readonly at: string;
  /** What happened. New actions may be added. */
  readonly action: ChangeAction;
  /** The application. In the Service API it is always that of the API key. */
  readonly appId?: string;
  /** The user, by the id that your applications share. */
  readonly userId?: string;
  /** The role, by its name in the application; upper and lower case differ. */
  readonly role?: string;
  /** The API key. Not secret. */
  readonly keyId?: string;
  /** Who did it; an operator stays unnamed. */
  readonly caller:
    | {
        /** An application by its API key, or an operator. */
        readonly kind: 'api-key';
        /** The application. In the Service API it is always that of the API key. */
        readonly appId: string;
        /** The API key. Not secret. */
        readonly keyId: string;
      }
    | {
        /** An application by its API key, or an operator. */
        readonly kind: 'operator';
      };
  /** The request, as in its `Apigw-Requestid` or `X-Amzn-RequestId` header and in the log. */
  readonly requestId: string;
  /** The address from which a request with the application's API key came. An operator's is left out. */
  readonly sourceIp?: string;
  /** The state before; `null` if there was none. */
  readonly before: ChangeSide | null;
  /** The state after; `null` if there is none. */
  readonly after: ChangeSide | null;
  /** Why, as the caller gave it. */
  readonly reason: string | null;
}
/** What kinds of changes there are. New ones may be added. */
export type ChangeAction =
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
  | 'key.issued'
  | 'key.rotated'
  | 'key.revoked';
/** The state before or after a change, with its `version`. */
export type ChangeSide = Readonly<Record<string, string | number | boolean | null>>;
/** Every error code of the service. New ones may be added. */
export type ErrorCode =
  | 'invalid_request'
  | 'malformed_json'
  | 'signature_missing'
  | 'signature_malformed'
  | 'component_missing'
  | 'clock_skew'
  | 'signature_mismatch'
  | 'digest_mismatch'
  | 'key_revoked'
  | 'key_expired'
  | 'scope_missing'
  | 'address_not_allowed'
  | 'user_not_found'
  | 'role_not_found'
  | 'application_not_found'
  | 'key_not_found'
  | 'route_not_found'
  | 'nonce_replayed'
  | 'already_exists'
  | 'application_in_use'
  | 'role_in_use'
  | 'too_many_keys'
  | 'cursor_expired'
  | 'version_mismatch'
  | 'body_too_large'
  | 'unsupported_media_type'
  | 'idempotency_key_reused'
  | 'too_many_requests'
  | 'internal'
  | 'unavailable';
export declare const userIdPattern: RegExp;
export declare const secretPattern: RegExp;
export declare const maxPageSize = 100;
