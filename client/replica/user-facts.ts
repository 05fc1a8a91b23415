import { erasedUntil, settingOf } from '#shared/contract/entry-digest.ts';
import type { Members } from '../read-answer.ts';
import type { CheckedAccess } from '../service-contract.ts';

/**
 * The facts about one user, in groups of three: a part of the user, the id of its last change, and its value. Flat to save
 * memory with many users. A removed value is `false` and kept until no earlier change can arrive and restore it.
 *
 * | part    | value                                                                                             |
 * | ------- | ------------------------------------------------------------------------------------------------- |
 * | `all`   | until when the user is known as erased, in milliseconds; `false` once the user exists again       |
 * | `user`  | whether the user is inactive                                                                      |
 * | `*`     | `false`: all of the access is known up to this change                                             |
 * | `set`   | the status that was set, or until when it is disabled, in milliseconds; `false` if none was       |
 * | `+role` | when this role expires, `null` for never; `false` if it was revoked                               |
 */
export type UserFacts = (string | number | boolean | null)[];

/** The value of one part of a user in a snapshot or a change, and the value that the change replaced. */
export type Fact = readonly [
  userId: string,
  part: string,
  id: string,
  value: UserFacts[number],
  before?: UserFacts[number],
];

/** Reads an entry of the snapshot; throws if its kind is unknown, because it could be a block. */
export function readEntry({ kind, userId, changeId: id, status, until, roles }: Members): Fact[] {
  if (kind === 'inactive') return [[userId, 'user', id, true]];
  if (kind === 'erased') return [[userId, 'all', id, erasedUntil(timeOfChange(id))]];
  if (kind !== 'access') throw new TypeError(`Unknown entry: ${kind}`);
  return [
    [userId, '*', id, false],
    [userId, 'set', id, status !== null && settingOf(status, until)],
    ...roles.map(({ name, expiresAt }: Members): Fact => [userId, `+${name}`, id, expiresAt]),
  ];
}

/** The facts of a user that the service was asked about, who counts as erased until this time if there is no such user. */
export function factsOf(access: CheckedAccess, until: number): UserFacts {
  if ('code' in access) return ['all', '', until];
  return [
    ...(access.userStatus === 'active' ? [] : ['user', '', true]),
    ...(access.explicit ? ['set', '', settingOf(access.status, access.until)] : []),
    ...access.roles.flatMap(({ name, expiresAt }) => [`+${name}`, '', expiresAt]),
  ];
}

/** Reads the facts of a change; none if no decision depends on it. */
export function readChange({ id, action, userId, role, before, after }: Members): Fact[] {
  switch (action) {
    case 'user.deleted':
      return [[userId, 'all', id, erasedUntil(timeOfChange(id))]];
    case 'user.created':
      return [[userId, 'all', id, false]];
    case 'user.status.changed':
      return [[userId, 'user', id, after.status !== 'active', before && before.status !== 'active']];
    case 'access.changed':
      return [[userId, 'set', id, settingOfRecorded(after), settingOfRecorded(before)]];
    case 'role.assigned':
    case 'role.revoked':
      return [[userId, `+${role}`, id, after.granted && after.expiresAt, before?.granted && before.expiresAt]];
    default:
      return [];
  }
}

/**
 * Adds a fact, unless a later one is known. Returns whether it is known, or continues what is known: roles that expire by
 * `horizon` may already have been dropped on either side.
 */
export function addFact(users: Map<string, UserFacts>, fact: Fact, horizon = 0): boolean {
  const [userId, part, id, value] = fact;
  const facts = users.get(userId) ?? [];
  const at = facts.indexOf(part);
  const isNew = at < 0 || (facts[at + 1] as string) < id;
  const continues = !isNew || isContinued(facts, at, fact, horizon);
  if (at < 0) facts.push(part, id, value);
  else if (isNew) facts.splice(at + 1, 2, id, value);
  users.set(userId, facts);
  return continues;
}

