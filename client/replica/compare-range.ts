import { textOfAccess, textOfErased } from '#shared/contract/entry-digest.ts';
import type { Members } from '../read-answer.ts';
import { addFact, evaluate, readEntry, type UserFacts } from './user-facts.ts';

/** The kinds of entries of a snapshot. */
export type EntryKind = 'erased' | 'inactive' | 'access';

/** Consecutive user ids of one kind of entry, after one id and through another; `null` has all further ones. */
export interface UserRange {
  readonly kind: EntryKind;
  readonly after: string;
  readonly through: string | null;
}

/** The part of a user's facts that every entry of a kind has. */
const parts = { erased: 'all', inactive: 'user', access: undefined };

/** The texts that the digest of a range covers, by user id, at a time in milliseconds since the epoch. */
export function textsOf(
  users: ReadonlyMap<string, UserFacts>,
  { kind, after, through }: UserRange,
  time: number,
): Map<string, string> {
  const texts = new Map<string, string>();
  const part = parts[kind];
  for (const [userId, facts] of users) {
    if (userId <= after || (through !== null && userId > through) || (part && !facts.includes(part))) continue;
    const text = textOf(kind, userId, facts, time);
    if (text !== undefined) texts.set(userId, text);
  }
  return texts;
}

function textOf(kind: EntryKind, userId: string, facts: UserFacts, time: number): string | undefined {
  const { erasedUntil, isInactive, set, roles } = evaluate(facts, time);
  if (kind === 'erased') return textOfErased(userId, erasedUntil, time);
  if (erasedUntil) return undefined;
  if (kind === 'inactive') return isInactive ? userId : undefined;
  return textOfAccess({ userId, setting: set, roles }, time);
}

/**
 * The users about whom the entries of a snapshot say something else, and until when these say that the user was erased. While a
 * user is being erased, the snapshot still has other entries of the user.
 */
export function differentUsers(
  users: ReadonlyMap<string, UserFacts>,
  entries: readonly Members[],
  range: UserRange,
  time: number,
): [userId: string, erasedUntil: number][] {
  const theirs = new Map<string, UserFacts>();
  for (const entry of entries)
    if (entry.kind === range.kind) for (const fact of readEntry(entry)) addFact(theirs, fact);
  const [own, read] = [textsOf(users, range, time), textsOf(theirs, range, time)];
  const erasedUntil = (facts: UserFacts = []) => evaluate(facts, time).erasedUntil;
  const userIds = [...new Set([...own.keys(), ...read.keys()])].filter(
    (userId) => own.get(userId) !== read.get(userId),
  );
  return userIds
    .filter((userId) => range.kind === 'erased' || !erasedUntil(users.get(userId)))
    .map((userId) => [userId, erasedUntil(theirs.get(userId))]);
}
