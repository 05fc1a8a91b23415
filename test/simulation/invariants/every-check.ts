import type { Run } from '../run-seed.ts';
import { checkAcknowledged } from './acknowledged.ts';
import { checkChains } from './chains.ts';
import { checkConsumer } from './consumer.ts';
import { checkErrors } from './errors.ts';
import { checkFollower } from './follower.ts';
import { checkIncarnations } from './incarnations.ts';
import { checkLateWrites } from './late-writes.ts';
import { checkMembers } from './members.ts';
import { checkOneEffect } from './one-effect.ts';
import { checkReads } from './reads.ts';

/** What must hold after every run; each answers what it found against it. */
export const checks: Readonly<Record<string, (run: Run) => readonly string[]>> = {
  'every error is one of the catalogue': checkErrors,
  'an acknowledged write is there, a refused one is not': checkAcknowledged,
  'one call makes one Change': checkOneEffect,
  'nothing is written after the answer': checkLateWrites,
  'changes follow each other without a gap and lead to what is stored': checkChains,
  'lists of members are the grants': checkMembers,
  'nothing of what was deleted is left or returns': checkIncarnations,
  'a read shows what is stored while it runs': checkReads,
  'the follower of /changes has every change once, in order': checkFollower,
  'the consumer of events ends with what is stored': checkConsumer,
};

/** What was found, by the check that found it. */
export function findViolations(run: Run): [check: string, violations: readonly string[]][] {
  return Object.entries(checks)
    .map(([name, check]): [string, readonly string[]] => [name, check(run)])
    .filter(([, violations]) => violations.length > 0);
}