function isContinued(facts: UserFacts, at: number, [, part, id, , before]: Fact, horizon: number): boolean {
  const [whole, access] = [idOf(facts, 'all'), idOf(facts, '*')];
  if (before === undefined || isOutdated(part, id, whole, access)) return true;
  const isKnown = at >= 0 && !isOutdated(part, facts[at + 1] as string, whole, access);
  const liveValue = (value: UserFacts[number]) => {
    const end = part === 'set' ? never : endOf(part, value);
    return end <= horizon ? false : end === never ? value : end;
  };
  return liveValue(before) === liveValue(isKnown ? (facts[at + 2] as UserFacts[number]) : false);
}

/** A role that a user holds. */
export interface HeldRole {
  /** The name of the role. */
  readonly name: string;
  /** When the grant expires; `null` is never. */
  readonly expiresAt: string | null;
}

/** The state of a user at a time, evaluated from the facts. */
export interface Findings {
  erasedUntil: number;
  isInactive: boolean;
  /** The explicit status, `lapsed` if a block has expired, or `false` without an explicit status. */
  setting: string | false;
  /** The same as it is stored. */
  set: string | number | false;
  readonly roles: HeldRole[];
  /** When the next of these expires. */
  nextEnd: number;
  /** The id of the last change; empty once the order of changes has been dropped. */
  newest: string;
}

const never = Number.POSITIVE_INFINITY;

/** Evaluates the facts at a time, in milliseconds since the epoch. */
export function evaluate(facts: UserFacts, now: number): Findings {
  const whole = idOf(facts, 'all');
  const access = idOf(facts, '*');
  const found: Findings = {
    erasedUntil: 0,
    isInactive: false,
    setting: false,
    set: false,
    roles: [],
    nextEnd: never,
    newest: '',
  };
  for (let at = 0; at < facts.length; at += 3) {
    const part = facts[at] as string;
    const id = facts[at + 1] as string;
    const value = facts[at + 2] as UserFacts[number];
    if (id > found.newest) found.newest = id;
    if (value !== false && !isOutdated(part, id, whole, access)) take(found, part, value, now);
  }
  // A later change proves that the user exists again.
  if (found.newest !== whole) found.erasedUntil = 0;
  if (found.roles[1]) found.roles.sort((one, other) => (one.name < other.name ? -1 : 1));
  return found;
}

function take(found: Findings, part: string, value: string | number | boolean | null, now: number): void {
  const end = endOf(part, value);
  if (end > now && end < found.nextEnd) found.nextEnd = end;
  if (part === 'user') found.isInactive = true;
  else if (part === 'set') {
    found.set = value as string | number;
    found.setting = end === never ? (value as string) : end > now ? 'disabled' : 'lapsed';
  } else if (end <= now) return;
  else if (part === 'all') found.erasedUntil = end;
  else found.roles.push({ name: part.slice(1), expiresAt: value as string | null });
}

/** When a value expires; never if it is not a valid time. */
function endOf(part: string, value: UserFacts[number]): number {
  if (typeof value === 'number') return value;
  return (typeof value === 'string' && part !== 'set' && Date.parse(value)) || never;
}

/** The facts without the order of changes, once no earlier change can arrive any more. */
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
  // The copy has no spare capacity, unlike an array that has grown.
  return kept.slice();
}

function isOutdated(part: string, id: string, whole: string, access: string): boolean {
  return id < whole || (id < access && part !== 'user' && part !== 'all');
}

function idOf(facts: UserFacts, part: string): string {
  const at = facts.indexOf(part);
  return at < 0 ? '' : (facts[at + 1] as string);
}

function settingOfRecorded(recorded: Members | null): string | number | false {
  return recorded?.explicit && settingOf(recorded.status, recorded.until);
}

/** The time of a change from its id, a ULID, in milliseconds since the epoch; 0 without an id. */
export function timeOfChange(id: string): number {
  let time = 0;
  for (const digit of id.slice(0, 10)) time = time * 32 + '0123456789ABCDEFGHJKMNPQRSTVWXYZ'.indexOf(digit);
  return time;
}
