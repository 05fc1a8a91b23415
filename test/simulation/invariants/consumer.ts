import type { Run } from '../run-seed.ts';
import type { CommittedChange, StoredChange } from '../stored-state.ts';

/**
 * Checks that a consumer who keeps the change with the highest id for a user and an application has the last committed
 * one, in any order of delivery. A change of the user counts for each application.
 */
export function checkConsumer({ changes, events }: Run): string[] {
  const delivered = new Set(events.received.map(({ id }) => id));
  const lost = changes.filter(({ change }) => !delivered.has(change.id));
  const subjects = new Map<string, CommittedChange[]>();
  for (const { userId, appId } of changes.map(({ change }) => change)) {
    if (userId === undefined) continue;
    subjects.set(
      `${userId} in ${appId}`,
      changes.filter(({ change }) => change.userId === userId && (change.appId ?? appId) === appId),
    );
  }
  const wrong = [...subjects].flatMap(([subject, own]) => {
    const last = own.at(-1)?.change;
    const kept = keep(events.received.filter(({ id }) => own.some(({ change }) => change.id === id)));
    return kept?.id === last?.id ? [] : [`${subject}: keeps ${describe(kept)}, the last was ${describe(last)}`];
  });
  return [...lost.map(({ change }) => `${describe(change)} was never delivered`), ...wrong];
}

function keep(received: readonly StoredChange[]): StoredChange | undefined {
  return received.reduce<StoredChange | undefined>(
    (kept, change) => (kept === undefined || change.id > kept.id ? change : kept),
    undefined,
  );
}

function describe(change: StoredChange | undefined): string {
  return change === undefined ? 'nothing' : `${change.action} ${change.id}`;
}
