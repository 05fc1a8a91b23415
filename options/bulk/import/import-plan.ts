import type { BulkOutcome } from '#shared/contract/bulk.ts';
import { countOf } from '#shared/contract/wording.ts';
import { groupBy } from '#shared/integrity/group-by.ts';
import type {
  ImportEffect,
  ImportedChange,
  ImportedUser,
  ImportOutcome,
  ImportProblem,
} from '../contract/user-import.ts';

/** What an import does to some users. */
export interface Difference extends ImportedChange {
  readonly count: number;
}

/** What an import would do, from the outcomes of its dry run. */
export interface ImportPlan {
  /** The most serious first. */
  readonly differences: readonly Difference[];
  /** The users that would change. */
  readonly changing: readonly ImportedUser[];
  /** How many users would not. */
  readonly unchanged: number;
  /** Why users are rejected, by id. */
  readonly problems: ReadonlyMap<string, readonly ImportProblem[]>;
}

/** Plans an import from the outcomes of its dry run, in whatever order, in which everything was allowed. */
export function planImport(users: ReadonlyMap<string, ImportedUser>, outcomes: readonly ImportOutcome[]): ImportPlan {
  const byId = new Map<string, ImportOutcome>(outcomes.map((outcome) => [outcome.userId, outcome]));
  const ordered = [...users.keys()].flatMap((userId) => byId.get(userId) ?? []);
  const accepted = ordered.filter(({ outcome }) => outcome !== 'failed');
  const changing = accepted.flatMap(({ userId, outcome }) => (outcome === 'changed' ? (users.get(userId) ?? []) : []));
  return {
    differences: countDifferences(accepted),
    changing,
    unchanged: accepted.length - changing.length,
    problems: new Map(
      outcomes.flatMap((outcome) => (outcome.outcome === 'failed' ? [[outcome.userId, outcome.problems]] : [])),
    ),
  };
}

/** The outcome of a user in a dry run, whose problem says whether the service could not check everything of the user. */
export type CheckedOutcome = ImportOutcome & Pick<BulkOutcome, 'problem'>;

/** An outcome of a dry run, which is to be asked for again if its problem is `unavailable`. */
export function checkedOutcome(outcome: ImportOutcome): CheckedOutcome {
  const problem = outcome.problems.find(({ code }) => code === 'unavailable');
  return { ...outcome, ...(problem && { problem }) };
}

/** Whether a user was refused because no reason was given, which concerns the whole import. */
export function lacksReason({ code }: Pick<ImportProblem, 'code'>): boolean {
  return code === 'reason_required';
}

/** What gives access back, and the member of the request that confirms it. */
export const confirmations = { reactivated: 'reactivate', unblocked: 'unblock' } as const satisfies Partial<
  Record<ImportEffect, 'reactivate' | 'unblock'>
>;

/** Whether a difference gives access back, so that it must be confirmed. */
export function needsConfirmation(
  difference: Difference,
): difference is Difference & { readonly effect: keyof typeof confirmations } {
  return difference.effect in confirmations;
}

/** Giving access back comes first, because it is what nobody may do by mistake. */
const order: readonly ImportEffect[] = [
  'reactivated',
  'unblocked',
  'created',
  'deactivated',
  'blocked',
  'allowed',
  'assigned',
  'revoked',
  'updated',
];

function countDifferences(outcomes: readonly Pick<ImportOutcome, 'changes'>[]): Difference[] {
  const byKind = groupBy(
    outcomes.flatMap(({ changes }) => changes),
    ({ effect, appId, role }) => JSON.stringify([order.indexOf(effect), appId, role]),
  );
  return [...byKind.values()]
    .flatMap((changes) => changes.slice(0, 1).map((change) => ({ ...change, count: changes.length })))
    .sort((one, other) => order.indexOf(one.effect) - order.indexOf(other.effect) || other.count - one.count);
}

/** `1 user will be reactivated`. */
export function describeDifference({ effect, appId = '', role = '', count }: Difference): string {
  const phrases: Readonly<Record<ImportEffect, string>> = {
    created: 'will be created',
    updated: 'will get another name or e-mail address',
    deactivated: 'will be deactivated',
    reactivated: 'will be reactivated',
    blocked: `will be blocked in ${appId}`,
    unblocked: `will be unblocked in ${appId}`,
    allowed: `will be allowed in ${appId}, whatever its rollout`,
    assigned: `will get the role ${role} in ${appId}`,
    revoked: `will lose the role ${role} in ${appId}`,
  };
  return `${countOf(count, 'user')} ${phrases[effect]}`;
}

/** The outcome of a user as that of any bulk: a run stops at the first problem of a user. */
export function outcomeOf({ userId, outcome, problems: [problem] }: ImportOutcome): BulkOutcome {
  if (problem === undefined) return { userId, outcome };
  const { code, detail, appId, role } = problem;
  const place = [appId, role].filter((name) => name !== undefined).join(' ');
  return { userId, outcome, problem: { code, detail: place === '' ? detail : `${place}: ${detail}` } };
}
