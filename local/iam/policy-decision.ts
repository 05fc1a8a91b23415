import type { Authorization } from './authorization.ts';
import type { Principal, Statement } from './statements.ts';

/** The policies that decide about a request within one account. */
export interface Policies {
  /** Those of the role that asks. */
  readonly identity: readonly Statement[];
  /** Those of the resource. Default: it has none. */
  readonly resource?: readonly Statement[] | undefined;
}

export type Decision = 'allowed' | 'explicitly denied' | 'implicitly denied';

/**
 * Decides about one permission as IAM does: a statement that denies wins over all that allow, and what no statement allows
 * is denied. A KMS key leaves the decision to the policies of roles only where its own policy says so.
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
