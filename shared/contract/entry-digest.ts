import { murmur3 } from './rollout.ts';

/*
 * A digest of what an application knows about its users, so that a copy can be compared with the service at little cost. The
 * service and the SDK run the same code.
 */

/** The facts about one user that the digest of an access covers. */
export interface DigestedAccess {
  readonly userId: string;
  /** As `settingOf` returns it; `false` if no status was set. */
  readonly setting: string | number | false;
  readonly roles: readonly { readonly name: string; readonly expiresAt: string | null }[];
}

/** The status that was set, or until when the user is disabled, in milliseconds since the epoch. */
export function settingOf(status: string, until: string | null): string | number {
  return (until !== null && Date.parse(until)) || status;
}

/** For how many days the id of an erased user is known as one: the tombstone is kept so long, and no log is kept longer. */
export const erasedMarkDays = 30;

/** Until when the id of a user who was erased at this time is known as that of an erased user; in milliseconds. */
export function erasedUntil(erasedAt: number): number {
  return erasedAt + erasedMarkDays * 86_400_000;
}

/**
 * The text of an access, undefined for the default one. It omits roles that expire by `liveAt`, some minutes ahead, so that it
 * does not depend on when either side drops an expired role.
 */
export function textOfAccess({ userId, setting, roles }: DigestedAccess, liveAt: number): string | undefined {
  const live = roles.flatMap(({ name, expiresAt }) => {
    const end = expiresAt === null ? 0 : Date.parse(expiresAt);
    return end === 0 || end > liveAt ? `${name}=${end}` : [];
  });
  if (setting === false && !live[0]) return undefined;
  return [userId, setting, ...live.sort()].join('\n');
}

/** The text of an erased user, undefined if the id is forgotten by `liveAt`. */
export function textOfErased(userId: string, until: number, liveAt: number): string | undefined {
  return until > liveAt ? `${userId}\n${until}` : undefined;
}

/**
 * The digest of a set of texts, in any order: their number and two sums of 32-bit hashes. It detects mistakes, and misses
 * one with a chance of 2^-64. It does not detect attackers: one who can alter the answer of the service or the memory of the
 * application needs no collision.
 */
export function digestOf(texts: Iterable<string | undefined>): string {
  let [count, one, other] = [0, 0, 0];
  for (const text of texts) {
    if (text === undefined) continue;
    count++;
    one = (one + murmur3(text)) >>> 0;
    other = (other + murmur3(`.${text}`)) >>> 0;
  }
  return [count, one, other].map((part) => part.toString(16)).join('-');
}
