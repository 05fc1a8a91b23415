import type { KeyView } from './api-key.ts';

/** A key that expires within this number of days should be rotated. */
export const endsSoonDays = 30;
/** A key that expires within this number of days is urgent. */
export const endsUrgentlyDays = 7;
/** A key that was not used for this number of days may no longer be needed. */
export const unusedDays = 30;

/** Whether a valid key expires within this time. */
export function endsWithin({ expiresAt, revokedAt }: EndOfKey, seconds: number, at: Date): boolean {
  if (expiresAt === null || revokedAt !== null) return false;
  const left = Date.parse(expiresAt) - at.getTime();
  return left > 0 && left <= seconds * 1000;
}
type EndOfKey = Pick<KeyView, 'expiresAt' | 'revokedAt'>;

/** Whether a key was neither issued nor used within this time; a day of use counts from its start (UTC). */
export function isUnusedFor({ createdAt, lastUsedOn }: UseOfKey, seconds: number, at: Date): boolean {
  const last = Math.max(Date.parse(createdAt), lastUsedOn === null ? 0 : Date.parse(lastUsedOn));
  return at.getTime() - last >= seconds * 1000;
}
type UseOfKey = Pick<KeyView, 'createdAt' | 'lastUsedOn'>;
