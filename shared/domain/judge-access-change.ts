import type { ChangedAccess } from '#shared/contract/access.ts';
import { ServiceError } from '#shared/core/errors.ts';
import type { CurrentAccess } from '#shared/table/current-access.ts';
import type { User } from '#shared/table/user.ts';
import type { AccessChange, AccessCommand, AccessRule } from './access-change.ts';
import { type Authorized, requireScope } from './authorize-caller.ts';
import { decideAccess } from './decide-access.ts';
import { presentUser } from './present-user.ts';
import { refuseOtherVersion } from './refuse-other-version.ts';

/** What is to become of a write. */
export type Verdict =
  | { readonly kind: 'change'; readonly user: User; readonly change: AccessChange }
  | { readonly kind: 'unchanged'; readonly answer: ChangedAccess }
  | { readonly kind: 'refused'; readonly refusal: ServiceError };

/** A write, and all it is judged by. */
export interface Case {
  readonly command: AccessCommand;
  readonly rule: AccessRule;
  readonly current: CurrentAccess;
  readonly authorized: Authorized;
  readonly at: Date;
}

/** Judges a write; writes nothing. A refusal is a verdict too, because it spends the nonce. */
export function judgeAccessChange({ command, rule, current, authorized, at }: Case): Verdict {
  try {
    requireScope(authorized, rule.scope);
    const user = presentUser(current.user);
    refuseOtherVersion('access', current.access.version, command.ifMatch);
    const change = rule.decide(current, at);
    if (change !== undefined) return { kind: 'change', user, change };
    return { kind: 'unchanged', answer: { ...decideAccess(user, current.access, at), changed: false } };
  } catch (error) {
    if (error instanceof ServiceError) return { kind: 'refused', refusal: error };
    throw error;
  }
}
