import { randomBytes } from 'node:crypto';
import type { Access } from '#shared/contract/access.ts';
import type { Change } from '#shared/contract/change.ts';
import { signRequest } from '#shared/signature/sign.ts';

/** A service, a key that opens it, and the users and roles that requests are about. */
export interface LoadTarget {
  readonly baseUrl: string;
  readonly keyId: string;
  readonly secret: string;
  readonly userIds: readonly string[];
  readonly roles: readonly string[];
}

/** A request with a signature and nonce of its own. */
export function signedHeaders({ baseUrl, keyId, secret }: LoadTarget, method: string, path: string, body = '') {
  const created = Math.floor(Date.now() / 1000);
  const nonce = randomBytes(16).toString('base64url');
  const request = { method, url: baseUrl + path, ...(body === '' ? {} : { body }) };
  return signRequest(request, { keyId, secret, created, nonce });
}

/** How far a history and the current state agree. */
export interface Agreement {
  /** Changes of these users in the application; those of the application, of the users themselves and of others are left out. */
  readonly changes: number;
  readonly accesses: number;
  /** Users whose history leads to another state than the current one. */
  readonly disagreeing: readonly string[];
}

/** Reads an application's whole history and these users' access through the Service API, and compares them. */
export async function compareHistory(target: LoadTarget): Promise<Agreement> {
  const userIds = new Set(target.userIds);
  const changes = (await readChanges(target)).filter(
    ({ userId = '', appId }) => userIds.has(userId) && appId !== undefined,
  );
  const folded = foldHistory(changes);
  const disagreeing: string[] = [];
  for (const userId of target.userIds) {
    const access = await get<Access>(target, `/api/service/users/${userId}/access`);
    const [current, expected] = [foldable(access), folded.get(userId) ?? untouched];
    // Their properties are in the same order.
    if (JSON.stringify(current) !== JSON.stringify(expected)) disagreeing.push(userId);
  }
  return { changes: changes.length, accesses: target.userIds.length, disagreeing };
}

async function readChanges(target: LoadTarget): Promise<Change[]> {
  // Those of the last seconds may come again.
  const changes = new Map<string, Change>();
  let after = '';
  for (;;) {
    const page = await get<{ items: Change[]; cursor: string }>(target, `/api/service/changes?limit=100${after}`);
    if (page.items.length === 0) return [...changes.values()];
    for (const change of page.items) changes.set(change.id, change);
    after = `&after=${page.cursor}`;
  }
}

async function get<T>(target: LoadTarget, path: string): Promise<T> {
  const answer = await fetch(target.baseUrl + path, { headers: signedHeaders(target, 'GET', path) });
  if (answer.status !== 200) throw new Error(`GET ${path} got ${answer.status}: ${await answer.text()}`);
  return (await answer.json()) as T;
}

/** What a history says of one user in one application. */
export type FoldedAccess = Pick<Access, 'status' | 'explicit' | 'until' | 'reason' | 'roles' | 'version'>;

/** The state before the first change. */
const untouched: FoldedAccess = {
  status: 'enabled',
  explicit: false,
  until: null,
  reason: null,
  roles: [],
  version: 0,
};

/** The state that the changes of one application's users lead to, by user; fails when a change is missing between two. */
export function foldHistory(changes: readonly Change[]): ReadonlyMap<string, FoldedAccess> {
  const folded = new Map<string, FoldedAccess>();
  for (const change of changes) {
    const { userId = '' } = change;
    folded.set(userId, next(folded.get(userId) ?? untouched, change));
  }
  return folded;
}

/** The part of an access that a history tells. */
export function foldable({ status, explicit, until, reason, roles, version }: Access): FoldedAccess {
  return { status, explicit, until, reason, roles, version };
}

function next(access: FoldedAccess, { id, action, role, before, after }: Change): FoldedAccess {
  if (before?.version !== access.version || after?.version !== access.version + 1) {
    throw new Error(`The change ${id} leads from version ${before?.version}, but ${access.version} came before it`);
  }
  const version = access.version + 1;
  if (action === 'access.changed') {
    const { status, explicit, until, reason } = after as Pick<Access, 'status' | 'explicit' | 'until' | 'reason'>;
    return { status, explicit, until, reason, roles: access.roles, version };
  }
  const others = access.roles.filter(({ name }) => name !== role);
  if (action === 'role.revoked') return { ...access, roles: others, version };
  const granted = { name: role ?? '', expiresAt: after.expiresAt as string | null };
  return { ...access, roles: [...others, granted].sort((one, other) => (one.name < other.name ? -1 : 1)), version };
}
