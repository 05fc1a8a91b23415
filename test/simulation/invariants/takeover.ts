import type { CallRecord } from '../clients.ts';
import type { Run } from '../run-seed.ts';
import type { TakeoverRun } from '../run-takeover.ts';
import { checkErrors } from './errors.ts';
import { checkReads } from './reads.ts';

/**
 * Checks what holds without any repair after a takeover: every error is in the catalogue, however incomplete the transactions
 * are that have arrived, and each read shows what its Region stored.
 */
export function violationsOfTakeover(run: TakeoverRun): [check: string, found: readonly string[]][] {
  const { calls, regions, streams, takenOverAt } = run;
  const before = calls.filter((call) => answeredBy(call, (_, answeredAt) => answeredAt <= takenOverAt));
  const after = calls.filter((call) => answeredBy(call, (sentAt) => sentAt >= takenOverAt));
  const parts = [
    { calls: before, commits: regions[0].commits },
    { calls: after, commits: regions[1].commits },
  ] as unknown as readonly Run[];
  const errors = streams.flatMap((events) => checkErrors({ calls: [], events } as unknown as Run));
  const found: [string, readonly string[]][] = [
    ['errors', [...errors, ...checkErrors({ calls, events: { errors: [] } } as unknown as Run)]],
    ['reads', parts.flatMap(checkReads)],
  ];
  return found.filter(([, violations]) => violations.length > 0);
}

function answeredBy({ attempts, outcome }: CallRecord, isIn: (sentAt: number, answeredAt: number) => boolean): boolean {
  const last = attempts.find(({ answer }) => answer === outcome);
  return last?.answeredAt !== undefined && isIn(last.sentAt, last.answeredAt);
}
