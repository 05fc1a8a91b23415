import type { Access } from '#shared/contract/access.ts';
import { type DecisionBasis, decideAccess } from './decide-access.ts';

/** The action that asks only whether the user may enter; any other names a role. A role of this name cannot be asked for. */
export const enterAction = 'enter';

/** Whether a user may act in an application, and why. */
export interface ActionDecision {
  readonly decision: boolean;
  readonly context:
    | { readonly code: 'user_not_found' }
    | ({ readonly roles?: readonly string[]; readonly code?: 'role_missing' } & Pick<
        Access,
        'userStatus' | 'effectiveStatus' | 'decidedBy'
      >);
}

/** Whether the user may enter the application and, unless the action is `enter`, holds the role that it names. */
export function decideEvaluation(basis: DecisionBasis, action: string, at: Date): ActionDecision {
  const decided = decideAccess(basis, at);
  const { userStatus, effectiveStatus, decidedBy } = decided;
  const roles: readonly string[] = decided.roles.map(({ name }) => name);
  const context = { userStatus, effectiveStatus, decidedBy, roles };
  if (effectiveStatus !== 'enabled') return { decision: false, context };
  if (action === enterAction || roles.includes(action)) return { decision: true, context };
  return { decision: false, context: { ...context, code: 'role_missing' } };
}
