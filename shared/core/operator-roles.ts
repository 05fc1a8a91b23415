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
 * The roles of an IAM identity from all patterns that match its ARN; `viewer` if none does. Without any pattern, every identity
 * that IAM lets in is an `admin`.
 */
export function rolesOfArn(arn: string, patterns: OperatorRoleSettings['arns']): readonly HeldRole[] {
  const entries = Object.entries(patterns);
  if (entries.length === 0) return [{ role: 'admin', appId: null }];
  const held = entries.filter(([pattern]) => matchesArn(pattern, arn)).flatMap(([, role]) => parseHeldRole(role) ?? []);
  return held.length > 0 ? held : [{ role: 'viewer', appId: null }];
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
