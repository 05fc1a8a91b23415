import '#test/support/settle-ten-seconds.ts';
import { jest, test } from '@jest/globals';
import type { AppId } from '#shared/contract/fields.ts';
import { deleteApplication } from '#shared/domain/application/delete-application.ts';
import type { StreamRecord } from '#shared/table/items/change-item.ts';
import { eraseUser } from '#test/support/manage-outcomes/prepare.ts';
import { newApplication } from '#test/support/new-application.ts';
import { seededRandom } from '#test/support/seeded-random.ts';
import { operator } from '#test/support/start-service.ts';
import { deleteLogin, setLogin } from '../../server/logins.ts';
import { create, deleteAccountOf, invite, setEmail, setStatus, signOut } from './account-steps.ts';
import { expectMirrored } from './expect-mirrored.ts';
import { deliver, invoke, newRecords, type PoolFault, passing, poolForEachTest, sweep } from './pool-world.ts';

const world = poolForEachTest();
const users = ['ada', 'mei', 'zoe@example.com'];
const emails = ['one@example.com', 'two@example.com', 'three@example.com', null];
const actsPerHistory = 25;

/** Numbers of one seed. */
function drawFrom(seed: number) {
  const random = seededRandom(seed);
  return {
    chance: (probability: number) => random() < probability,
    oneOf: <T>(options: readonly T[]): T => options[Math.floor(random() * options.length)] as T,
  };
}
type Draw = ReturnType<typeof drawFrom>;

/** One thing that operators do; what is refused, such as an unknown user, changes nothing. */
async function act({ oneOf }: Draw, appIds: string[]): Promise<void> {
  const user = oneOf(users);
  const appId = oneOf(appIds) as AppId;
  const login = { redirectUris: [`https://${oneOf(['a', 'b'])}.example.com/`], logoutUris: [] };
  const clientType = oneOf(['public', 'confidential'] as const);
  await oneOf([
    () => create(user, oneOf(emails)),
    () => invite(user),
    () => invite(user),
    () => setStatus(user, 'inactive'),
    () => setStatus(user, 'active'),
    () => setEmail(user, oneOf(emails)),
    () => signOut(user),
    () => deleteAccountOf(user),
    () => eraseUser(user),
    () => setLogin({ appId, clientType, ...login }, operator),
    () => deleteLogin({ appId }, operator),
    async () => {
      if (appIds.length > 4) return;
      await passing(deleteApplication({ appId, force: true }, operator));
      await newApplication([], `${appId}x`);
      appIds.push(`${appId}x`);
    },
  ])().catch(() => undefined);
}

/** Delivers a part of what was not delivered yet, in any batches, and some of it again. */
async function deliverSome({ chance, oneOf }: Draw, waiting: StreamRecord[], past: StreamRecord[]): Promise<void> {
  const batch = waiting.splice(0, oneOf([1, 2, 5, 100]));
  past.push(...batch);
  world.isLambdaDown = chance(0.2);
  await deliver(world, [...(chance(0.2) ? past.slice(-oneOf([1, 3, 9])) : []), ...batch]);
}

/** Runs some of the invocations, in any order, twice or not at all. */
async function runSome({ chance, oneOf }: Draw): Promise<void> {
  const { invocations } = world;
  const changes = invocations.splice(Math.floor(invocations.length * oneOf([0, 0.5, 0.9])), 1)[0];
  if (changes === undefined || chance(0.15)) return;
  const runs = [changes, ...(chance(0.3) ? [changes] : []), ...(chance(0.2) ? [{}] : [])];
  await Promise.all(runs.map((each) => invoke(each).catch(() => undefined)));
}

function faultsOf({ chance, oneOf }: Draw): () => PoolFault | undefined {
  const faults: readonly PoolFault[] = ['before', 'after', { code: 'TooManyRequestsException' }];
  const probability = oneOf([0, 0.1, 0.3]);
  return () => (chance(probability) ? oneOf(faults) : undefined);
}

const seeds = Array.from({ length: Number(process.env.LOGIN_HISTORIES ?? 40) }, (_, n) => n + 1);

test.each(seeds)('the pool has in the end what the table says: history %i', async (seed) => {
  const draw = drawFrom(seed);
  const appIds = ['billing', 'wiki'];
  for (const appId of appIds) await newApplication([], appId);
  const [waiting, past]: StreamRecord[][] = [[], []];
  if (waiting === undefined || past === undefined) throw new Error('There are two lists');
  world.fault = faultsOf(draw);
  for (let acts = 0; acts < actsPerHistory; acts++) {
    await act(draw, appIds);
    jest.advanceTimersByTime(draw.oneOf([0, 1, 1000]));
    waiting.push(...newRecords(world));
    if (draw.chance(0.6)) await deliverSome(draw, waiting, past);
    if (draw.chance(0.6)) await runSome(draw);
  }
  world.fault = undefined;
  world.isLambdaDown = false;
  if (waiting.length > 0) await deliver(world, waiting);
  // No invocation arrives: the schedule finds everything, and what one account waits for after the next.
  for (let sweeps = 0; sweeps < 4; sweeps++) await sweep(16);
  await freeAddresses();
  expectMirrored(world);
});

/** Two users with one address cannot both have an account: each gets another one. */
async function freeAddresses(): Promise<void> {
  for (const user of users) await setEmail(user, `${user.replace('@', '.')}@example.org`).catch(() => undefined);
  await deliver(world);
  for (let sweeps = 0; sweeps < 2; sweeps++) await sweep(16);
}
