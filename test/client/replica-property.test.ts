import { expect, test } from '@jest/globals';
import { decideLocally, type ReplicaState } from '../../client/replica/decide-locally.ts';
import { addPage, createKnowledge } from '../../client/replica/knowledge.ts';
import { beginSnapshot, followChanges, loadSnapshot, type ReadService } from '../../client/replica/read-service.ts';
import type { Fact } from '../../client/replica/user-facts.ts';
import { type Chance, createChance, ReplicaWorld } from './replica-world.ts';

/** A replica without a clock and timers: the world decides when it reads. */
function createTestReplica(world: ReplicaWorld, chance: Chance) {
  let isQuiet = false;
  const doubts: Fact[] = [];
  const knowledge = createKnowledge(
    () => [world.now, 0],
    () => {},
  );
  const during = () => {
    if (!isQuiet && chance(2) === 0) world.act();
  };
  const read: ReadService = (path, limit, after) => world.read(path, limit, after, during) as never;
  const take = (step: () => void) => knowledge.change(world.userIds, step);
  return {
    knowledge,
    doubts,
    /** Whether nothing changes while the replica reads. */
    setQuiet(quiet: boolean) {
      isQuiet = quiet;
    },
    async load() {
      const state = await loadSnapshot(read, beginSnapshot('crm'));
      const { seen } = await followChanges(read, state, (page) => addPage(state, page));
      take(() => {
        knowledge.state = state;
      });
      knowledge.settle(seen);
    },
    async follow() {
      const state = knowledge.state as ReplicaState;
      const { seen } = await followChanges(read, state, (page) =>
        take(() => doubts.push(...addPage(state, page, world.now))),
      );
      knowledge.settle(seen);
    },
    /** Simulates a restart with a file. */
    restart() {
      const { users, ...members } = knowledge.state as ReplicaState;
      const stored = JSON.parse(JSON.stringify({ ...members, users: [...users] }));
      take(() => {
        knowledge.state = { ...stored, users: new Map(stored.users) };
      });
    },
  };
}

/** Runs a world, and returns the number of compared answers. */
async function runWorld(seed: number): Promise<number> {
  const chance = createChance(seed);
  const world = new ReplicaWorld(chance);
  for (let count = chance(20); count > 0; count--) world.act();
  const replica = createTestReplica(world, chance);
  await load(replica);
  let compared = 0;
  for (let count = 4; count > 0; count--) {
    for (let steps = 1 + chance(8); steps > 0; steps--) {
      world.act();
      if (chance(2)) await catchUp(replica, chance);
    }
    replica.setQuiet(true);
    await catchUp(replica, () => 1);
    compared += compare(world, replica.knowledge.state as ReplicaState, seed);
    replica.setQuiet(false);
  }
  replica.knowledge.stop();
  // No change is missing, so all continue what is known.
  expect({ seed, doubts: replica.doubts }).toEqual({ seed, doubts: [] });
  return compared;
}

async function catchUp(replica: ReturnType<typeof createTestReplica>, chance: Chance): Promise<void> {
  if (chance(20) === 0) return load(replica);
  if (chance(20) === 0) replica.restart();
  return replica.follow().catch((error) => reload(replica, error));
}

function load(replica: ReturnType<typeof createTestReplica>): Promise<void> {
  return replica.load().catch((error) => reload(replica, error));
}

function reload(replica: ReturnType<typeof createTestReplica>, error: { readonly status?: number }): Promise<void> {
  if (error.status !== 410) throw error;
  return load(replica);
}

/** Fails with the seed if an answer differs from the service's; returns the number of answers. */
function compare(world: ReplicaWorld, state: ReplicaState, seed: number): number {
  const compared = world.userIds.map((userId) => {
    const expected = world.answerOf(userId);
    if (expected === undefined) return 0;
    const { effectiveStatus, decidedBy, roles, code } = decideLocally(state, userId, [world.now, 0]);
    const answer = code ? { code } : { effectiveStatus, decidedBy, roles, code };
    if (JSON.stringify(answer) !== JSON.stringify(expected))
      expect({ [`${seed} ${userId}`]: answer }).toEqual({ [`${seed} ${userId}`]: expected });
    return 1;
  });
  return compared.reduce<number>((sum, count) => sum + count, 0);
}

test('a replica answers like the service for every user that exists or was erased in the last 30 days', async () => {
  let compared = 0;
  for (let seed = 1; compared < 100_000; seed++) compared += await runWorld(seed);
});
