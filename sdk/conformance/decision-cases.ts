import { erasedUntil } from '#shared/contract/entry-digest.ts';
import { decideLocally, type ReplicaState } from '../../client/replica/decide-locally.ts';
import { addPage } from '../../client/replica/knowledge.ts';
import { readEntry } from '../../client/replica/user-facts.ts';

/** A decision about one user: the entries of the snapshot that concern the user, and what follows from them. */
export interface DecisionVector {
  readonly name: string;
  readonly appId: string;
  readonly userId: string;
  readonly rolloutPercent: number;
  /** As `GET /api/service/access` returns them. */
  readonly entries: readonly object[];
  /** The service's time. */
  readonly at: string;
  readonly expected: {
    readonly effectiveStatus: string;
    readonly decidedBy: string | null;
    readonly roles: readonly object[];
    readonly code: string | null;
  };
}

const appId = 'crm';
const at = '2026-11-20T12:00:00.000Z';
const changeId = '01KAAAAAAA0000000000000000';

const settings = {
  'no status': { status: null, until: null },
  enabled: { status: 'enabled', until: null },
  disabled: { status: 'disabled', until: null },
  'disabled for another millisecond': { status: 'disabled', until: '2026-11-20T12:00:00.001Z' },
  'disabled until now': { status: 'disabled', until: at },
  'disabled until yesterday': { status: 'disabled', until: '2026-11-19T12:00:00.000Z' },
};
const held = {
  'no role': [],
  'two roles and an ended one': [
    { name: 'viewer', expiresAt: null },
    { name: 'admin', expiresAt: '2026-11-20T12:00:00.001Z' },
    { name: 'editor', expiresAt: at },
  ],
};
/** `user-5007` has the first bucket, `user-14518` the last one, `user-11626` the bucket 56. */
const rollouts = [100, 99.99, 50, 0.57, 0.56, 0] as const;
const userIds = ['ada', 'user-5007', 'user-14518', 'user-11626'] as const;

/** The decision of the SDK from these entries. */
function decide(vector: Omit<DecisionVector, 'expected'>): DecisionVector {
  const { userId, rolloutPercent, entries } = vector;
  const state: ReplicaState = { appId: vector.appId, users: new Map(), rollout: [100, -1], cursor: '' };
  addPage(state, { facts: entries.flatMap(readEntry), rollouts: [[rolloutPercent, 1]] });
  const time = Date.parse(vector.at);
  const { effectiveStatus, decidedBy, roles, code } = decideLocally(state, userId, [time, 0]);
  return { ...vector, expected: { effectiveStatus, decidedBy, roles, code } };
}

function ofActivity(): DecisionVector[] {
  return [false, true].flatMap((isInactive) =>
    Object.entries(settings).flatMap(([setting, status]) =>
      Object.entries(held).flatMap(([roleNames, roles]) =>
        [100, 0].map((rolloutPercent) => {
          const inactive = isInactive ? [{ kind: 'inactive', userId: 'ada', changeId }] : [];
          const entries = [...inactive, { kind: 'access', userId: 'ada', changeId, ...status, roles }];
          const name = `${isInactive ? 'inactive' : 'active'}, ${setting}, ${roleNames}, a rollout of ${rolloutPercent} %`;
          return decide({ name, appId, userId: 'ada', rolloutPercent, entries, at });
        }),
      ),
    ),
  );
}

function ofRollout(): DecisionVector[] {
  return userIds.flatMap((userId) =>
    rollouts.map((rolloutPercent) =>
      decide({ name: `${userId} in a rollout of ${rolloutPercent} %`, appId, userId, rolloutPercent, entries: [], at }),
    ),
  );
}

/** The id of a change at this time: a ULID, whose first ten characters are the time. */
function changeIdAt(time: number): string {
  const digits = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
  const characters = Array.from({ length: 10 }, (_, place) => digits[Math.floor(time / 32 ** (9 - place)) % 32]);
  return `${characters.join('')}0000000000000000`;
}

function ofErasing(): DecisionVector[] {
  const end = Date.parse(at);
  const erased = (erasedAt: number) => [
    { kind: 'erased', userId: 'ada', changeId: changeIdAt(erasedAt), erasedAt: null },
  ];
  const days30 = erasedUntil(0);
  const access = { kind: 'access', userId: 'ada', status: 'disabled', until: null, roles: [] };
  return (
    [
      ['erased an hour ago', erased(end - 3_600_000)],
      ['erased 30 days ago, but for a millisecond', erased(end - days30 + 1)],
      ['erased 30 days ago', erased(end - days30)],
      ['erased, with an entry from before', [{ ...access, changeId }, ...erased(end - 3_600_000)]],
      ['erased and created again', [...erased(end - 7_200_000), { ...access, changeId: changeIdAt(end - 3_600_000) }]],
    ] as const
  ).map(([name, entries]) => decide({ name, appId, userId: 'ada', rolloutPercent: 100, entries, at }));
}

function ofInvalidIds(): DecisionVector[] {
  const ids = ['', '.', '..', 'a/b', 'a b', 'a%b', 'jörg', 'x'.repeat(129)];
  return ids.map((userId) =>
    decide({
      name: `an id that no user can have: ${userId.slice(0, 9)}`,
      appId,
      userId,
      rolloutPercent: 100,
      entries: [],
      at,
    }),
  );
}

/** All decisions. */
export function buildDecisions(): DecisionVector[] {
  return [...ofActivity(), ...ofRollout(), ...ofErasing(), ...ofInvalidIds()];
}
