import { hasTime, now } from '#shared/core/clock.ts';
import { createRequestToken } from '#shared/core/ids.ts';
import { transact } from '#shared/table/client.ts';
import {
  finishTaskEntry,
  type LoginTask,
  postponeTaskEntry,
  readTask,
  releaseTask,
  type TaskLease,
  type TaskSubject,
  takeTask,
} from '../table/login-task-item.ts';
import { syncAccount } from './sync-account.ts';
import { syncClient } from './sync-client.ts';

/** Longer than the function runs, after which it sends nothing more. */
const leaseMilliseconds = 150_000;
/** How long what the provider refused waits before it is tried again. */
const waitMilliseconds = 15 * 60_000;
const maxRounds = 5;

/**
 * Brings an account or a client up to date, if the table says that it may differ. One function at a time does so for each, and the
 * task stays in the table until the provider has been told of its latest change: so an invocation may be lost, late, repeated or
 * beside another one.
 */
export async function runTask(pool: string, subject: TaskSubject): Promise<void> {
  const lease = { token: createRequestToken(), until: now().getTime() + leaseMilliseconds };
  if (!(await takeTask(subject, lease))) return;
  try {
    for (let round = 1; round <= maxRounds && hasTime(); round++) {
      const task = await readTask(subject);
      if (task?.leaseToken !== lease.token || (await perform(pool, task, lease))) return;
    }
  } catch (error) {
    await releaseTask(subject, lease);
    throw error;
  }
  await releaseTask(subject, lease);
}

/** True once nothing is left to do; false if something has changed meanwhile. */
async function perform(pool: string, task: LoginTask, lease: TaskLease): Promise<boolean> {
  const { subject, deletedAt } = task;
  const { entries, isWaiting } = await ('userId' in subject
    ? syncAccount(pool, subject.userId, deletedAt)
    : syncClient(pool, subject.appId, deletedAt));
  const end = isWaiting
    ? postponeTaskEntry(task, now().getTime() + waitMilliseconds, lease)
    : finishTaskEntry(task, lease);
  if ((await transact([...entries, end])).kind === 'committed') return true;
  if (entries.length > 0) await transact(entries);
  return false;
}
