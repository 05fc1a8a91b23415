import type { BenchKey } from './bench-keys.ts';
import { nothing } from './count-capacity.ts';
import { type Ask, serviceAsk } from './create-events.ts';
import { userIdAt } from './populations.ts';
import type { Consumption } from './prices.ts';

/** How often each operation is asked, each time about another user. */
export const times = 20;

/** An operation of the Service API, and what it was designed to take. */
export interface Operation {
  readonly operation: string;
  readonly ask: (at: number) => Ask;
  readonly expected?: number;
  /** What the stack is told to set for its functions. Default: nothing. */
  readonly environment?: Readonly<Record<string, string>>;
  readonly designed: Consumption;
}

/** In this order: some begin where others have ended. The last third of three times as many users has no access yet. */
export function operationsOf(key: BenchKey): Operation[] {
  const access = (at: number) => `/api/service/users/${userIdAt(at)}/access`;
  const get = (at: number) => serviceAsk({ method: 'GET', target: access(at), key });
  const put = (at: number, body: object, signedBy = key) =>
    serviceAsk({ method: 'PUT', target: access(at), body, key: signedBy });
  const assign = (at: number) =>
    serviceAsk({
      method: 'POST',
      target: `/api/service/roles/${userIdAt(at)}/assign`,
      body: { role: 'role-000' },
      key,
    });
  const revoke = (at: number) =>
    serviceAsk({ method: 'DELETE', target: `/api/service/users/${userIdAt(at)}/revoke?role=role-000`, key });
  const changes = () => serviceAsk({ method: 'GET', target: '/api/service/changes?limit=25', key });
  const forger = { ...key, secret: 'svs_guessed' };
  const untouched = (at: number) => at + 2 * times;
  return [
    { operation: 'GET access', ask: get, designed: designed(1, 3) },
    {
      operation: 'GET access, with keyStateCacheSeconds',
      ask: get,
      environment: { KEY_STATE_CACHE_SECONDS: '60' },
      designed: designed(1, 2),
    },
    {
      operation: 'GET access of an unknown user (404)',
      ask: (at) => get(at + 9000),
      expected: 404,
      designed: designed(1, 3),
    },
    { operation: 'GET changes, nothing new', ask: changes, designed: designed(2, 1.5) },
    // Nonce, Access, check of the User, Change: each twice in a transaction. In the index: Access and Change.
    {
      operation: 'PUT access, the first status',
      ask: (at) => put(untouched(at), { status: 'disabled' }),
      designed: designed(2, 3, 8, 2),
    },
    // The status is part of the Access's place in the index: one deletion and one insertion.
    {
      operation: 'PUT access, another status',
      ask: (at) => put(at, { status: 'disabled' }),
      designed: designed(2, 3, 8, 3),
    },
    {
      operation: 'PUT access, what already holds',
      ask: (at) => put(at, { status: 'disabled' }),
      designed: designed(2, 3, 1),
    },
    {
      operation: 'PUT access of an unknown user (404)',
      ask: (at) => put(at + 9000, { status: 'disabled' }),
      expected: 404,
      designed: designed(2, 3, 1),
    },
    // Beside those of a status: the Role is read, the Member is written.
    { operation: 'DELETE revoke', ask: revoke, designed: designed(2, 3, 10, 2) },
    { operation: 'POST assign', ask: assign, designed: designed(2, 4, 10, 2) },
    { operation: 'POST assign, what is held already', ask: assign, designed: designed(2, 4, 1) },
    {
      operation: 'forged PUT (401)',
      ask: (at) => put(at, { status: 'enabled' }, forger),
      expected: 401,
      designed: designed(0, 0),
    },
  ];
}

function designed(requests: number, readUnits: number, tableWriteUnits = 0, indexWriteUnits = 0): Consumption {
  return { ...nothing, requests, readUnits, tableWriteUnits, indexWriteUnits };
}
