import { checkChains } from '#test/simulation/invariants/chains.ts';
import { checkFeeds } from '#test/simulation/invariants/feeds.ts';
import { checkGlobalHistory } from '#test/simulation/invariants/global-history.ts';
import { checkInactiveMarks } from '#test/simulation/invariants/inactive-marks.ts';
import { checkIncarnations } from '#test/simulation/invariants/incarnations.ts';
import { checkMacs } from '#test/simulation/invariants/macs.ts';
import { checkMembers } from '#test/simulation/invariants/members.ts';
import { checkShownCounters } from '#test/simulation/invariants/overview.ts';
import { checkSearch } from '#test/simulation/invariants/search.ts';
import type { Commit } from '#test/simulation/simulated-dynamodb.ts';
import {
  applicationKey,
  isApplication,
  isChange,
  isLive,
  isUserEntry,
  pendingOf,
  roleKey,
  type StoredChange,
  userKey,
} from '#test/simulation/stored-state.ts';
import type { Item } from '../../../../local/memory/memory-table.ts';
import type { RepairedRun } from './repair-seed.ts';

/** The checks of what is stored, as after a run without a takeover. */
const checks = {
  members: checkMembers,
  incarnations: checkIncarnations,
  inactive: checkInactiveMarks,
  search: checkSearch,
  chains: checkChains,
  macs: checkMacs,
  history: checkGlobalHistory,
  overview: checkShownCounters,
};

/** Returns the violations that the repair has left and not named, and what it did that it must not do. */
export function violationsOf(repaired: RepairedRun): string[] {
  const { run, dryWrites, secondFindings, findings, lost } = repaired;
  const isExplained = explanationsOf(repaired);
  const found = Object.entries({ ...checks, feeds: () => checkRepairedFeeds(repaired) }).flatMap(([name, check]) =>
    check(run).map((line) => `${name}: ${line}`),
  );
  const again = secondFindings.filter(({ repaired }) => repaired);
  return [
    ...found.filter((line) => !isExplained(line)),
    ...(lost > 0 ? [] : findings.filter(isUnmendable).map(({ kind }) => `nothing was lost, and it named ${kind}`)),
    ...(dryWrites > 0 ? [`the dry run wrote ${dryWrites} times`] : []),
    ...again.map((finding) => `the second run repaired ${JSON.stringify(finding)}`),
    ...(findings.length > 0 && repaired.dry.length === 0 ? ['the dry run found nothing'] : []),
  ];
}

/** Checks that the feeds have every change that is left, or that they began anew and nothing is pending. */
function checkRepairedFeeds({ run, isRestart }: RepairedRun): string[] {
  const { items, commits } = run;
  if (isRestart) {
    const feeds = [
      'USERS',
      ...items.filter(isApplication).flatMap((item) => (isLive(item) ? [String(item.appId)] : [])),
    ];
    const starts = new Map(items.map((item) => [`${item.pk} ${item.sk}`, item.startsAfter]));
    const old = feeds.filter((feed) => !starts.get(`FEED#${feed} LOG#END`));
    const pending = items.map(pendingOf).filter((found) => found !== undefined);
    return [
      ...old.map((feed) => `${feed} did not begin anew`),
      ...pending.map(({ feed, id }) => `${id} is still pending in ${feed}`),
    ];
  }
  // The numbers of erased changes go with their users.
  const left = new Set(items.filter(isChange).map(({ id }) => id));
  const isLeft = ({ mutations }: Commit) =>
    mutations.every(({ sk, after }) => !isChange({ sk }) || left.has(after?.id));
  return checkFeeds({ ...run, commits: commits.filter(isLeft) });
}

/**
 * What is missing everywhere, so that no repair can restore it: each line of a check that only says so. The comments are what
 * docs/operate/restore.md promises no more than.
 */
function explanationsOf({ run, findings }: RepairedRun): (line: string) => boolean {
  const stored = new Map(run.items.map((item) => [`${item.pk} ${item.sk}`, item]));
  const find = ({ pk, sk }: { pk: string; sk: string }): Item | undefined => stored.get(`${pk} ${sk}`);
  const made = new Set(run.changes.map(({ change }) => change.id));
  const repairs = run.changes.flatMap(({ change }) => (change.requestId === 'repair' ? [change] : []));
  const named = new Set<unknown>([
    ...run.items.filter(isUserEntry).map(({ sk }) => sk),
    ...run.items.filter(isChange).map(({ userId }) => userId),
  ]);
  const userOf = (line: string) => /(?:(?:USER|FIND#\S+ \S+)#|the access of )(\S+)/.exec(line)?.[1];
  const isGone = (line: string) => {
    const userId = userOf(line);
    return userId !== undefined && !isLive(find(userKey(userId)));
  };
  const explanations: ((line: string) => boolean)[] = [
    // A lost block ends the numbers before it: readers of that part get 410.
    (line) => / goes on with \d+ after /.test(line),
    // A Change that had no number comes late, unless the feeds begin anew.
    (line) => line.endsWith(' after a later one'),
    // A word that no Change names is found only by searching for it.
    (line) => {
      const [, word] = /^search: FIND#\S+ (\S+)#\S+ of .* is left$/.exec(line) ?? [];
      return word !== undefined && !run.items.some((item) => isChange(item) && JSON.stringify(item).includes(word));
    },
    // A Change that only the lost Region had may have been told: later ones still have higher ids.
    (line) => {
      const [, named, newest = ''] = / names (\w+), the last Change is (\w+)$/.exec(line) ?? [];
      return named !== undefined && !made.has(named) && (newest === 'undefined' || named > newest);
    },
    // More versions than one were lost, or a beginning, which is recorded after what followed it.
    (line) => repairs.some(({ id }) => line.includes(id)),
    (line) => repairs.some((change) => change.before === null && namesOf(change).every((name) => line.includes(name))),
    (line) => findings.some((finding) => isUnmendable(finding) && isAbout(finding, line)),
    // No list and no change names the user, the role or the application: only a scan would find what is left.
    (line) => userOf(line) !== undefined && !named.has(userOf(line)),
    (line) => line.includes('FIND#') && isGone(line),
    // An erasure erases what a gap is between.
    (line) => / (?:follows|changes) /.test(line) && isGone(line),
    (line) => {
      const [, appId] = /(?:APP|ACCESS)#([^# ]+)/.exec(line) ?? [];
      return appId !== undefined && find(applicationKey(appId)) === undefined;
    },
    (line) => {
      const [, appId, role] =
        /^members: (\S+) (\S+) \S+ until /.exec(line) ?? /APP#([^# ]+)#ROLE#(\S+)/.exec(line) ?? [];
      if (appId === undefined || role === undefined || find(roleKey(appId, role)) !== undefined) return false;
      return !run.items.some((item) => isChange(item) && item.appId === appId && item.role === role);
    },
  ];
  return (line) => explanations.some((explains) => explains(line));
}

function isUnmendable({ repaired }: RepairedRun['findings'][number]): boolean {
  return !repaired;
}

function namesOf({ userId, appId, role }: StoredChange): string[] {
  return [userId, appId, role].filter((name) => name !== undefined);
}

function isAbout({ changeId = '-', userId, appId, role }: RepairedRun['findings'][number], line: string): boolean {
  if (line.includes(changeId)) return true;
  if (userId !== undefined && appId !== undefined) return line.includes(userId) && line.includes(appId);
  if (userId !== undefined) return line.includes(userId);
  if (role !== undefined) return line.includes(`APP#${appId} ROLE#${role}`);
  return line.includes(`APP#${appId} `);
}
