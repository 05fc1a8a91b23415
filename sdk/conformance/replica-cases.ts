import { startOfCases } from './failure-cases.ts';
import type { HistoryCase } from './run-history.ts';
import type { ReplicaRequest, ScriptedService } from './scripted-service.ts';

const digits = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/** The id of a change at so many seconds after the start; of two in the same second, the one with the higher number is later. */
function idAt(seconds: number, number = 0): string {
  const time = startOfCases + seconds * 1000;
  const encode = (value: number, length: number) =>
    Array.from({ length }, (_, place) => digits[Math.floor(value / 32 ** (length - 1 - place)) % 32]).join('');
  return encode(time, 10) + encode(number, 16);
}

function iso(seconds: number): string {
  return new Date(startOfCases + seconds * 1000).toISOString();
}

const early = idAt(-86_400);

function entry(userId: string, members: object = {}) {
  return { kind: 'access', userId, changeId: early, status: 'disabled', until: null, roles: [], ...members };
}

function inactive(userId: string, changeId = early) {
  return { kind: 'inactive', userId, changeId };
}

function erased(userId: string, changeId = early) {
  return { kind: 'erased', userId, changeId, erasedAt: null };
}

/** An access as the service answers it when it is asked about a user. */
function access(userId: string, members: object = {}) {
  const unset = { status: 'enabled', explicit: false, until: null, reason: null, userStatus: 'active' };
  const decided = { effectiveStatus: 'enabled', decidedBy: 'default', roles: [], version: 1, updatedAt: null };
  return { userId, appId: 'billing', ...unset, ...decided, ...members };
}

const blockedAccess = { status: 'disabled', explicit: true, effectiveStatus: 'disabled', decidedBy: 'explicit' };
const unset = { status: 'enabled', explicit: false, until: null };

function setStatus(
  userId: string,
  seconds: number,
  status: string,
  more: { until?: string; before?: object; number?: number } = {},
) {
  const { until = null, before, number } = more;
  const after = { status, explicit: true, until, reason: null };
  const id = idAt(seconds, number);
  return { id, action: 'access.changed', appId: 'billing', userId, after, ...(before && { before }) };
}

function setRole(
  userId: string,
  seconds: number,
  role: string,
  granted: boolean,
  more: { expiresAt?: string; number?: number } = {},
) {
  const { expiresAt = null, number } = more;
  const action = granted ? 'role.assigned' : 'role.revoked';
  return { id: idAt(seconds, number), action, appId: 'billing', userId, role, after: { granted, expiresAt } };
}

function setActivity(userId: string, seconds: number, status: string) {
  return { id: idAt(seconds), action: 'user.status.changed', userId, after: { status } };
}

function setRollout(seconds: number, rolloutPercent: number, version: number) {
  return { id: idAt(seconds), action: 'application.updated', appId: 'billing', after: { rolloutPercent, version } };
}

const isPoll = ({ path }: ReplicaRequest) => path === 'changes';
const refusal = (status: number, code: string, more: object = {}) => ({
  status,
  body: { title: 'T', status, detail: 'D', code, ...more },
});
const fail = (service: ScriptedService) => {
  service.interfere = () => ({ fault: 'no_answer' });
};
const recover = (service: ScriptedService) => {
  service.interfere = () => undefined;
};
const everyone = ['ada', 'ben', 'cy', 'dot', 'eve', 'zoe', 'a/b'];

function fill(service: ScriptedService): void {
  service.entries = [
    erased('eve'),
    inactive('ben'),
    entry('ada'),
    entry('cy', {
      status: null,
      roles: [
        { name: 'viewer', expiresAt: null },
        { name: 'editor', expiresAt: iso(12) },
      ],
    }),
    entry('dot', { until: iso(7) }),
  ];
}

