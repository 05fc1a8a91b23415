import '#test/support/environment.mjs';
import { randomInt } from 'node:crypto';
import { setImmediate as letTimersRun } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import fc from 'fast-check';

const help = `npm run fuzz:scim [-- --seed <number>] [--bodies <number>]

Sends damaged bodies to the endpoints of directories, in this process and over a table in memory. Each must change only what it
names, or be refused and write nothing. Progress goes to stderr every 10 s. The exit code is 1 when a body fails.

  --seed <number>    repeats the bodies of a run, which states its seed. Default: a random one
  --bodies <number>  default: 100000
`;

const options = { seed: { type: 'string' }, bodies: { type: 'string' }, help: { type: 'boolean' } } as const;
const given = parseArgs({ options }).values;
if (given.help) process.stdout.write(help);
else await fuzz(Number(given.seed ?? randomInt(2 ** 31)), Number(given.bodies ?? 100_000));

/** Each batch has its own users and its own seed, by which it can be repeated alone. */
async function fuzz(seed: number, bodies: number): Promise<void> {
  const perBatch = 2000;
  const startedAt = Date.now();
  const counts = { bodies: 0, accepted: 0, removed: 0 };
  const seconds = () => Math.round((Date.now() - startedAt) / 1000);
  const report = () =>
    `${counts.bodies} of ${bodies} bodies in ${seconds()} s: ${counts.accepted} changes of a user accepted, ${counts.removed} of a group removed members`;
  console.error(`Seed ${seed}`);
  const progress = setInterval(() => console.error(report()), 10_000);
  for (let first = 0; first < bodies; first += perBatch) {
    const batch = { seed: seed + first / perBatch, bodies: Math.min(perBatch, bodies - first) };
    try {
      await sendBatch(batch, counts);
    } catch (error) {
      console.error(`A body failed. Repeat with: npm run fuzz:scim -- --seed ${batch.seed} --bodies ${batch.bodies}`);
      throw error;
    }
  }
  clearInterval(progress);
  console.log(report());
}

interface Counts {
  bodies: number;
  accepted: number;
  removed: number;
}

/** Four of five bodies are about a user, the others about a group. */
async function sendBatch({ seed, bodies }: { seed: number; bodies: number }, counts: Counts): Promise<void> {
  const { startScimInMemory } = await import('../support/scim-in-memory.ts');
  const { checkGroupChanges, checkUserChanges, createTargets, groupChange, userChange } = await import(
    '../support/scim-fuzz.ts'
  );
  const directory = await startScimInMemory();
  await createTargets(directory);
  const isAccepted = await checkUserChanges(directory);
  const before = { ...counts };
  const ofGroup = Math.floor(bodies / 5);
  for (const change of fc.sample(userChange, { seed, numRuns: bodies - ofGroup })) {
    counts.accepted += Number(await isAccepted(change));
    counts.bodies += 1;
    await letTimersRun();
  }
  const removesMember = await checkGroupChanges(directory);
  for (const body of fc.sample(groupChange, { seed, numRuns: ofGroup })) {
    counts.removed += Number(await removesMember(body));
    counts.bodies += 1;
    await letTimersRun();
  }
  // Otherwise hardly anything was tried.
  if (bodies >= 1000 && (counts.accepted - before.accepted < bodies / 10 || counts.removed === before.removed)) {
    throw new Error('Too few bodies were accepted');
  }
  if ('polluted' in {}) throw new Error('A body has changed the prototype of all objects');
}
