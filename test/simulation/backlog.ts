import { createBulkId } from '#shared/contract/bulk-calls.ts';
import { seededRandom } from '../support/seeded-random.ts';
import type { CallRecord, Clients } from './clients.ts';
import { Draw } from './draw.ts';
import type { Events, Follower } from './feeds.ts';
import type { Swarm } from './swarm.ts';
import type { World } from './virtual-time.ts';

/** A backlog takes a hundred calls, so only every so many seeds have one. */
const backlogEvery = 29;
const firstBacklog = 18;
/** More than a reader finds in one query, and than get their numbers at once. */
const leastChanges = 101;
const mostChanges = 120;
/** Nothing that waits in the stream is read while the changes are made. */
const hour = 3_600_000;

interface Staging {
  readonly seed: number;
  readonly world: World;
  readonly events: Events;
}

/**
 * More changes in one feed than any page has, made while nobody reads it and nothing is numbered. Its readers catch up under
 * faults, before the changes have numbers, meanwhile or after that.
 */
export class Backlog {
  readonly #clients: Clients;
  readonly #swarm: Swarm;
  readonly #staging: Staging;
  /** Numbers of its own: a seed without a backlog is not changed by those of others. */
  readonly #draw: Draw;

  constructor(clients: Clients, swarm: Swarm, staging: Staging) {
    this.#clients = clients;
    this.#swarm = swarm;
    this.#staging = staging;
    this.#draw = new Draw(seededRandom(~staging.seed));
  }

  /**
   * Makes the changes once the followers have read what there is: of one application and its users' accesses, or of users, which
   * every application follows.
   */
  async accumulate(followers: readonly Follower[]): Promise<void> {
    for (const follower of followers) await follower.catchUp();
    const { events } = this.#staging;
    events.options = { ...events.options, streamDelayMilliseconds: hour };
    const [userId = ''] = this.#swarm.users;
    const isOfUsers = this.#draw.chance(0.3);
    if (isOfUsers) await this.#clients.call('create-user', { userId, displayName: null, email: null });
    const wanted = this.#draw.between(leastChanges, mostChanges);
    for (let made = 0, turn = 0; made < wanted; turn++) {
      made += changesOf(await (isOfUsers ? this.#changeUsers(userId, turn) : this.#changeApplication(turn)));
      if (turn > maxTurns) throw new Error('The changes of a backlog are refused');
    }
  }

  /** Lets the changes get their numbers, at once or some seconds later; in some seeds not before the faults are over. */
  numberLater(): void {
    const { world, events } = this.#staging;
    const latest = this.#draw.oneOf(0, 10_000, 60_000, undefined);
    if (latest !== undefined) world.schedule(this.#draw.random() * latest, () => events.hurry());
  }

  /** Two bulks, then two calls about one user; of each two, the second takes the first back. */
  #changeUsers(userId: string, turn: number): Promise<CallRecord> {
    const isFirst = turn % 2 === 0;
    if (turn % 4 > 1) return this.#clients.call('update-user', { userId, displayName: isFirst ? 'one' : 'two' });
    const status = isFirst ? 'inactive' : 'active';
    return this.#clients.call('set-user-status-in-bulk', { ...this.#bulk(), status, reason: null });
  }

  /** The same of an application, whose bulks change nothing if no user exists. */
  #changeApplication(turn: number): Promise<CallRecord> {
    const [[appId = ''], [role = '']] = [this.#swarm.apps, this.#swarm.roles];
    const isFirst = turn % 2 === 0;
    const description = isFirst ? 'one' : 'two';
    if (turn % 4 > 1) return this.#clients.call('define-role', { appId, role, description });
    const setting = { status: isFirst ? 'disabled' : 'enabled', reason: null, until: null } as const;
    return this.#clients.call('set-access-in-bulk', { ...this.#bulk(), appId, setting });
  }

  #bulk() {
    const random = Uint8Array.from({ length: 16 }, () => Math.floor(this.#draw.random() * 256));
    return { userIds: this.#swarm.users, bulkId: createBulkId(Math.floor(this.#staging.world.time), random) };
  }
}

/** At least every second call makes a change, even if no user exists. */
const maxTurns = 3 * mostChanges;

function changesOf({ outcome }: CallRecord): number {
  if (outcome?.kind !== 'done') return 0;
  const { items, changed } = outcome.body as { items?: readonly { outcome: string }[]; changed?: boolean };
  return items?.filter((item) => item.outcome === 'changed').length ?? Number(changed === true);
}

/** The backlog of a seed; undefined if it has none. */
export function backlogOf(clients: Clients, swarm: Swarm, staging: Staging): Backlog | undefined {
  return staging.seed % backlogEvery === firstBacklog ? new Backlog(clients, swarm, staging) : undefined;
}
