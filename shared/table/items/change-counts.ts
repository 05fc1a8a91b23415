import type { Change, RecordedState } from '#shared/contract/change.ts';
import { hasPassed } from '#shared/core/expiry.ts';

/** What one change adds to the totals of its feed, besides itself. Zeros are omitted. */
export interface ChangeCounts {
  readonly users?: number;
  readonly inactive?: number;
  /** Blocks without an end: the others end without a change. */
  readonly blocked?: number;
  readonly flip?: 'block' | 'unblock';
}

/** What the difference of the two states adds to the counters; undefined if only the Change itself is counted. */
export function countsOf({ action, at, before, after }: Pick<Change, 'action' | 'at' | 'before' | 'after'>) {
  const counts =
    action === 'access.changed' ? countsOfAccess(before, after, new Date(at)) : countsOfUser(action, before, after);
  const counted = Object.entries(counts).filter(([, count]) => count !== 0 && count !== undefined);
  return counted.length === 0 ? undefined : (Object.fromEntries(counted) as ChangeCounts);
}

/** Whether changes of this action can count users or blocks. */
export function isCounting(action: Change['action']): boolean {
  const actions: readonly string[] = ['access.changed', 'user.created', 'user.deleted', 'user.status.changed'];
  return actions.includes(action);
}

function countsOfAccess(before: RecordedState | null, after: RecordedState | null, at: Date) {
  const [was, is] = [isBlocked(before, at), isBlocked(after, at)];
  const flip = was === is ? undefined : is ? 'block' : 'unblock';
  return { blocked: Number(isBlockedOpenly(after)) - Number(isBlockedOpenly(before)), flip };
}

function countsOfUser(action: Change['action'], before: RecordedState | null, after: RecordedState | null) {
  const inactive = Number(after?.status === 'inactive') - Number(before?.status === 'inactive');
  if (action === 'user.status.changed') return { inactive };
  const isExistence = action === 'user.created' || action === 'user.deleted';
  return isExistence ? { users: Number(after !== null) - Number(before !== null), inactive } : {};
}

function isBlocked(recorded: RecordedState | null, at: Date): boolean {
  return isBlockedOpenly(recorded) || (isDisabled(recorded) && !hasPassed(recorded?.until as string, at));
}

function isBlockedOpenly(recorded: RecordedState | null): boolean {
  return isDisabled(recorded) && typeof recorded?.until !== 'string';
}

function isDisabled(recorded: RecordedState | null): boolean {
  return recorded?.explicit === true && recorded.status === 'disabled';
}
