import { fullRollout } from '#shared/contract/rollout.ts';
import { RolloutTally } from '#shared/contract/rollout-tally.ts';
import type { CommandContext } from '../service/command-context.ts';
import { eachPage } from '../service/show-pages.ts';
import { redrawnLine } from '../terminal/terminal.ts';

/** A change of an application's rollout, in percent. */
export interface RolloutChange {
  readonly appId: string;
  readonly from: number;
  readonly to: number;
}

/** The users that a rollout decides about (active, without an explicit status), and how many of them it admits. */
export interface RolloutCount {
  readonly withoutStatus: number;
  readonly admitted: number;
  readonly admittedBefore: number;
}

/**
 * Counts from the list of all users and that of the application's users, read concurrently, with progress on a terminal.
 * Memory use does not grow with the number of users.
 */
export async function countRollout(
  { client, terminal }: Pick<CommandContext, 'client' | 'terminal'>,
  { appId, from, to }: RolloutChange,
): Promise<RolloutCount> {
  const tally = new RolloutTally(appId);
  const line = redrawnLine(terminal);
  let counted = 0;
  const note = (users: number) => {
    counted += users;
    line.show(`Counting users: ${counted.toLocaleString('en')} …`);
  };
  // If one list fails, reading the other one stops.
  const stopping = new AbortController();
  const addAll = eachPage(
    (query) => client.call('list-users', { query: { ...query, status: 'active' } }),
    (users) => {
      for (const { userId } of users) tally.add(userId);
      note(users.length);
    },
    stopping.signal,
  );
  const subtractExplicit = eachPage(
    (query) => client.call('list-application-users', { path: { appId }, query }),
    (accesses) => {
      for (const { explicit, userStatus, userId } of accesses)
        if (explicit && userStatus === 'active') tally.remove(userId);
    },
    stopping.signal,
  );
  await Promise.all([addAll, subtractExplicit]).finally(() => {
    stopping.abort();
    line.end();
  });
  return {
    withoutStatus: tally.admitted(fullRollout),
    admitted: tally.admitted(to),
    admittedBefore: tally.admitted(from),
  };
}
