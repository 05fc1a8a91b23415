import * as v from 'valibot';
import { type AppId, appIdSchema } from './fields.ts';

/** What an operator may do, the least first; each includes those before it. */
export const operatorRoles = ['viewer', 'support', 'admin'] as const;
export type OperatorRole = (typeof operatorRoles)[number];

/** A role that an operator holds, everywhere or in one application. */
export interface HeldRole {
  readonly role: OperatorRole;
  /** `null` for all applications. */
  readonly appId: string | null;
}

/**
 * Reads `support`, or `support:billing` for one application; undefined for any other text. The application need not exist,
 * so that a misspelt limit never widens what its operator may do.
 */
export function parseHeldRole(text: string): HeldRole | undefined {
  const [name, ...rest] = text.split(':');
  const role = operatorRoles.find((known) => known === name);
  return role && { role, appId: rest.length === 0 ? null : rest.join(':') };
}

/** Whether a role is another one or includes it. */
export function includesRole(held: OperatorRole, needed: OperatorRole): boolean {
  return operatorRoles.indexOf(held) >= operatorRoles.indexOf(needed);
}

/** The strongest role that an operator holds in an application, or without one everywhere. */
export function strongestRole(held: readonly HeldRole[], appId: string | null): OperatorRole | undefined {
  const roles = held.filter((each) => each.appId === null || each.appId === appId).map(({ role }) => role);
  return operatorRoles.findLast((role) => roles.includes(role));
}

/** What the operation's record says of who may call it. */
export interface RoleRequirement {
  readonly role: OperatorRole;
  readonly forLimited?: 'whole' | 'narrowed' | 'named';
  readonly path: string;
}

/** Whether an operator may call an operation: for this application, where its path or its body names one. */
export function mayCall(held: readonly HeldRole[], operation: RoleRequirement, appId?: string): boolean {
  const sufficient = held.filter(({ role }) => includesRole(role, operation.role));
  if (namesApplication(operation)) {
    return sufficient.some((each) => each.appId === null || each.appId === appId);
  }
  return sufficient.some((each) => each.appId === null || operation.forLimited !== undefined);
}

/** Whether an operation is about the one application that its path names or, for a new one, its body. */
export function namesApplication({ path, forLimited }: Omit<RoleRequirement, 'role'>): boolean {
  return forLimited === 'named' || path.includes('{appId}');
}

/** The applications to which an operator's roles are limited, by id; undefined without a limit. */
export function limitOf(held: readonly HeldRole[]): readonly AppId[] | undefined {
  const limits = held.map(({ appId }) => appId);
  if (limits.includes(null)) return undefined;
  return [...new Set(limits)].filter((appId): appId is AppId => v.is(appIdSchema, appId)).sort();
}
