import { manageOperations } from '#shared/contract/operations.ts';
import { type HeldRole, mayCall, type OperatorRole, strongestRole } from '#shared/contract/operator-role.ts';

/** An operator as AWS has authenticated them, with all roles that they hold. */
export interface Operator {
  readonly identity: OperatorIdentity;
  readonly heldRoles: readonly HeldRole[];
}

type OperatorIdentity =
  | { readonly kind: 'operator'; readonly via: 'iam'; readonly id: string }
  | { readonly kind: 'operator'; readonly via: 'token'; readonly issuer: string; readonly id: string };

const identities = [
  { kind: 'operator', via: 'iam', id: 'arn:aws:iam::111122223333:user/ada' },
  { kind: 'operator', via: 'token', issuer: 'https://login.example.com', id: 'grace' },
  { kind: 'operator', via: 'token', issuer: 'https://login.example.com', id: 'ada' },
] as const;

/** The operators of a run: an administrator, a supporter, and a supporter of the first application only. */
export function operatorsOf(apps: readonly string[]): readonly Operator[] {
  const held: readonly (readonly HeldRole[])[] = [
    [{ role: 'admin', appId: null }],
    [
      { role: 'support', appId: null },
      { role: 'admin', appId: apps[0] ?? '' },
    ],
    [{ role: 'support', appId: apps[0] ?? '' }],
  ];
  return identities.map((identity, n) => ({ identity, heldRoles: held[n] ?? [] }));
}

/** Whether the Management API lets an operator call this; what it does not offer is read by anyone. */
export function isAllowed({ heldRoles }: Operator, operation: string, appId: string | undefined): boolean {
  const records: Readonly<Record<string, Parameters<typeof mayCall>[1]>> = manageOperations;
  const described = records[sameOperation[operation] ?? operation];
  return described === undefined || mayCall(heldRoles, described, appId);
}

/** The operations of the Service API that the Management API has under another name. */
const sameOperation: Readonly<Record<string, string>> = {
  'set-access': 'set-user-access',
  'assign-role': 'assign-user-role',
  'revoke-role': 'revoke-user-role',
};

/** The role that the history records: the strongest for the application, or for all of them. */
export function recordedRole({ heldRoles }: Operator, appId: string | undefined): OperatorRole {
  return strongestRole(heldRoles, appId ?? null) ?? 'viewer';
}
