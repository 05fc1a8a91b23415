import type { CallRecord } from '../clients.ts';
import type { Run } from '../run-seed.ts';
import type { Item, Key } from '../simulated-table.ts';
import { accessKey, accessOf, isLive, userKey, userOf } from '../stored-state.ts';
import { Histories } from './histories.ts';

/** What an access is said to be, it was at some instant between the question and the answer; so was the user. */
export function checkReads({ calls, commits }: Run): string[] {
  const histories = new Histories(commits);
  return calls
    .filter(({ operation }) => operation === 'get-access')
    .flatMap((call) => {
      const wrong = checkRead(call, (key, from, to) => histories.during(key, from, to));
      return wrong === undefined ? [] : [`${call.id}: ${wrong}`];
    });
}

type Find = (key: Key, from: number, to: number) => (Item | undefined)[];

function checkRead({ input, attempts, outcome }: CallRecord, find: Find): string | undefined {
  const last = attempts.find(({ answer }) => answer === outcome);
  if (outcome === undefined || last?.answeredAt === undefined) return undefined;
  const { userId, appId } = input as { userId: string; appId: string };
  const users = find(userKey(userId), last.sentAt, last.answeredAt).map(userOf);
  if (outcome.kind === 'refused') {
    if (outcome.code !== 'user_not_found' || users.some((user) => !isLive(user))) return undefined;
    return 'the user was not found, and was there all the time';
  }
  if (outcome.kind !== 'done') return undefined;
  const { body } = outcome;
  if (!users.some((user) => isLive(user) && user.status === body.userStatus)) return 'the user was never so';
  const items = find(accessKey(userId, appId), last.sentAt, last.answeredAt);
  return items.some((item) => agrees(body, item)) ? undefined : `version ${body.version} was not stored then`;
}

function agrees(body: Readonly<Record<string, unknown>>, item: Item | undefined): boolean {
  if (item === undefined) return body.version === 0 && body.explicit === false;
  const { status, until, reason, version, roles } = accessOf(item);
  const stored = { status: status ?? 'enabled', explicit: status !== null, until, reason, version };
  const names = (body.roles as readonly { name: string }[]).map(({ name }) => name);
  const endless = Object.keys(roles).filter((name) => roles[name]?.expiresAt === null);
  const isSame = Object.entries(stored).every(([name, value]) => body[name] === value);
  return isSame && names.every((name) => Object.hasOwn(roles, name)) && endless.every((name) => names.includes(name));
}
