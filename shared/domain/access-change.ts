import type { ChangeAction, ChangeSide } from '#shared/contract/change.ts';
import type { AppId, RoleName, UserId } from '#shared/contract/ids.ts';
import type { Scope } from '#shared/contract/routes.ts';
import type { StoredAccess } from '#shared/table/access.ts';
import type { TransactEntry } from '#shared/table/client.ts';
import type { CurrentAccess } from '#shared/table/current-access.ts';

/** Whose access is changed, and which versions of it the caller has seen (`If-Match`); undefined is any. */
export interface AccessCommand {
  readonly userId: UserId;
  readonly appId: AppId;
  readonly ifMatch?: readonly number[] | undefined;
}

/** What a decision asks to write; `next` without its version and time. */
export interface AccessChange {
  readonly action: ChangeAction;
  readonly role?: RoleName;
  readonly next: StoredAccess;
  readonly before: ChangeSide;
  readonly after: ChangeSide;
  readonly reason: string | null;
  /** What goes into the same transaction for the roles' sake. */
  readonly members?: readonly TransactEntry[];
}

/** What sets one write apart from another. */
export interface AccessRule {
  readonly scope: Scope;
  /** A role whose definition the decision needs. */
  readonly definedRole?: RoleName | undefined;
  /** What to write; undefined when it already holds. Throws what it refuses. */
  readonly decide: (current: CurrentAccess, at: Date) => AccessChange | undefined;
}
