import { type HeldRole, type OperatorRole, parseHeldRole } from '#shared/contract/operator-role.ts';
import { ServiceError } from './errors.ts';

/** How a deployment finds the roles of its operators; each role is `support`, or `support:billing` for one application. */
export interface OperatorRoleSettings {
  readonly token: {
    /** The claim of the access token that lists the operator's groups. Default: none, so every token has the role `viewer`. */
    readonly claim?: string | undefined;
    /** The role of each group. Default: each group is named after its role. */
    readonly groups?: Readonly<Record<string, string>> | undefined;
  };
  /** Roles by ARN pattern, in which `*` matches any text. */
  readonly arns: Readonly<Record<string, string>>;
  /** The same for identities that have no other role, whatever `arns` says. Default: none. */
  readonly limited?: Readonly<Record<string, string>> | undefined;
}

/**
 * The roles in a token's claim, or `viewer` if it has none. The claim must be a list: in the text to which API Gateway
 * converts a list, the group `x admin` looks the same as the groups `x` and `admin`.
 */
export function rolesOfToken(
  payload: Readonly<Record<string, unknown>>,
  { claim = '', groups }: OperatorRoleSettings['token'],
): readonly HeldRole[] {
  const listed = Object.hasOwn(payload, claim) ? payload[claim] : undefined;
  const named = Array.isArray(listed) ? listed.filter((group) => typeof group === 'string') : [];
  const held = named.flatMap((group) => roleOfGroup(group, groups) ?? []);
  return held.length > 0 ? held : [{ role: 'viewer', appId: null }];
}

function roleOfGroup(group: string, groups: OperatorRoleSettings['token']['groups']): HeldRole | undefined {
  if (groups === undefined) return parseHeldRole(group);
  return Object.hasOwn(groups, group) ? parseHeldRole(groups[group] ?? '') : undefined;
}

/**
 * The roles of an IAM identity: those to which it is limited or else those of all patterns that match its ARN; `viewer` if none
 * does. Without any pattern, every other identity that IAM lets in is an `admin`.
 */
export function rolesOfArn(
  arn: string,
  { arns, limited = {} }: Pick<OperatorRoleSettings, 'arns' | 'limited'>,
): readonly HeldRole[] {
  const only = rolesIn(limited, arn);
  if (only.length > 0) return only;
  if (Object.keys(arns).length === 0) return [{ role: 'admin', appId: null }];
  const held = rolesIn(arns, arn);
  return held.length > 0 ? held : [{ role: 'viewer', appId: null }];
}

function rolesIn(patterns: OperatorRoleSettings['arns'], arn: string): readonly HeldRole[] {
  const matching = Object.entries(patterns).filter(([pattern]) => matchesArn(pattern, arn));
  return matching.flatMap(([, role]) => parseHeldRole(role) ?? []);
}

/** Without the session name, which is chosen by the caller that assumes the role. */
function matchesArn(pattern: string, arn: string): boolean {
  const parts = pattern.split('*').map((part) => part.replace(/[\\^$.+?()[\]{}|]/g, '\\$&'));
  const matcher = new RegExp(`^${parts.join('.*')}$`, 's');
  const [identity] = /^arn:[^:]*:sts::[^:]*:(?:assumed-role\/[^/]*|federated-user)/.exec(arn) ?? [];
  return identity === undefined ? matcher.test(arn) : matcher.test(identity) || matcher.test(`${identity}/`);
}

/** 403 `role_required`, with the least sufficient role, its scope, and the operator's roles. */
export function roleRequired(role: OperatorRole, where: string, held: readonly HeldRole[]): ServiceError {
  const names = held.map((each) => (each.appId === null ? each.role : `${each.role}:${each.appId}`)).join(', ');
  return new ServiceError('role_required', {
    detail: `Requires the ${[role, 'role', where].filter(Boolean).join(' ')}; you have ${names}.`,
    members: { requiredRole: role },
  });
}
