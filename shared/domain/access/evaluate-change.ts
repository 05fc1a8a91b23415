import type { ChangedAccess } from '#shared/contract/access.ts';
import { ServiceError } from '#shared/core/errors.ts';
import type { AccessSubject, CurrentAccess } from '#shared/table/items/access-item.ts';
import { requireUser, type User } from '#shared/table/items/user-item.ts';
import type { Key } from '#shared/table/keys.ts';
import { type Authorized, requireScope } from '../api-key/authorize-caller.ts';
import { requireVersion } from '../request/optimistic-locking.ts';
import type { RequestContext } from '../request/request-context.ts';
import { decideAccess } from './decide-access.ts';
import type { AccessChange } from './decide-access-change.ts';

/** Whose access is changed, and which versions of it the caller has seen (`If-Match`); undefined is any. */
export interface AccessCommand extends AccessSubject {
  readonly ifMatch?: readonly number[] | undefined;
}

/** How one write differs from another. */
export interface AccessRule {
  /** One more item that the decision needs, such as a role's definition. */
  readonly also?: Key;
  /** What to write; undefined when it already holds. Throws what it refuses. */
  readonly decide: (current: CurrentAccess, at: Date) => AccessChange | undefined;
}

/** Outcome of a write attempt, before anything is written. */
export type Evaluation =
  | { readonly kind: 'change'; readonly user: User; readonly change: AccessChange }
  | { readonly kind: 'unchanged'; readonly answer: ChangedAccess }
  | { readonly kind: 'refused'; readonly refusal: ServiceError };

/** A write attempt, and all that it is decided by. */
export interface Attempt {
  readonly command: AccessCommand;
  readonly rule: AccessRule;
  readonly current: CurrentAccess;
  readonly authorized: Authorized;
  readonly context: RequestContext;
  readonly at: Date;
}

/** Evaluates a write attempt; writes nothing. A refusal is returned and not thrown, because it spends the nonce. */
export function evaluateChange({ command, rule, current, authorized, context, at }: Attempt): Evaluation {
  try {
    requireScope(authorized, context);
    const user = requireUser(current.user);
    requireVersion('access', current.access.version, command.ifMatch);
    const change = rule.decide(current, at);
    if (change !== undefined) return { kind: 'change', user, change };
    return { kind: 'unchanged', answer: { ...decideAccess(user, current.access, at), changed: false } };
  } catch (error) {
    if (error instanceof ServiceError) return { kind: 'refused', refusal: error };
    throw error;
  }
}