const snapshots: readonly HistoryCase[] = [
  {
    name: 'a snapshot of three pages decides, and blocks and roles end by themselves',
    async script({ service, until, open, check, checkOrAsk }) {
      fill(service);
      service.pageSize = 2;
      await open();
      check(...everyone);
      await checkOrAsk('ada', 'zoe', 'a/b');
      await until(6.9);
      check('dot', 'cy');
      await until(7);
      check('dot');
      await until(13.4);
      check('cy');
    },
  },
  {
    name: 'a snapshot that is not complete decides nothing',
    async script({ service, until, open, check }) {
      fill(service);
      const left = ['fewer entries', 'another feed', 'no answer'];
      service.interfere = ({ path }) => {
        const found = path === 'access' ? left.shift() : undefined;
        const page = { items: [entry('ada')], ranges: [], liveAt: iso(600), cursor: null, rolloutPercent: 100 };
        if (found === 'fewer entries')
          return { body: { ...page, total: 2, changesCursor: 'c0', applicationVersion: 1 } };
        if (found === 'another feed') return { body: { ...page, total: 1, changesCursor: '', applicationVersion: 1 } };
        return found === undefined ? undefined : { fault: 'no_answer' };
      };
      await open();
      check(...everyone);
      await until(19.4);
    },
  },
  {
    name: 'a snapshot with an entry of an unknown kind is not used, because it could be a block',
    async script({ service, until, open, check }) {
      const items = [entry('ada'), { kind: 'group', userId: 'ben', changeId: early }];
      const page = { items, ranges: [], liveAt: iso(600), cursor: null, total: 2, changesCursor: 'c0' };
      service.interfere = () => ({ body: { ...page, rolloutPercent: 100, applicationVersion: 1 } });
      const opening = open();
      await until(2.4);
      fill(service);
      recover(service);
      await opening;
      check('ada', 'ben');
    },
  },
  {
    name: 'the start fails at once if the key is refused',
    async script({ service, open }) {
      service.interfere = () => refusal(401, 'key_revoked');
      await open();
    },
  },
  {
    name: 'the start fails after its time',
    options: { startTimeoutSeconds: 10 },
    async script({ service, open }) {
      fail(service);
      await open();
    },
  },
];

