/** The access of one user to one application. */
export interface Access {
  readonly userId: string;
  readonly appId: string;
  /** The per-application status, explicit or the default `enabled`. */
  readonly status: 'enabled' | 'disabled';
  /** Whether the status was ever set. */
  readonly explicit: boolean;
  /** When the block ends by itself. */
  readonly until: string | null;
  readonly reason: string | null;
  /** An `inactive` user has access to no application. */
  readonly userStatus: 'active' | 'inactive';
  /** The status that the application must obey now. */
  readonly effectiveStatus: 'enabled' | 'disabled';
  /** What decided the effective status: the inactive user, the explicit setting, its end, or the default. */
  readonly decidedBy: 'user' | 'explicit' | 'lapsed' | 'default';
  /** The grants that are valid now, by name, also while `effectiveStatus` is `disabled`. */
  readonly roles: readonly { readonly name: string; readonly expiresAt: string | null }[];
  /** Counts the changes of this access; 0 before the first. */
  readonly version: number;
  readonly updatedAt: string | null;
}

/** The answer of a write: `changed` is false when the access was already as requested. */
export interface ChangedAccess extends Access {
  readonly changed: boolean;
}

/** The record of one accepted change: caller, action, before, after, reason, time and request. */
export interface Change {
  /** A ULID; the same however often the change is delivered. */
  readonly id: string;
  readonly at: string;
  /** New actions may be added. */
  readonly action: ChangeAction;
  readonly appId?: string;
  readonly userId?: string;
  readonly role?: string;
  readonly keyId?: string;
  readonly caller:
    | { readonly kind: 'api-key'; readonly appId: string; readonly keyId: string }
    | { readonly kind: 'operator'; readonly id: string; readonly email?: string };
  readonly requestId: string;
  readonly sourceIp: string;
  readonly before: ChangeSide | null;
  readonly after: ChangeSide | null;
  readonly reason: string | null;
}

/** The values before or after a change, with the `version` of the changed resource. */
export type ChangeSide = Readonly<Record<string, string | number | boolean | null>>;

/** The kinds of changes. */
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
