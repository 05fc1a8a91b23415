import { accessFields, pickFields } from '#shared/contract/resource-fields.ts';
import { fullRollout, isInRollout } from '#shared/contract/rollout.ts';
import { clockSkewSeconds } from '#shared/contract/time-bounds.ts';
import type { Item, Key } from '../../../local/memory/memory-table.ts';
import type { CallRecord } from '../clients.ts';
import { cachedMilliseconds } from '../load-code.ts';
import type { Answer } from '../operations.ts';
import type { Run } from '../run-seed.ts';
import { accessKey, accessOf, applicationKey, isLive, rolloutOf, userKey, userOf } from '../stored-state.ts';
import { Histories } from './histories.ts';

/**
 * Checks that each returned access, and the user, was stored at some instant between request and response. The decision
 * follows from both, and from the rollout of the application at some such instant; a read of one user may use an
 * application cached some seconds earlier if it is open to everyone.
 */
export function checkReads({ calls, commits }: Run): string[] {
  const histories = new Histories(commits);
  return calls
    .filter(({ operation }) => operation === 'get-access' || operation === 'check-access')
    .flatMap(readsOf)
    .flatMap((call) => {
      const wrong = checkRead(call, (key, from, to) => histories.during(key, from, to));
      return wrong === undefined ? [] : [`${call.id}: ${wrong}`];
    });
}

/** A bulk check counts as a read of each user. */
function readsOf(call: CallRecord): CallRecord[] {
  const { operation, input, attempts, outcome } = call;
  if (operation === 'get-access' || outcome?.kind !== 'done') return [call];
  const last = attempts.filter(({ answer }) => answer === outcome);
  const { appId } = input as { appId: string };
  return (outcome.body.items as readonly Readonly<Record<string, unknown>>[]).map((body) => {
    const answer: Answer =
      body.code === 'user_not_found'
        ? { kind: 'refused', code: body.code, status: 404, said: [] }
        : { kind: 'done', body };
    const single = last.map((attempt) => ({ ...attempt, answer }));
    return { ...call, input: { appId, userId: body.userId }, attempts: single, outcome: answer };
  });
}

type Body = Readonly<Record<string, unknown>>;
type Find = (key: Key, from: number, to: number) => (Item | undefined)[];

function checkRead({ operation, input, attempts, outcome }: CallRecord, find: Find): string | undefined {
  const last = attempts.find(({ answer }) => answer === outcome);
  if (outcome === undefined || last?.answeredAt === undefined) return undefined;
  const { userId, appId } = input as { userId: string; appId: string };
  const users = find(userKey(userId), last.sentAt, last.answeredAt).map(userOf);
  if (outcome.kind === 'refused') {
    if (outcome.code !== 'user_not_found' || users.some((user) => !isLive(user))) return undefined;
    return 'the user was not found, although it existed throughout';
  }
  if (outcome.kind !== 'done') return undefined;
  const { body } = outcome;
  const live = users.filter((user) => isLive(user) && user.status === body.userStatus);
  if (live.length === 0) return 'the user was never in this state';
  const items = find(accessKey(userId, appId), last.sentAt, last.answeredAt).filter((item) => agrees(body, item));
  if (items.length === 0) return `version ${body.version} was not stored then`;
  const stored = (from: number, to: number) => find(applicationKey(appId), from, to).filter(isLive);
  const cached = stored(last.sentAt - cachedMilliseconds(operation), last.sentAt).filter(
    (item) => rolloutOf(item) === fullRollout,
  );
  const applications = [...stored(last.sentAt, last.answeredAt), ...cached];
  const during = { from: last.sentAt, to: last.answeredAt };
  const decisions = items.flatMap((item) => decisionsOf(body, item, { applications, during }));
  const said = `${body.effectiveStatus} by ${body.decidedBy}`;
  return decisions.includes(said) ? undefined : `it was ${said} instead of one of: ${decisions.join(', ')}`;
}

function agrees(body: Body, item: Item | undefined): boolean {
  if (item === undefined) return body.version === 0 && body.explicit === false;
  const access = accessOf(item);
  const { status, version, roles } = access;
  const setting = { status: status ?? 'enabled', explicit: status !== null, ...pickFields(accessFields, access) };
  const stored = { ...setting, version };
  const names = (body.roles as readonly { name: string }[]).map(({ name }) => name);
  const endless = Object.keys(roles).filter((name) => roles[name]?.expiresAt === null);
  const isSame = Object.entries(stored).every(([name, value]) => body[name] === value);
  return isSame && names.every((name) => Object.hasOwn(roles, name)) && endless.every((name) => names.includes(name));
}

interface Circumstances {
  /** All versions that were stored then. */
  readonly applications: readonly Item[];
  readonly during: { readonly from: number; readonly to: number };
}

/** Returns the decisions that such an access allows. */
function decisionsOf(
  { userStatus, userId, appId }: Body,
  item: Item | undefined,
  { applications, during }: Circumstances,
) {
  if (userStatus === 'inactive') return ['disabled by user'];
  const { status, until } = item === undefined ? { status: null, until: null } : accessOf(item);
  if (status === 'enabled') return ['enabled by explicit'];
  if (status === 'disabled') {
    const end = until === null ? Number.POSITIVE_INFINITY : Date.parse(until);
    const skew = clockSkewSeconds * 1000;
    return [
      ...(end > during.from - skew ? ['disabled by explicit'] : []),
      ...(end <= during.to + skew ? ['enabled by lapsed'] : []),
    ];
  }
  return applications.map(rolloutOf).map((percent) => {
    if (percent === fullRollout) return 'enabled by default';
    return isInRollout(String(appId), String(userId), percent) ? 'enabled by rollout' : 'disabled by rollout';
  });
}