const followings: readonly HistoryCase[] = [
  {
    name: 'changes of every kind are followed',
    async script({ service, until, open, check }) {
      fill(service);
      await open();
      service.feed.push(
        setStatus('ada', 1, 'enabled'),
        setStatus('zoe', 2, 'disabled', { until: iso(30) }),
        setRole('zoe', 3, 'editor', true, { expiresAt: iso(20) }),
        setRole('cy', 3, 'viewer', false),
        setActivity('ben', 4, 'active'),
      );
      await until(6.4);
      check(...everyone);
      service.feed.push(
        { id: idAt(7), action: 'user.deleted', userId: 'zoe', before: { status: 'active' }, after: null },
        { id: idAt(8), action: 'user.created', userId: 'eve', before: null, after: { status: 'active' } },
        {
          id: idAt(8),
          action: 'role.defined',
          appId: 'billing',
          role: 'new',
          before: null,
          after: { description: null },
        },
        { id: idAt(9), action: 'something.new', appId: 'billing', userId: 'ada', before: null, after: null },
      );
      await until(11.4);
      check(...everyone);
      await until(24.4);
      check(...everyone);
    },
  },
  {
    name: 'of two changes of a user the later one decides, in any order, late or repeated',
    async script({ service, until, open, check }) {
      await open();
      service.pending = [setStatus('ada', 3, 'disabled'), setStatus('ben', 3, 'enabled', { number: 2 })];
      await until(6.4);
      check('ada', 'ben');
      service.feed.push(setStatus('ada', 2, 'enabled'), setStatus('ben', 3, 'disabled', { number: 1 }));
      await until(11.4);
      check('ada', 'ben');
      service.pending = [];
      service.feed.push(setStatus('ada', 3, 'disabled'), setStatus('ben', 3, 'enabled', { number: 2 }));
      await until(16.4);
      check('ada', 'ben');
    },
  },
  {
    name: 'a change that comes a poll later than a newer one of the user is ignored',
    async script({ service, until, open, check }) {
      await open();
      service.feed.push(setStatus('ada', 3, 'disabled'), setRole('ben', 3, 'editor', true));
      await until(6.4);
      service.feed.push(setStatus('ada', 2, 'enabled'), setRole('ben', 2, 'editor', false));
      await until(11.4);
      check('ada', 'ben');
      await until(16.4);
      check('ada', 'ben');
    },
  },
  {
    name: 'a change from before the erasure of a user does not concern the user who has the id now',
    async script({ service, until, open, check }) {
      await open();
      service.feed.push(
        { id: idAt(3), action: 'user.deleted', userId: 'ada', before: { status: 'active' }, after: null },
        { id: idAt(4), action: 'user.created', userId: 'ada', before: null, after: { status: 'active' } },
      );
      await until(6.4);
      check('ada');
      service.feed.push(setStatus('ada', 2, 'disabled'));
      await until(11.4);
      check('ada');
    },
  },
  {
    name: 'a change from before an entry of the snapshot is ignored',
    async script({ service, until, open, check }) {
      const roles = [{ name: 'viewer', expiresAt: null }];
      service.entries = [entry('ada', { changeId: idAt(-10), status: null, roles })];
      service.pending = [setStatus('ada', -20, 'disabled'), setRole('ada', -15, 'editor', true)];
      await open();
      check('ada');
      await until(6.4);
      check('ada');
    },
  },
  {
    name: 'more changes than a page has are applied in one poll',
    async script({ service, until, open, check }) {
      await open();
      for (let n = 0; n < 230; n++)
        service.feed.push(setStatus(`user-${n % 9}`, 1, n % 2 ? 'enabled' : 'disabled', { number: n }));
      await until(6.4);
      check('user-0', 'user-1', 'user-8');
    },
  },
  {
    name: 'a page of changes that cannot be read is applied not at all, and the snapshot is read again',
    async script({ service, until, open, check }) {
      fill(service);
      await open();
      service.feed.push(setStatus('zoe', 1, 'disabled'), { id: idAt(2), action: 'user.deleted', after: null });
      await until(6.4);
      check('zoe');
      service.feed.pop();
      await until(29.4);
      check('zoe');
    },
  },
  {
    name: 'a rollout is followed by its version, and concerns everyone',
    async script({ service, until, open, check }) {
      service.rollout = [0, 3];
      await open();
      check('ada', 'user-5007');
      service.feed.push(setRollout(1, 100, 2));
      await until(6.4);
      check('ada');
      service.feed.push(setRollout(7, 0.01, 4));
      await until(11.4);
      check('ada', 'user-5007');
    },
  },
  {
    name: 'an expired cursor makes the replica read the snapshot again, and the known data decides until then',
    async script({ service, until, open, check }) {
      fill(service);
      await open();
      service.interfere = (request) => (isPoll(request) ? refusal(410, 'cursor_expired') : undefined);
      await until(6.4);
      check('ada');
      service.entries = [entry('zoe')];
      recover(service);
      await until(39.4);
      check('ada', 'zoe');
    },
  },
  {
    name: 'resync reads the snapshot again',
    async script({ service, until, open, check, resync }) {
      fill(service);
      await open();
      service.entries = [entry('zoe')];
      await until(1.4);
      resync();
      await until(2.4);
      check('ada', 'zoe');
    },
  },
];

