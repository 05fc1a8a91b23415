import { hasTime, now } from '#shared/core/clock.ts';
import { log } from '#shared/core/telemetry.ts';
import { mapConcurrently } from '#shared/domain/request/map-concurrently.ts';
import type { Item } from '#shared/table/client.ts';
import { PoolError } from '../cognito/call-pool.ts';
import { readTasks, type TaskSubject } from '../table/login-task-item.ts';
import { runTask } from './run-task.ts';

/** So many are brought up to date at once; how fast is limited by the calls themselves. */
const atOnce = 3;

/** Brings what has just changed up to date, and returns how many failed. These, and what does not fit into the time, are left to the schedule. */
export async function runTasks(pool: string, subjects: readonly TaskSubject[]): Promise<number> {
  const succeeded = await mapConcurrently(subjects, (subject) => attempt(pool, subject), atOnce);
  return succeeded.filter((isDone) => !isDone).length;
}

async function attempt(pool: string, subject: TaskSubject): Promise<boolean> {
  if (!hasTime()) return true;
  try {
    await runTask(pool, subject);
    return true;
  } catch (error) {
    // What Cognito says can contain what it refused.
    const said = error instanceof PoolError ? error.code : error;
    log.error('The provider could not be told of a change', { ...subject, error: said });
    return false;
  }
}

/** Brings up to date what no other function does: invocations that were lost, failures, and what the provider refused before. */
export async function runDueTasks(pool: string): Promise<number> {
  let failed = 0;
  let after: Item | undefined;
  do {
    const { tasks, next } = await readTasks(after);
    const due = tasks.filter(({ dueAt }) => dueAt <= now().getTime());
    failed += await runTasks(
      pool,
      due.map(({ subject }) => subject),
    );
    after = next;
  } while (after !== undefined && hasTime());
  return failed;
}
