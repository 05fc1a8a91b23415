import type { Members } from '../read-answer.ts';

/**
 * What is known of one user, by threes: a part of the user, the id of the last change of it, and its value. Flat, as there
 * may be very many users. What was taken away is known, too: an earlier change may still come, and would revive it.
 *
 * | part    | value                                                                                     |
 * | ------- | ----------------------------------------------------------------------------------------- |
 * | `all`   | until when the user is known as erased, in milliseconds; 0 once it was created anew        |
 * | `user`  | whether the user is inactive                                                              |
 * | `*`     | none: all of the access is known up to this change                                        |
 * | `set`   | the status that was set: `enabled`, `disabled`, or until when; `false` if none was        |
 * | `+role` | when this role ends, `null` for never; `false` if it was revoked                          |
 */
export type UserFacts = (string | number | boolean | null)[];

/** What a snapshot or a change says of a part of a user. */
export type Fact = readonly [userId: string, part: string, id: string, value: UserFacts[number]];

/** Reads an entry of the snapshot; throws if it is of no known kind, because it could be a block. */
export function readEntry({ kind, userId, changeId, erasedAt, status, until, roles }: Members): Fact[] {
  // What has no id is older than every change, and an erasing the last of it.
  const id = changeId ?? '';
  if (kind === 'inactive') return [[userId, 'user', id, true]];
  if (kind === 'erased') return [[userId, 'all', id || '0', rememberedUntil(timeOfChange(id) || Date.parse(erasedAt))]];
  if (kind !== 'access') throw new TypeError(`Unknown entry: ${kind}`);
  return [
    [userId, '*', id, null],
    [userId, 'set', id, status !== null && (until ?? status)],
    ...roles.map(({ name, expiresAt }: Members): Fact => [userId, `+${name}`, id, expiresAt]),
  ];
}

/** Reads a change; one on which no decision depends says nothing. */
export function readChange({ id, action, userId, role, after }: Members): Fact[] {
  switch (action) {
    case 'user.deleted':
      return [[userId, 'all', id, rememberedUntil(timeOfChange(id))]];
    case 'user.created':
      return [[userId, 'all', id, 0]];
    case 'user.status.changed':
      return [[userId, 'user', id, after.status !== 'active']];
    case 'access.changed':
      return [[userId, 'set', id, after.explicit && (after.until ?? after.status)]];
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
  else if (idAt(facts, at) <= id) facts.splice(at + 1, 2, id, value);
  users.set(userId, facts);
}

/** A role that a user holds. */
export interface HeldRole {
  readonly name: string;
  /** When it ends by itself; `null` is never. */
  readonly expiresAt: string | null;
}

/** What the facts about a user say at a time. */
export type Findings = readonly [
  isErased: boolean,
  isInactive: boolean,
  /** The status as the fact says it, and whether it was disabled until a time that has come. */
  setting: string | false,
  hasLapsed: boolean,
  roles: HeldRole[],
  /** When one of these changes by itself. */
  nextEnd: number,
  /** The id of the last change. */
  newest: string,
];

/** Finds out what holds: facts that are not older than the whole user and, of the access, than the whole access. */
export function evaluate(facts: UserFacts, now: number): Findings {
  const whole = idAt(facts, facts.indexOf('all'));
  const access = idAt(facts, facts.indexOf('*'));
  const values = { all: 0, user: false, set: false as string | false };
  const roles: HeldRole[] = [];
  let newest = '';
  let nextEnd = Number.POSITIVE_INFINITY;
  const isOver = (end: number) => {
    if (end > now && end < nextEnd) nextEnd = end;
    return end <= now;
  };
  for (let at = 0; at < facts.length; at += 3) {
    const [part, id, value] = [facts[at] as string, idAt(facts, at), facts[at + 2] as never];
    if (id > newest) newest = id;
    if (id < whole || (id < access && part !== 'user')) continue;
    if (part[0] !== '+') values[part as keyof typeof values] = value;
    else if (value !== false && !isOver(endOf(value))) roles.push({ name: part.slice(1), expiresAt: value });
  }
  roles.sort((one, other) => (one.name < other.name ? -1 : 1));
  // A later change says that the user exists again.
  const isErased = newest === whole && values.all > 0 && !isOver(values.all);
  return [isErased, values.user, values.set, !!values.set && isOver(endOf(values.set)), roles, nextEnd, newest];
}

function idAt(facts: UserFacts, at: number): string {
  return at < 0 ? '' : (facts[at + 1] as string);
}

/** What never ends is not a number, which no time has reached. */
function endOf(timestamp: string | null): number {
  return timestamp === null ? Number.NaN : Date.parse(timestamp);
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
