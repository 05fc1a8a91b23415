import { randomBytes } from 'node:crypto';
import type { ManagementClient } from '#client/management/management-client.ts';
import { createServiceCaller, type SigningKey } from '#shared/calls/call-service.ts';
import { findService } from '../../cli/service/find-service.ts';
import { createManageClient } from '../../cli/service/manage-client.ts';
import { cleanUp } from '../clean-up.ts';
import type { ProofContext } from './proof-step.ts';
import { addresses } from './stage-deployment.ts';

/** An application with a user and a key, for the requests of one step. */
export interface TrialApplication {
  readonly appId: string;
  readonly userId: string;
  readonly key: SigningKey;
  readonly manage: ManagementClient;
  /** Requests the user's access once; returns the status. */
  readonly readAccess: (key?: SigningKey) => Promise<number>;
}

/** Creates one, lets `use` work with it, and deletes it again. */
export async function withApplication<Result>(
  context: ProofContext,
  use: (app: TrialApplication) => Promise<Result>,
): Promise<Result> {
  const { api, manage: url } = await addresses(context);
  const service = findService({ url }, { env: process.env, cwd: process.cwd, program: 'npm run -s manage --' });
  const manage = createManageClient({ service: () => service, note: context.print });
  const id = `prove-${randomBytes(5).toString('hex')}`;
  const [appId, userId] = [id, id];
  const remove = () => cleanUp({ manage, appId, userId });
  try {
    await manage.call('create-application', { body: { appId, name: 'npm run prove' } });
    await manage.call('create-user', { path: { userId }, body: {} });
    const { keyId, secret } = await manage.call('issue-key', { path: { appId } });
    const key = { keyId, secret };
    const caller = createServiceCaller(api);
    const readAccess = async (signer = key) =>
      (await caller.send(caller.sign('get-access', { path: { userId } }, signer))).status;
    const result = await use({ appId, userId, key, manage, readAccess });
    await remove();
    return result;
  } catch (error) {
    // Its own failure would hide the first one.
    await remove().catch(({ message }) => context.print(`${appId} was not deleted: ${message}`));
    throw error;
  }
}

/** Reads the access each second while something happens; returns how many requests were answered with which status. */
export async function whileReading<Result>(
  { readAccess }: TrialApplication,
  work: () => Promise<Result>,
): Promise<{ readonly result: Result; readonly statuses: Readonly<Record<string, number>> }> {
  const statuses: Record<string, number> = {};
  let isDone = false;
  const reading = (async () => {
    while (!isDone) {
      const status = await readAccess().then(String, () => 'none');
      statuses[status] = (statuses[status] ?? 0) + 1;
      await new Promise<void>((resolve) => setTimeout(resolve, 1000));
    }
  })();
  try {
    return { result: await work(), statuses };
  } finally {
    isDone = true;
    await reading;
  }
}

/** The same as text: `200: 57, 500: 3`. */
export function describeStatuses(statuses: Readonly<Record<string, number>>): string {
  return Object.entries(statuses)
    .map(([status, count]) => `${status}: ${count}`)
    .join(', ');
}
