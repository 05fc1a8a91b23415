import { randomBytes } from 'node:crypto';
import type { Access } from '#shared/contract/access.ts';
import type { Change } from '#shared/contract/change.ts';
import { signRequest } from '#shared/signature/sign.ts';
import { type FoldedAccess, foldable, foldHistory, untouched } from './fold-history.ts';
import type { LoadTarget } from './send-load.ts';

/** How a history and the state that it led to agree. */
export interface Agreement {
  /** Of users; the application's own are left out. */
  readonly changes: number;
  readonly accesses: number;
  /** Users whose history leads elsewhere than to what holds. */
  readonly disagreeing: readonly string[];
}

/** Reads an application's whole history and every user's access through the Service API, and compares them. */
export async function compareHistory(target: LoadTarget): Promise<Agreement> {
  const changes = (await readChanges(target)).filter(({ userId }) => userId !== undefined);
  const folded = foldHistory(changes);
  const disagreeing: string[] = [];
  for (const userId of target.userIds) {
    const access = await get<Access>(target, `/api/service/users/${userId}/access`);
    if (!areAlike(foldable(access), folded.get(userId) ?? untouched)) disagreeing.push(userId);
  }
  return { changes: changes.length, accesses: target.userIds.length, disagreeing };
}

/** Their members stand in one order. */
function areAlike(one: FoldedAccess, other: FoldedAccess): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

async function readChanges(target: LoadTarget): Promise<Change[]> {
  const changes: Change[] = [];
  let after = '';
  for (;;) {
    const page = await get<{ items: Change[]; cursor: string }>(target, `/api/service/changes?limit=100${after}`);
    if (page.items.length === 0) return changes;
    changes.push(...page.items);
    after = `&after=${page.cursor}`;
  }
}

async function get<T>({ baseUrl, keyId, secret }: LoadTarget, path: string): Promise<T> {
  const url = baseUrl + path;
  const created = Math.floor(Date.now() / 1000);
  const nonce = randomBytes(16).toString('base64url');
  const answer = await fetch(url, { headers: signRequest({ method: 'GET', url }, { keyId, secret, created, nonce }) });
  if (answer.status !== 200) throw new Error(`GET ${path} got ${answer.status}: ${await answer.text()}`);
  return (await answer.json()) as T;
}
