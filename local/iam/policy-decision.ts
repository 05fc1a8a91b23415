import type { Authorization } from './authorization.ts';
import type { Principal, Statement } from './statements.ts';

/** The policies that apply to a request within one account. */
export interface Policies {
  /** The policies of the calling role. */
  readonly identity: readonly Statement[];
  /** The permissions boundary of the calling role. Default: none. */
  readonly boundary?: readonly Statement[] | undefined;
  /** The policies of the resource. Default: none. */
  readonly resource?: readonly Statement[] | undefined;
}

export type Decision = 'allowed' | 'explicitly denied' | 'implicitly denied';

/**
 * Decides one permission as IAM does: a deny overrides every allow, and without an allow the permission is denied. A
 * permissions boundary must allow it too, also where the policy of a resource names the role. The policies of roles grant
 * access to a KMS key only where the key's own policy says so.
 * https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_policies_evaluation-logic_policy-eval-denyallow.html
 * https://docs.aws.amazon.com/IAM/latest/UserGuide/access_policies_boundaries.html
 * https://docs.aws.amazon.com/kms/latest/developerguide/key-policy-default.html
 */
export function decide(authorization: Authorization, principal: Principal, policies: Policies): Decision {
  const { boundary } = policies;
  const bounding = boundary?.filter((statement) => statement.applies(authorization, principal));
  const granting = grantingStatements(authorization, principal, policies);
  if ([...granting, ...(bounding ?? [])].some(({ effect }) => effect === 'Deny')) return 'explicitly denied';
  if (bounding?.length === 0) return 'implicitly denied';
  const byResource = granting.map(({ names }) => names?.(principal));
  if (byResource.includes('itself')) return 'allowed';
  const isLeftToRoles = !authorization.action.startsWith('kms:') || byResource.includes('account');
  return isLeftToRoles && granting.some(({ names }) => names === undefined) ? 'allowed' : 'implicitly denied';
}

function grantingStatements(
  authorization: Authorization,
  principal: Principal,
  { identity, resource = [] }: Policies,
): Statement[] {
  return [...identity, ...resource].filter((statement) => statement.applies(authorization, principal));
}
