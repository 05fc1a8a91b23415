import { optionParts } from '../option-parts.ts';
import type { Run } from '../run-seed.ts';
import { checkAcknowledged } from './acknowledged.ts';
import { checkAnswers } from './answers.ts';
import { checkBulks } from './bulks.ts';
import { checkChains } from './chains.ts';
import { checkClosings } from './closings.ts';
import { checkConsumer } from './consumer.ts';
import { checkErrors } from './errors.ts';
import { checkExportedState } from './exported-state.ts';
import { checkFeeds } from './feeds.ts';
import { checkFollower } from './follower.ts';
import { checkGlobalHistory } from './global-history.ts';
import { checkInactiveMarks } from './inactive-marks.ts';
import { checkIncarnations } from './incarnations.ts';
import { checkLateWrites } from './late-writes.ts';
import { checkLimits } from './limits.ts';
import { checkLists } from './lists.ts';
import { checkLiveness } from './liveness.ts';
import { checkMacs } from './macs.ts';
import { checkMembers } from './members.ts';
import { checkOneEffect } from './one-effect.ts';
import { checkOverview } from './overview.ts';
import { checkReads } from './reads.ts';
import { checkReplays } from './replays.ts';
import { checkReplica } from './replica.ts';
import { checkSearch } from './search.ts';
import { checkSnapshot } from './snapshot.ts';
import { checkUndo } from './undo.ts';

/** An invariant that must hold after every run. */
export interface Check {
  readonly promise: string;
  /** Returns the violations. */
  readonly find: (run: Run) => readonly string[];
  /** Whether it holds only while clocks differ by less than the service assumes. */
  readonly needsClocks?: true;
}

/** The checks, by a name for `--check`. */
export const checks: Readonly<Record<string, Check>> = {
  errors: { promise: 'every error is in the catalogue', find: checkErrors },
  acknowledged: { promise: 'acknowledged writes are stored, and refused ones are not', find: checkAcknowledged },
  answers: { promise: 'each response was true at some instant of its call', find: checkAnswers, needsClocks: true },
  'one-effect': { promise: 'a call makes at most one Change', find: checkOneEffect },
  bulks: { promise: 'a bulk changes each user once, and says so', find: checkBulks },
  undo: { promise: 'undoing restores the state before, or is refused', find: checkUndo, needsClocks: true },
  limits: { promise: 'an application is refused only above its limit', find: checkLimits },
  liveness: { promise: 'after the faults everything completes', find: checkLiveness },
  months: { promise: 'a filter follows its actions for as long as it polls', find: ({ monthsLater }) => monthsLater },
  replays: { promise: 'a replay of an answered attempt is refused', find: checkReplays, needsClocks: true },
  'late-writes': { promise: 'nothing is sent or written after the response', find: checkLateWrites },
  chains: { promise: 'changes have no gaps and produce the stored state', find: checkChains },
  'exported-state': { promise: 'an export explains the stored state', find: checkExportedState },
  macs: {
    promise: 'the MAC of each change links it to the previous one, up to the stored head',
    find: checkMacs,
  },
  members: { promise: 'member lists equal the grants, and access lists the accesses', find: checkMembers },
  incarnations: { promise: 'deleted data is gone and does not return', find: checkIncarnations },
  inactive: { promise: 'exactly the inactive users have a mark', find: checkInactiveMarks },
  closings: { promise: 'closed roles and applications are not used', find: checkClosings, needsClocks: true },
  search: { promise: 'users are found by their current words', find: checkSearch },
  history: { promise: 'the global history has the changes that are kept', find: checkGlobalHistory },
  feeds: { promise: 'each change of a feed gets one number, without gaps', find: checkFeeds },
  overview: { promise: 'the counters of the feeds are the state', find: checkOverview },
  reads: { promise: 'a read shows what was stored during the call', find: checkReads, needsClocks: true },
  lists: { promise: 'every list shows the stored state', find: checkLists, needsClocks: true },
  follower: { promise: 'the follower of /changes has every change as soon as it is committed', find: checkFollower },
  replica: { promise: 'a replica decides as the table does', find: checkReplica },
  snapshot: { promise: 'a reader of the snapshot who follows the changes has the stored state', find: checkSnapshot },
  consumer: { promise: 'the consumer of events ends with the stored state', find: checkConsumer },
  ...Object.assign({}, ...optionParts.map((part) => part.checks)),
};

/** Returns all violations by the name of the check. */
export function findViolations(run: Run): [check: string, found: readonly string[]][] {
  const hasWrongClocks = (run.swarm?.clockErrorMilliseconds ?? 0) > 0;
  return Object.entries(checks)
    .filter(([, { needsClocks = false }]) => !needsClocks || !hasWrongClocks)
    .map(([name, { find }]): [string, readonly string[]] => [name, find(run)])
    .filter(([, found]) => found.length > 0);
}
