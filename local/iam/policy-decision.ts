import type { Authorization } from './authorization.ts';
import type { Principal, Statement } from './statements.ts';

/** The policies that apply to a request within one account. */
export interface Policies {
  /** The policies of the calling role. */
  readonly identity: readonly Statement[];
  /** The policies of the resource. Default: none. */
  readonly resource?: readonly Statement[] | undefined;
}

export type Decision = 'allowed' | 'explicitly denied' | 'implicitly denied';

/**
 * Decides one permission as IAM does: a deny overrides every allow, and without an allow the permission is denied. The
 * policies of roles grant access to a KMS key only where the key's own policy says so.
 * https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_policies_evaluation-logic_policy-eval-denyallow.html
 * https://docs.aws.amazon.com/kms/latest/developerguide/key-policy-default.html
 */
export function decide(
  authorization: Authorization,
  principal: Principal,
  { identity, resource = [] }: Policies,
): Decision {
  const applying = [...identity, ...resource].filter((statement) => statement.applies(authorization, principal));
  if (applying.some(({ effect }) => effect === 'Deny')) return 'explicitly denied';
  const byResource = applying.map(({ names }) => names?.(principal));
  if (byResource.includes('itself')) return 'allowed';
  const isLeftToRoles = !authorization.action.startsWith('kms:') || byResource.includes('account');
  return isLeftToRoles && applying.some(({ names }) => names === undefined) ? 'allowed' : 'implicitly denied';
}
