import * as v from 'valibot';
import { setUserAccessOperation } from '#shared/contract/access.ts';
import type { Page } from '#shared/contract/answers.ts';
import { updateKeyOperation } from '#shared/contract/api-key.ts';
import type { Change, ChangeAction } from '#shared/contract/change.ts';
import { maxPageSize } from '#shared/contract/fields.ts';
import { setUserStatusOperation } from '#shared/contract/user.ts';
import { countOf } from '#shared/contract/wording.ts';
import type { CommandContext } from '../service/command-context.ts';
import type { ManageClient } from '../service/manage-client.ts';
import { CliError, exitCodes } from '../terminal/cli-error.ts';
import { type Column, createTable } from '../terminal/print-table.ts';

/** The outcome for a change. */
export interface AppliedChange {
  readonly id: string;
  readonly action: ChangeAction;
  readonly subject: string;
  readonly outcome: 'applied' | 'unchanged' | 'outdated' | 'expired' | 'missing' | 'not-applicable' | 'failed';
  readonly detail: string;
}

/**
 * Reapplies changes that a restored table lacks, in the order of their ids: every erasure, and the last change of each status,
 * access, grant, key and key label. Newer changes in the table win, so it is safe to run twice. A run starts with a dry run,
 * which stops it if the operator would be refused later.
 */
export async function applyChanges(
  context: CommandContext<{ readonly dryRun?: boolean }>,
  changes: readonly Change[],
): Promise<void> {
  const { options, terminal, show } = context;
  context.announce();
  const last = lastOfEachSubject(changes);
  const tried = await applyEach(context, last, true);
  const outcomes = options.dryRun === true ? tried : await applyEach(context, last, false);
  show(outcomes, ...createTable(columns, terminal)(outcomes), summary(outcomes, options.dryRun === true));
  const failed = outcomes.filter(({ outcome }) => outcome === 'failed').length;
  if (failed > 0) throw new CliError(`${countOf(failed, 'change')} failed. Run the command again.`);
}

type Outcome = Pick<AppliedChange, 'outcome' | 'detail'>;

async function applyEach(
  { client, terminal }: CommandContext,
  changes: readonly Change[],
  dryRun: boolean,
): Promise<AppliedChange[]> {
  const outcomes: AppliedChange[] = [];
  const erased = new Set<string | undefined>();
  for (const change of changes) {
    const { id, action, userId } = change;
    const outcome = erased.has(userId) ? erasedBefore : await applyOne(client, change, dryRun);
    if (isErasing(change) && outcome.outcome === 'applied') erased.add(userId);
    outcomes.push({ id, action, subject: subjectOf(change), ...outcome });
    if (outcomes.length % 100 === 0) {
      terminal.note(`${dryRun ? 'Checked' : 'Applied'} ${countOf(outcomes.length, 'change')} …`);
    }
  }
  return outcomes;
}

/** An erased user stays erased, because creations are not applied; a dry run cannot see that. */
const erasedBefore: Outcome = { outcome: 'missing', detail: 'the user was erased by an earlier change' };

async function applyOne(client: ManageClient, change: Change, dryRun: boolean): Promise<Outcome> {
  const apply = repeatingCall(client, change, { dryRun });
  if (apply === undefined) return { outcome: 'not-applicable', detail: 'apply manually' };
  if (hasExpired(change)) return { outcome: 'expired', detail: `expired at ${change.after?.until}` };
  try {
    const newer = await findNewer(client, change);
    if (newer !== undefined) return { outcome: 'outdated', detail: `the table already has the change ${newer}` };
    const { changed } = await apply();
    return changed ? { outcome: 'applied', detail: '' } : { outcome: 'unchanged', detail: 'already in this state' };
  } catch (error) {
    if (!(error instanceof CliError)) throw error;
    // In the dry run, an error that concerns more than this change ends the command before anything is applied.
    if (dryRun && error.exitCode !== exitCodes.notFound && error.problem?.code !== 'invalid_request') throw error;
    return { outcome: error.exitCode === exitCodes.notFound ? 'missing' : 'failed', detail: error.message };
  }
}

