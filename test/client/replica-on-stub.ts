import { afterEach, beforeEach, jest } from '@jest/globals';
import type { AccessReplicaOptions } from '../../client/replica.ts';
import { createStubService, fakeTime, openWatched, pass } from './replica-service.ts';
import { ulid } from './replica-world.ts';
import type { WatchedReplica } from './watch-replica.ts';

/** When each test begins, by the clock of the test. */
export const start = Date.parse('2026-11-20T12:00:00.000Z');

/** The timestamp of a number of seconds after the start. */
export function iso(seconds: number): string {
  return new Date(start + seconds * 1000).toISOString();
}

let made = 0;
/** A change at the current time, later than all earlier ones. */
export function change(action: string, members: object) {
  return { id: ulid(Date.now(), ++made), action, appId: 'billing', ...members };
}

export function statusChange(userId: string, status: 'enabled' | 'disabled', until: string | null = null) {
  return change('access.changed', { userId, after: { status, explicit: true, until, reason: null } });
}

/** Gives each test of a file a new stub of the service and fake clocks, and closes the replicas that it opened. */
export function replicasOnStub() {
  let stub = createStubService();
  const opened: WatchedReplica[] = [];

  beforeEach(() => {
    fakeTime(start);
    stub = createStubService();
  });
  afterEach(async () => {
    for (const { replica } of opened.splice(0)) await replica.close();
    jest.restoreAllMocks();
    jest.useRealTimers();
  });

  /** Begins to open a replica; the test lets time pass. */
  async function beginOpening(options: Partial<AccessReplicaOptions> = {}): Promise<WatchedReplica> {
    const watched = await openWatched(stub, options);
    opened.push(watched);
    return watched;
  }

  return {
    get stub() {
      return stub;
    },
    beginOpening,
    async open(options?: Partial<AccessReplicaOptions>): Promise<WatchedReplica> {
      const opening = beginOpening(options);
      await pass(0);
      return opening;
    },
    /** Answers the next request for changes with these, and later ones with none. */
    deliver(...items: object[]): void {
      stub.changes = (after) => {
        stub.changes = (next) => ({ items: [], more: false, cursor: next });
        return { items, more: false, cursor: `${after}+` };
      };
    },
    changesAsked: () => stub.targets.filter((target) => target.startsWith('changes')),
  };
}
