import type { Run } from '../run-seed.ts';
import { checkAcknowledged } from './acknowledged.ts';
import { checkAnswers } from './answers.ts';
import { checkChains } from './chains.ts';
import { checkClosings } from './closings.ts';
import { checkConsumer } from './consumer.ts';
import { checkErrors } from './errors.ts';
import { checkFollower } from './follower.ts';
import { checkHistoryOverAll } from './history-over-all.ts';
import { checkInactiveMarks } from './inactive-marks.ts';
import { checkIncarnations } from './incarnations.ts';
import { checkLateWrites } from './late-writes.ts';
import { checkLists } from './lists.ts';
import { checkMacs } from './macs.ts';
import { checkMembers } from './members.ts';
import { checkOneEffect } from './one-effect.ts';
import { checkReads } from './reads.ts';
import { checkReplays } from './replays.ts';
import { checkSearch } from './search.ts';
import { checkSnapshot } from './snapshot.ts';

/** What must hold after every run. */
export interface Check {
  readonly promise: string;
  /** What it found against the promise. */
  readonly find: (run: Run) => readonly string[];
}

/** The checks, by a name for `--check`. */
export const checks: Readonly<Record<string, Check>> = {
  errors: { promise: 'every error is one of the catalogue', find: checkErrors },
  acknowledged: { promise: 'an acknowledged write is there, a refused one is not', find: checkAcknowledged },
  answers: { promise: 'what a client is told was so during its call', find: checkAnswers },
  'one-effect': { promise: 'one call makes one Change', find: checkOneEffect },
  replays: { promise: 'the bytes of an attempt that was answered are refused', find: checkReplays },
  'late-writes': { promise: 'nothing is sent or written after the answer', find: checkLateWrites },
  chains: { promise: 'changes follow each other without a gap and lead to what is stored', find: checkChains },
  macs: {
    promise: 'the MAC of each change links it to the one before, up to the head that is stored',
    find: checkMacs,
  },
  members: { promise: 'lists of members are the grants, and those of applications their accesses', find: checkMembers },
  incarnations: { promise: 'nothing of what was deleted is left or returns', find: checkIncarnations },
  inactive: { promise: 'exactly the inactive users have a mark', find: checkInactiveMarks },
  closings: { promise: 'what is closed to be deleted is not used', find: checkClosings },
  search: { promise: 'users are found by their words of today', find: checkSearch },
  history: { promise: 'the history over all has every change that is kept, and no other', find: checkHistoryOverAll },
  reads: { promise: 'a read shows what is stored while it runs', find: checkReads },
  lists: { promise: 'every list shows what is stored', find: checkLists },
  follower: { promise: 'the follower of /changes has every change', find: checkFollower },
  snapshot: { promise: 'the reader of the snapshot who follows the changes has what is stored', find: checkSnapshot },
  consumer: { promise: 'the consumer of events ends with what is stored', find: checkConsumer },
};

/** What was found, by the name of the check that found it. */
export function findViolations(run: Run): [check: string, found: readonly string[]][] {
  return Object.entries(checks)
    .map(([name, { find }]): [string, readonly string[]] => [name, find(run)])
    .filter(([, found]) => found.length > 0);
}
