import type { Context } from 'aws-lambda';
import { now, runUntil } from '#shared/core/clock.ts';
import { requireVariable } from '#shared/core/config.ts';
import type { LoginChanges } from '../server/login-follower.ts';
import { runDueTasks, runTasks } from '../server/run-tasks.ts';

/** Nothing is sent in the last seconds, so that Lambda ends no function in the middle of a call. */
const marginMilliseconds = 10_000;

/**
 * Brings accounts and clients of the user pool up to date. Invoked for the changes of a batch of the table's stream, and by
 * EventBridge each minute for what is left. Throws if something failed, so that this is seen; the schedule tries it again.
 */
export async function handler(changes: Partial<LoginChanges>, context: Pick<Context, 'getRemainingTimeInMillis'>) {
  const pool = requireVariable('LOGIN_POOL_ID');
  const endsAt = now().getTime() + context.getRemainingTimeInMillis() - marginMilliseconds;
  const failed = await runUntil(endsAt, () => run(pool, changes));
  if (failed > 0) throw new Error(`${failed} could not be brought up to date`);
}

/** Applications first: they are few, and people wait for them. */
function run(pool: string, { userIds, appIds }: Partial<LoginChanges>): Promise<number> {
  if (userIds === undefined || appIds === undefined) return runDueTasks(pool);
  return runTasks(pool, [...appIds.map((appId) => ({ appId })), ...userIds.map((userId) => ({ userId }))]);
}