const outages: readonly HistoryCase[] = [
  ...(['ask', 'deny', 'goOn'] as const).map(
    (whenStale): HistoryCase => ({
      name: `an outage, with whenStale ${whenStale}`,
      options: { whenStale, maxStalenessSeconds: 30 },
      async script({ service, until, open, check, checkOrAsk }) {
        fill(service);
        await open();
        await until(6.4);
        fail(service);
        await until(34.4);
        check('ada', 'zoe', 'dot');
        await until(36.4);
        check('ada', 'zoe', 'dot', 'a/b');
        await checkOrAsk('ada', 'a/b');
        service.users.set('zoe', access('zoe'));
        service.interfere = (request) => (isPoll(request) ? { fault: 'no_answer' } : undefined);
        await until(79.4);
        await checkOrAsk('zoe', 'ada');
        recover(service);
        await until(129.4);
        check('ada', 'zoe');
      },
    }),
  ),
  {
    name: 'a key that the service refuses denies everyone once the data is too old, even with goOn',
    options: { whenStale: 'goOn', maxStalenessSeconds: 20 },
    async script({ service, until, open, check }) {
      fill(service);
      await open();
      service.interfere = () => refusal(401, 'key_revoked');
      await until(14.4);
      check('zoe', 'ada');
      await until(24.4);
      check('zoe', 'ada');
      recover(service);
      await until(59.4);
      check('zoe', 'ada');
    },
  },
  {
    name: 'a refusal that is not the answer of the service is an outage',
    options: { whenStale: 'goOn', maxStalenessSeconds: 20 },
    async script({ service, until, open, check }) {
      fill(service);
      await open();
      service.interfere = () => ({ ...refusal(401, 'key_revoked'), foreign: true });
      await until(29.4);
      check('zoe', 'ada');
    },
  },
  {
    name: 'Retry-After delays the next poll',
    async script({ service, until, open }) {
      await open();
      service.interfere = () => ({ ...refusal(429, 'too_many_requests'), headers: { 'retry-after': '40' } });
      await until(9.4);
      recover(service);
      await until(59.4);
    },
  },
  {
    name: 'blocks end by the clock of the service',
    async script({ service, until, open, check }) {
      service.aheadSeconds = 90;
      service.entries = [entry('ada', { until: iso(95) }), entry('ben', { until: iso(60) })];
      await open();
      await until(3.4);
      check('ada', 'ben');
      await until(7);
      check('ada');
    },
  },
  {
    name: 'an answer that is dated more than ten minutes off is not one',
    options: { maxStalenessSeconds: 20 },
    async script({ service, until, open, check }) {
      fill(service);
      await open();
      service.aheadSeconds = 601;
      await until(29.4);
      check('ada', 'zoe');
    },
  },
];

const unknowns: readonly HistoryCase[] = (['default', 'ask', 'deny'] as const).map((unknown) => ({
  name: `ids of which nothing is known, with unknown ${unknown}`,
  options: { unknown },
  async script({ service, until, open, check, checkOrAsk }) {
    fill(service);
    for (const userId of ['zoe', 'ada']) service.users.set(userId, access(userId));
    await open();
    check('zoe', 'nobody', 'ada', 'a/b');
    await checkOrAsk('zoe', 'nobody', 'ada', 'a/b');
    check('zoe', 'nobody');
    await checkOrAsk('zoe', 'nobody');
    service.feed.push(setStatus('zoe', 3, 'disabled'), setActivity('nobody', 4, 'active'));
    await until(6.4);
    check('zoe', 'nobody');
    await until(11.4);
    check('zoe', 'nobody');
    await until(69.4);
    check('nobody');
    await checkOrAsk('nobody');
  },
}));

