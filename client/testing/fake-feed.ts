import { FakeProblem, invalidField } from './fake-problem.ts';
import type { FakeState } from './fake-state.ts';

const idPattern = /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/;
/** Before every change. */
const beginning = '0'.repeat(26);

/** The cursors that a test has let expire: all that were given until then. */
export interface FakeRetention {
  expiredUntil: string;
}

/** A page of `GET /changes`: here every change is visible at once, so none comes again. */
export function listChanges({ changes }: FakeState, query: URLSearchParams, { expiredUntil }: FakeRetention): object {
  const after = query.get('after');
  if (after !== null && !idPattern.test(after)) throw invalidField('query:after', 'must be a cursor of this list');
  if (after !== null && after < expiredUntil) throw new FakeProblem('cursor_expired', 'Read the snapshot again.');
  const actions = query.get('actions')?.split(',');
  const behind = changes.filter(({ id }) => id > (after ?? beginning));
  const items = behind.filter(({ action }) => actions?.includes(action) ?? true).slice(0, limitOf(query, 25, 100));
  const isFull = items.length === limitOf(query, 25, 100);
  const cursor = (isFull ? items : behind).at(-1)?.id ?? after ?? beginning;
  return { items, cursor };
}

/** A page of `GET /access`, the snapshot; its cursor has the number of entries before and the cursor of the changes. */
export function listSnapshot(state: FakeState, query: URLSearchParams): object {
  const [, position = '0', known] = /^(\d+)-(\w+)$/.exec(query.get('after') ?? '') ?? [];
  if (query.has('after') && known === undefined) throw invalidField('query:after', 'must be a cursor of this list');
  const changesCursor = known ?? state.changes.at(-1)?.id ?? beginning;
  const entries = entriesOf(state);
  const end = Number(position) + limitOf(query, 2500, 2500);
  const isLast = end >= entries.length;
  return {
    items: entries.slice(Number(position), end),
    cursor: isLast ? null : `${end}-${changesCursor}`,
    total: isLast ? entries.length : null,
    changesCursor,
    rolloutPercent: state.application.rolloutPercent,
    applicationVersion: state.application.version,
  };
}

function entriesOf(state: FakeState): object[] {
  const accesses = [...state.accesses.values()].flatMap((access) => {
    const { appId: _, roles: __, ...entry } = access;
    const roles = state.liveRoles(access);
    const userCreatedAt = state.users.get(access.userId)?.createdAt ?? null;
    return access.status === null && roles.length === 0 ? [] : [{ kind: 'access', ...entry, userCreatedAt, roles }];
  });
  const inactive = [...state.users.values()].filter(({ status }) => status === 'inactive');
  return [
    ...accesses,
    ...inactive.map(({ userId, changeId }) => ({ kind: 'inactive', userId, changeId })),
    ...[...state.erased].map(([userId, mark]) => ({ kind: 'erased', userId, ...mark })),
  ];
}

function limitOf(query: URLSearchParams, byDefault: number, most: number): number {
  const limit = Number(query.get('limit') ?? byDefault);
  if (Number.isInteger(limit) && limit >= 1 && limit <= most) return limit;
  throw invalidField('query:limit', `must be a whole number from 1 to ${most}`);
}
