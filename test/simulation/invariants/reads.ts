import { accessFields } from '#shared/contract/access-fields.ts';
import { pickFields } from '#shared/contract/field-forms.ts';
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
    .filter(({ operation }) => readers.has(operation))
    .flatMap(readsOf)
    .flatMap((call) => {
      const wrong = checkRead(call, (key, from, to) => histories.during(key, from, to));
      return wrong === undefined ? [] : [`${call.id}: ${wrong}`];
    });
}

const readers: ReadonlySet<string> = new Set(['get-access', 'check-access', 'evaluate-access']);

/** A bulk check counts as a read of each user, and so does each question of a gateway. */
function readsOf(call: CallRecord): CallRecord[] {
  const { operation, input, attempts, outcome } = call;
  if (operation === 'get-access' || outcome?.kind !== 'done') return [call];
  const last = attempts.filter(({ answer }) => answer === outcome);
  const { appId, questions } = input as { appId?: string; questions?: readonly Body[] };
  const bodies =
    questions === undefined
      ? (outcome.body.items as readonly Body[]).map((body) => ({ appId, ...body }))
      : (outcome.body.answers as readonly GatewayAnswer[]).map(({ decision, context }, n) => ({
          ...questions[n],
          decision,
          ...context,
        }));
  return bodies.map((body: Body) => {
    const answer: Answer = isRefusal(body.code)
      ? { kind: 'refused', code: body.code, status: 404, said: [] }
      : { kind: 'done', body };
    const single = last.map((attempt) => ({ ...attempt, answer }));
    return { ...call, input: { appId: body.appId, userId: body.userId }, attempts: single, outcome: answer };
  });
}

type Body = Readonly<Record<string, unknown>>;
interface GatewayAnswer {
  readonly decision: boolean;
  readonly context: Body;
}

function isRefusal(code: unknown): code is string {
  return code === 'user_not_found' || code === 'application_not_allowed';
}
type Find = (key: Key, from: number, to: number) => (Item | undefined)[];

/** Says what was not found, although it existed throughout. */
function wrongRefusal(code: string, users: readonly (Item | undefined)[], applications: readonly (Item | undefined)[]) {
  if (code === 'user_not_found' && users.every(isLive)) return 'the user was not found, although it existed throughout';
  if (code !== 'application_not_allowed' || !applications.every(isLive)) return undefined;
  return 'the application was not found, although it existed throughout';
}

function checkRead({ operation, input, attempts, outcome }: CallRecord, find: Find): string | undefined {
  const last = attempts.find(({ answer }) => answer === outcome);
  if (outcome === undefined || last?.answeredAt === undefined) return undefined;
  const { userId, appId } = input as { userId: string; appId: string };
  const users = find(userKey(userId), last.sentAt, last.answeredAt).map(userOf);
  const applications = find(applicationKey(appId), last.sentAt, last.answeredAt);
  if (outcome.kind === 'refused') return wrongRefusal(outcome.code, users, applications);
  if (outcome.kind !== 'done') return undefined;
  const { body } = outcome;
  if (operation === 'evaluate-access' && body.decision !== isPermitted(body)) return `it was decided ${body.decision}`;
  const live = users.filter((user) => isLive(user) && user.status === body.userStatus);
  if (live.length === 0) return 'the user was never in this state';
  const items = find(accessKey(userId, appId), last.sentAt, last.answeredAt).filter((item) => agrees(body, item));
  if (items.length === 0) return `version ${body.version} was not stored then`;
  const earlier = find(applicationKey(appId), last.sentAt - cachedMilliseconds(operation), last.sentAt);
  const cached = earlier.filter(isLive).filter((item) => rolloutOf(item) === fullRollout);
  const known = [...applications.filter(isLive), ...cached];
  const during = { from: last.sentAt, to: last.answeredAt };
  const decisions = items.flatMap((item) => decisionsOf(body, item, { applications: known, during }));
  const said = `${body.effectiveStatus} by ${body.decidedBy}`;
  return decisions.includes(said) ? undefined : `it was ${said} instead of one of: ${decisions.join(', ')}`;
}

/** Whether a gateway may let a user pass who has this access. */
function isPermitted({ action, effectiveStatus, roles }: Body): boolean {
  return effectiveStatus === 'enabled' && (action === 'enter' || (roles as readonly unknown[]).includes(action));
}

/** Whether a response shows the stored access; a gateway is told its roles alone, by their names. */
function agrees(body: Body, item: Item | undefined): boolean {
  const isGateway = 'decision' in body;
  if (item === undefined)
    return isGateway ? (body.roles as unknown[]).length === 0 : body.version === 0 && body.explicit === false;
  const access = accessOf(item);
  const { status, version, roles } = access;
  const setting = { status: status ?? 'enabled', explicit: status !== null, ...pickFields(accessFields, access) };
  const stored = { ...setting, version };
  const names = isGateway
    ? (body.roles as readonly string[])
    : (body.roles as readonly { name: string }[]).map(({ name }) => name);
  const endless = Object.keys(roles).filter((name) => roles[name]?.expiresAt === null);
  const isSame = isGateway || Object.entries(stored).every(([name, value]) => body[name] === value);
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
