/** What the service has answered about ids of which the replica knows nothing. */
export interface AskedUsers {
  /** Whether there is such a user; undefined if the service has not been asked, or too long ago. */
  exists(userId: string): boolean | undefined;
  remember(userId: string, exists: boolean): void;
  /** Forgets users who have changed. */
  forget(userIds: Iterable<string>): void;
  forgetAll(): void;
}

/** Ids are as long as applications choose: 100,000 take about 10 MB. */
const maxUsers = 100_000;
/** The end of a user's existence is a change; this is only for one that was missed. */
const existingMs = 86_400_000;
/** The creation of a user is no change of an application. */
const missingMs = 60_000;

/** Remembers the most recently asked ids. */
export function createAskedUsers(): AskedUsers {
  /** Until when each answer is remembered; negative for an id without a user. */
  const ends = new Map<string, number>();

  return {
    exists(userId) {
      const end = ends.get(userId) ?? 0;
      if (Math.abs(end) <= performance.now()) return undefined;
      // The order of the map is that of use.
      ends.delete(userId);
      ends.set(userId, end);
      return end > 0;
    },
    remember(userId, exists) {
      ends.delete(userId);
      const [oldest] = ends.keys();
      if (ends.size === maxUsers) ends.delete(oldest as string);
      ends.set(userId, exists ? performance.now() + existingMs : -performance.now() - missingMs);
    },
    forget(userIds) {
      for (const userId of userIds) ends.delete(userId);
    },
    forgetAll: () => ends.clear(),
  };
}
