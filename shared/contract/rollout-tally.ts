import { rolloutBucket } from './rollout.ts';

/**
 * Counts the users that a rollout decides about, by bucket: it then says for every percentage how many are admitted. Its size does
 * not grow with the number of users.
 */
export class RolloutTally {
  readonly #appId: string;
  readonly #users = new Int32Array(10_000);

  constructor(appId: string) {
    this.#appId = appId;
  }

  /** Adds an active user. */
  add(userId: string): void {
    this.#count(userId, 1);
  }

  /** Removes an active user about whom an explicit status decides; before or after the user was added. */
  remove(userId: string): void {
    this.#count(userId, -1);
  }

  #count(userId: string, sign: 1 | -1): void {
    const bucket = rolloutBucket(this.#appId, userId);
    this.#users[bucket] = (this.#users[bucket] ?? 0) + sign;
  }

  /** The users that this percentage admits; 100 admits all. */
  admitted(percent: number): number {
    return this.#users.subarray(0, Math.round(percent * 100)).reduce((sum, users) => sum + users, 0);
  }
}