const repairs: readonly HistoryCase[] = [
  {
    name: 'a user with a block of which the replica knows nothing is read again',
    options: { unknown: 'ask' },
    async script({ service, until, open, check, checkOrAsk }) {
      service.users.set('zoe', access('zoe', blockedAccess));
      await open();
      await checkOrAsk('zoe');
      check('zoe');
      await until(12.4);
      check('zoe');
    },
  },
  {
    name: 'a user is read again also while others have changes without a number, which the replica had when it loaded',
    async script({ service, until, open, check }) {
      fill(service);
      service.users.set('ada', access('ada'));
      service.pending = [setStatus('ben', -1, 'disabled')];
      await open();
      check('ada', 'ben');
      service.omitted = 1;
      service.pending = [{ ...setStatus('ada', 1, 'enabled'), signature: 'forged' }];
      await until(7);
      service.pending = [];
      service.omitted = 2;
      await until(29.4);
      check('ada', 'ben');
    },
  },
  {
    name: 'a change without a signature is not applied, and its user is read again once',
    async script({ service, until, open, check }) {
      fill(service);
      service.users.set('ada', access('ada', blockedAccess));
      await open();
      service.pending = [{ ...setStatus('ada', 1, 'enabled'), signature: 'forged' }];
      await until(6.4);
      check('ada');
      await until(29.4);
      check('ada');
    },
  },
  {
    name: 'a change that does not continue what is known makes the replica read the user again, and compare',
    async script({ service, until, open, check }) {
      fill(service);
      service.users.set('zoe', access('zoe', { ...blockedAccess, roles: [{ name: 'editor', expiresAt: null }] }));
      await open();
      const before = { ...unset, status: 'enabled', explicit: true };
      service.feed.push(setStatus('zoe', 1, 'disabled', { before }));
      await until(6.4);
      check('zoe');
      await until(12.4);
      check('zoe');
      await until(699.4);
      check('zoe');
    },
  },
  {
    name: 'a change that continues what is known asks for nothing',
    async script({ service, until, open, check }) {
      fill(service);
      await open();
      service.feed.push(
        setStatus('zoe', 1, 'disabled', { before: unset }),
        setStatus('ada', 1, 'enabled', { before: { status: 'disabled', explicit: true, until: null } }),
        setStatus('dot', 2, 'enabled', { before: { status: 'disabled', explicit: true, until: iso(7) } }),
      );
      await until(12.4);
      check('zoe', 'ada', 'dot');
    },
  },
  {
    name: 'a comparison finds what is missing, what is too much and what is wrong, page by page',
    options: { verifySeconds: 60 },
    async script({ service, until, open, check }) {
      fill(service);
      service.pageSize = 3;
      await open();
      service.entries = [
        erased('eve'),
        inactive('kim'),
        entry('ada', { status: 'enabled' }),
        entry('cy', { status: null, roles: [{ name: 'viewer', expiresAt: null }] }),
        entry('lou'),
      ];
      service.users.set('ada', access('ada', { explicit: true, decidedBy: 'explicit' }));
      service.users.set('lou', access('lou', blockedAccess));
      service.users.set(
        'kim',
        access('kim', { userStatus: 'inactive', effectiveStatus: 'disabled', decidedBy: 'user' }),
      );
      for (const userId of ['ben', 'dot']) service.users.set(userId, access(userId));
      service.users.set('cy', access('cy', { roles: [{ name: 'viewer', expiresAt: null }] }));
      await until(59.4);
      check('ada', 'ben', 'cy', 'dot', 'eve', 'kim', 'lou');
      await until(89.4);
      check('ada', 'ben', 'cy', 'dot', 'eve', 'kim', 'lou');
    },
  },
  {
    name: 'what a change says after a comparison is newer than what was read',
    options: { verifySeconds: 60 },
    async script({ service, until, open, check }) {
      fill(service);
      await open();
      service.entries = [...service.entries, entry('lou')];
      service.users.set('lou', access('lou', blockedAccess));
      await until(60.4);
      service.feed.push(setStatus('lou', 60, 'enabled'));
      await until(70.4);
      check('lou');
    },
  },
  {
    name: 'a role that has ended on both sides is continued by a change that still names it',
    async script({ service, until, open, check }) {
      service.entries = [entry('zoe', { status: null, roles: [{ name: 'editor', expiresAt: iso(3) }] })];
      await open();
      await until(11.4);
      const before = { granted: true, expiresAt: iso(3) };
      service.feed.push({ ...setRole('zoe', 11, 'editor', true), before });
      await until(20.4);
      check('zoe');
    },
  },
  {
    name: 'a comparison that finds nothing reads digests only',
    options: { verifySeconds: 60 },
    async script({ service, until, open }) {
      fill(service);
      service.pageSize = 3;
      await open();
      await until(79.4);
    },
  },
];

const files: readonly HistoryCase[] = [
  {
    name: 'a replica with a file starts without the service, and catches up',
    file: true,
    options: { maxStalenessSeconds: 30 },
    async script({ service, until, open, check, close }) {
      fill(service);
      await open();
      service.feed.push(setStatus('zoe', 1, 'disabled'));
      await until(6.4);
      await close();
      fail(service);
      await until(9.4);
      await open();
      check(...everyone);
      await until(39.4);
      check('ada', 'zoe');
      service.feed.push(setStatus('ada', 41, 'enabled'));
      recover(service);
      await until(79.4);
      check('ada', 'zoe');
    },
  },
  {
    name: 'a file remembers that the key was refused',
    file: true,
    options: { whenStale: 'goOn', maxStalenessSeconds: 20 },
    async script({ service, until, open, check, close }) {
      fill(service);
      await open();
      service.interfere = () => refusal(403, 'scope_missing');
      await until(8.4);
      await close();
      fail(service);
      await until(29.4);
      await open();
      check('ada', 'zoe');
      await until(31.4);
    },
  },
];

/** All histories. */
export const replicaCases: readonly HistoryCase[] = [
  ...snapshots,
  ...followings,
  ...outages,
  ...unknowns,
  ...repairs,
  ...files,
];
