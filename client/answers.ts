/** What holds for one user in one application. */
export interface Access {
  readonly userId: string;
  readonly appId: string;
  /** The per-application status, explicit or the default `enabled`. */
  readonly status: 'enabled' | 'disabled';
  /** Whether somebody ever set the status. */
  readonly explicit: boolean;
  /** When the block ends by itself. */
  readonly until: string | null;
  readonly reason: string | null;
  /** An `inactive` user enters no application. */
  readonly userStatus: 'active' | 'inactive';
  /** What the application must obey now. */
  readonly effectiveStatus: 'enabled' | 'disabled';
  /** Who decided the effective status: the inactive user, the explicit setting, its end, or nobody. */
  readonly decidedBy: 'user' | 'explicit' | 'lapsed' | 'default';
  /** The grants that hold now, by name, also while `effectiveStatus` is `disabled`. */
  readonly roles: readonly { readonly name: string; readonly expiresAt: string | null }[];
  /** Counts the changes of this access; 0 before the first. */
  readonly version: number;
  readonly updatedAt: string | null;
}

/** The answer of a write: `changed` is false when what was asked for already held. */
export interface ChangedAccess extends Access {
  readonly changed: boolean;
}

/** The record of one accepted change: who, what, before, after, why, when, in which request. */
export interface Change {
  /** A ULID; the same however often the change is delivered. */
  readonly id: string;
  readonly at: string;
  /** New ones may be added. */
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

/** What stood before or after, with the `version` of what it stood in. */
export type ChangeSide = Readonly<Record<string, string | number | boolean | null>>;

/** What kinds of changes there are. */
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