/** The call that repeats a removal or a change of a status or label; undefined for any other change. */
function repeatingCall(
  client: ManageClient,
  change: Change,
  query: { readonly dryRun: boolean },
): (() => Promise<{ changed?: boolean }>) | undefined {
  const { action, userId = '', appId = '', role = '', keyId = '' } = change;
  switch (action) {
    case 'user.deleted':
      return () => client.call('delete-user', { path: { userId }, query });
    case 'user.status.changed': {
      const body = bodyOf(setUserStatusOperation, change);
      return body && (() => client.call('set-user-status', { path: { userId }, query, body }));
    }
    case 'access.changed': {
      const body = bodyOf(setUserAccessOperation, change);
      return body && (() => client.call('set-user-access', { path: { userId, appId }, query, body }));
    }
    case 'role.revoked':
      return () => client.call('revoke-user-role', { path: { userId, appId, role }, query });
    case 'key.revoked':
      return () => client.call('revoke-key', { path: { appId, keyId }, query });
    case 'key.updated': {
      const body = bodyOf(updateKeyOperation, change);
      return body && (() => client.call('update-key', { path: { appId, keyId }, query, body }));
    }
    default:
      return undefined;
  }
}

interface BodyOperation<Entries extends v.ObjectEntries> {
  readonly body: { readonly entries: Entries };
}

/** The body that restores the state after a change: every member of the operation's body that the change contains. */
function bodyOf<Entries extends v.ObjectEntries>({ body }: BodyOperation<Entries>, { after, reason }: Change) {
  const { success, output } = v.safeParse(v.object(body.entries), { reason, ...after });
  return success ? output : undefined;
}

/** The id of the same change, or of a newer one of the same subject, in the stored history. */
async function findNewer(client: ManageClient, change: Change): Promise<string | undefined> {
  const { id } = change;
  const read = historyOf(client, change);
  for (let cursor: string | undefined; read !== undefined; ) {
    const page = await read({ limit: maxPageSize, cursor });
    const newer = page.items.find((known) => known.id >= id && subjectOf(known) === subjectOf(change));
    if (newer !== undefined) return newer.id;
    if (page.cursor === null || page.items.some((known) => known.id < id)) return undefined;
    cursor = page.cursor;
  }
  return undefined;
}

type ReadHistory = (query: { readonly limit: number; readonly cursor: string | undefined }) => Promise<Page<Change>>;

/** The history that would contain a newer change, newest first; none for a revoked key, which stays revoked anyway. */
function historyOf(client: ManageClient, { userId, appId = '', action }: Change): ReadHistory | undefined {
  if (userId !== undefined) return (query) => client.call('list-user-changes', { path: { userId }, query });
  if (action !== 'key.updated') return undefined;
  return (query) => client.call('list-application-changes', { path: { appId }, query });
}

function lastOfEachSubject(changes: readonly Change[]): Change[] {
  const last = new Map(changes.map((change) => [`${isErasing(change)} ${subjectOf(change)}`, change.id]));
  return changes.filter((change) => last.get(`${isErasing(change)} ${subjectOf(change)}`) === change.id);
}

/** An erasure is applied even if the id belongs to a new user. */
function isErasing({ action }: Change): boolean {
  return action === 'user.deleted';
}

/** The subject of a change; of two changes of one subject, the one with the higher id wins. */
function subjectOf({ action, userId, appId, role, keyId }: Change): string {
  const [kind = ''] = action.split('.');
  const what = parts[action] ?? kind;
  return [what, appId, userId, role, keyId].filter((part) => part !== undefined).join(' ');
}

/** Parts that change independently: a key that is labelled after its revocation stays revoked. */
const parts: Readonly<Partial<Record<ChangeAction, string>>> = {
  'user.status.changed': 'status',
  'user.updated': 'profile',
  'key.updated': 'label',
};

function hasExpired({ action, after }: Change): boolean {
  return action === 'access.changed' && typeof after?.until === 'string' && after.until <= new Date().toISOString();
}

const columns: readonly Column<AppliedChange>[] = [
  { title: 'OUTCOME', cell: ({ outcome }) => outcome },
  { title: 'ACTION', cell: ({ action }) => action },
  { title: 'SUBJECT', cell: ({ subject }) => subject },
  { title: 'CHANGE', cell: ({ id }) => id },
  { title: 'DETAIL', cell: ({ detail }) => detail || '-' },
];

function summary(outcomes: readonly AppliedChange[], dryRun: boolean): string {
  const counts = new Map<AppliedChange['outcome'], number>();
  for (const { outcome } of outcomes) counts.set(outcome, (counts.get(outcome) ?? 0) + 1);
  const tally = [...counts].map(([outcome, count]) => `${count} ${outcome}`).join(', ');
  return `${dryRun ? 'Dry run, nothing was changed' : 'Done'}: ${tally || 'no changes'}.`;
}
