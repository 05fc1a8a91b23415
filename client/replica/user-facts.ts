import type { Members } from '../read-answer.ts';

/**
 * What is known of one user, by threes: a part of the user, the id of the last change of it, and its value. Flat, as there
 * may be very many users. What was taken away is `false` and stays for a while: an earlier change may still come, and would
 * revive it.
 *
 * | part    | value                                                                                             |
 * | ------- | ------------------------------------------------------------------------------------------------- |
 * | `all`   | until when the user is known as erased, in milliseconds; `false` once it was created anew          |
 * | `user`  | whether the user is inactive                                                                      |
 * | `*`     | `false`: all of the access is known up to this change                                             |
 * | `set`   | the status that was set, or until when it is disabled, in milliseconds; `false` if none was       |
 * | `+role` | when this role ends, `null` for never; `false` if it was revoked                                  |
 */
export type UserFacts = (string | number | boolean | null)[];

/** What a snapshot or a change says of a part of a user. */
export type Fact = readonly [userId: string, part: string, id: string, value: UserFacts[number]];

/** Reads an entry of the snapshot; throws if it is of no known kind, because it could be a block. */
export function readEntry({ kind, userId, changeId: id, status, until, roles }: Members): Fact[] {
  if (kind === 'inactive') return [[userId, 'user', id, true]];
  if (kind === 'erased') return [[userId, 'all', id, rememberedUntil(timeOfChange(id))]];
  if (kind !== 'access') throw new TypeError(`Unknown entry: ${kind}`);
  return [
    [userId, '*', id, false],
    [userId, 'set', id, status !== null && settingOf(status, until)],
    ...roles.map(({ name, expiresAt }: Members): Fact => [userId, `+${name}`, id, expiresAt]),
  ];
}

/** Reads a change; one on which no decision depends says nothing. */
export function readChange({ id, action, userId, role, after }: Members): Fact[] {
  switch (action) {
    case 'user.deleted':
      return [[userId, 'all', id, rememberedUntil(timeOfChange(id))]];
    case 'user.created':
      return [[userId, 'all', id, false]];
    case 'user.status.changed':
      return [[userId, 'user', id, after.status !== 'active']];
    case 'access.changed':
      return [[userId, 'set', id, after.explicit && settingOf(after.status, after.until)]];
    case 'role.assigned':
    case 'role.revoked':
      return [[userId, `+${role}`, id, after.granted && after.expiresAt]];
    default:
      return [];
  }
}

/** Adds a fact, unless a later one is known. */
export function addFact(users: Map<string, UserFacts>, [userId, part, id, value]: Fact): void {
  const facts = users.get(userId) ?? [];
  const at = facts.indexOf(part);
  if (at < 0) facts.push(part, id, value);
  else if ((facts[at + 1] as string) <= id) facts.splice(at + 1, 2, id, value);
  users.set(userId, facts);
}

/** A role that a user holds. */
export interface HeldRole {
  readonly name: string;
  /** When it ends by itself; `null` is never. */
  readonly expiresAt: string | null;
}

/** What the facts about a user say at a time. */
export interface Findings {
  erasedUntil: number;
  isInactive: boolean;
  /** The status that was set, `lapsed` if it was disabled until a time that has come, or `false`. */
  setting: string | false;
  readonly roles: HeldRole[];
  /** When one of these changes by itself. */
  nextEnd: number;
  /** The id of the last change; empty where the order of changes is forgotten. */
  newest: string;
}

const never = Number.POSITIVE_INFINITY;

/** Finds out what holds at a time, in milliseconds since the epoch. */
export function evaluate(facts: UserFacts, now: number): Findings {
  const whole = idOf(facts, 'all');
  const access = idOf(facts, '*');
  const found: Findings = { erasedUntil: 0, isInactive: false, setting: false, roles: [], nextEnd: never, newest: '' };
  for (let at = 0; at < facts.length; at += 3) {
    const part = facts[at] as string;
    const id = facts[at + 1] as string;
    const value = facts[at + 2] as UserFacts[number];
    if (id > found.newest) found.newest = id;
    if (value !== false && !isOutdated(part, id, whole, access)) take(found, part, value, now);
  }
  // A later change says that the user exists again.
  if (found.newest !== whole) found.erasedUntil = 0;
  if (found.roles[1]) found.roles.sort((one, other) => (one.name < other.name ? -1 : 1));
  return found;
}

function take(found: Findings, part: string, value: string | number | boolean | null, now: number): void {
  const end = endOf(part, value);
  if (end > now && end < found.nextEnd) found.nextEnd = end;
  if (part === 'user') found.isInactive = true;
  else if (part === 'set') found.setting = end === never ? (value as string) : end > now ? 'disabled' : 'lapsed';
  else if (end <= now) return;
  else if (part === 'all') found.erasedUntil = end;
  else found.roles.push({ name: part.slice(1), expiresAt: value as string | null });
}

/** What cannot be read as a time never ends. */
function endOf(part: string, value: UserFacts[number]): number {
  if (typeof value === 'number') return value;
  return (typeof value === 'string' && part !== 'set' && Date.parse(value)) || never;
}

/** What remains when no change can come any more that is older than the last: what holds, without the order. */
export function withoutOrder(facts: UserFacts): UserFacts {
  const whole = idOf(facts, 'all');
  const access = idOf(facts, '*');
  const kept: UserFacts = [];
  const isFollowed = facts.some((id, at) => at % 3 === 1 && (id as string) > whole);
  for (let at = 0; at < facts.length; at += 3) {
    const [part, id, value] = facts.slice(at, at + 3) as [string, string, UserFacts[number]];
    if (value === false || isOutdated(part, id, whole, access) || (part === 'all' && isFollowed)) continue;
    kept.push(part, '', value);
  }
  // Without room for more, which arrays that grow have.
  return kept.slice();
}

function isOutdated(part: string, id: string, whole: string, access: string): boolean {
  return id < whole || (id < access && part !== 'user' && part !== 'all');
}

function idOf(facts: UserFacts, part: string): string {
  const at = facts.indexOf(part);
  return at < 0 ? '' : (facts[at + 1] as string);
}

function settingOf(status: string, until: string | null): string | number {
  return (until !== null && Date.parse(until)) || status;
}

/** The service tells an erased user from a new one of the same id for 30 days. */
function rememberedUntil(erasedAt: number): number {
  return (erasedAt || Date.now()) + 30 * 86_400_000;
}

/** When a change was made, by its id, a ULID: in milliseconds since the epoch; 0 without an id. */
export function timeOfChange(id: string): number {
  let time = 0;
  for (const digit of id.slice(0, 10)) time = time * 32 + '0123456789ABCDEFGHJKMNPQRSTVWXYZ'.indexOf(digit);
  return time;
}
