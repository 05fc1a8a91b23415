import type { ManagementClient } from '#client/management/management-client.ts';
import type { Page } from '#shared/contract/answers.ts';
import type { Change, ChangeAction } from '#shared/contract/change.ts';
import { maxPageSize } from '#shared/contract/fields.ts';
import { countOf } from '#shared/contract/wording.ts';
import type { CommandContext } from '../service/command-context.ts';
import { CliError, exitCodes } from '../terminal/cli-error.ts';
import { type Column, createTable } from '../terminal/print-table.ts';
import { restoringCall, restorings } from './restoring-call.ts';

/** The outcome for a change. */
export interface AppliedChange {
  readonly id: string;
  readonly action: ChangeAction;
  readonly subject: string;
  readonly outcome: 'applied' | 'unchanged' | 'outdated' | 'expired' | 'missing' | 'not-applicable' | 'failed';
  readonly detail: string;
}

/**
 * Reapplies changes that a restored table lacks, in the order of their ids: every creation and erasure, and the last state of
 * each user, application, connection, role, access, grant, key revocation and key label. Newer changes in the table win, so it is safe to
 * run twice. A run starts with a dry run, which stops it if the operator would be refused later.
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

/** What a run has created and deleted so far; a dry run cannot see that in the table. */
interface Run {
  readonly created: Set<string>;
  readonly deleted: Set<string>;
}

async function applyEach(
  { client, terminal }: CommandContext,
  changes: readonly Change[],
  dryRun: boolean,
): Promise<AppliedChange[]> {
  const outcomes: AppliedChange[] = [];
  const run: Run = { created: new Set(), deleted: new Set() };
  for (const change of changes) {
    const { id, action } = change;
    const outcome = outcomeAfterDeletion(change, run, dryRun) ?? (await applyOne(client, change, run, dryRun));
    const foreseen = dryRun && outcome.outcome === 'missing' && dependsOnCreated(change, run) ? applied : outcome;
    noteResources(change, foreseen, run);
    outcomes.push({ id, action, subject: subjectOf(change), ...foreseen });
    if (outcomes.length % 100 === 0) {
      terminal.note(`${dryRun ? 'Checked' : 'Applied'} ${countOf(outcomes.length, 'change')} …`);
    }
  }
  return outcomes;
}

const applied: Outcome = { outcome: 'applied', detail: '' };

/** The outcome of a change to a user or role that an earlier change in the file deleted; undefined for any other change. */
function outcomeAfterDeletion(change: Change, { deleted }: Run, dryRun: boolean): Outcome | undefined {
  const { action, userId, appId, role } = change;
  if (deleted.has(`user ${userId}`)) {
    if (action === 'user.created') return dryRun ? applied : undefined;
    return { outcome: 'missing', detail: 'the user was erased by an earlier change' };
  }
  if (action === 'role.deleted' || !deleted.has(`role ${appId} ${role}`)) return undefined;
  return { outcome: 'not-applicable', detail: 'the role was deleted by an earlier change: apply both manually' };
}

/** Whether a change is about something that this run creates. Keys are not restored with their application. */
function dependsOnCreated(change: Change, { created }: Run): boolean {
  return change.keyId === undefined && resourcesOf(change).some((resource) => created.has(resource));
}

function noteResources(change: Change, { outcome }: Outcome, { created, deleted }: Run): void {
  const [own = ''] = resourcesOf(change);
  if (change.action === 'role.deleted' || (change.action === 'user.deleted' && outcome === 'applied')) {
    deleted.add(own);
    created.delete(own);
  }
  if (!isCreating(change) || outcome !== 'applied') return;
  created.add(own);
  deleted.delete(own);
}

/** The resources that a change names: its user, role, application, and connection with its applications. */
function resourcesOf({ userId, appId, role, connectionId, after }: Change): string[] {
  const connected = String(after?.applications ?? '').split(' ');
  return [
    ...(userId === undefined ? [] : [`user ${userId}`]),
    ...(role === undefined ? [] : [`role ${appId} ${role}`]),
    ...(appId === undefined ? [] : [`application ${appId}`]),
    ...(connectionId === undefined
      ? []
      : [`connection ${connectionId}`, ...connected.map((id) => `application ${id}`)]),
  ];
}

async function applyOne(client: ManagementClient, change: Change, { deleted }: Run, dryRun: boolean): Promise<Outcome> {
  const call = restoringCall(client, change);
  if (call === undefined) return { outcome: 'not-applicable', detail: 'apply manually' };
  const end = endOf(change);
  if (end !== undefined && end <= new Date().toISOString()) return { outcome: 'expired', detail: `expired at ${end}` };
  try {
    const isErasedByRun = deleted.has(`user ${change.userId}`);
    const newer = isErasedByRun ? undefined : await findNewer(client, change);
    if (newer !== undefined) return { outcome: 'outdated', detail: `the table already has the change ${newer}` };
    const answer = await call({ dryRun });
    const isUnchanged = 'changed' in answer && answer.changed === false;
    return isUnchanged ? { outcome: 'unchanged', detail: 'already in this state' } : applied;
  } catch (error) {
    if (!(error instanceof CliError)) throw error;
    return outcomeOf(error, dryRun);
  }
}

/** In the dry run, an error that concerns more than one change ends the command before anything is applied. */
function outcomeOf(error: CliError, dryRun: boolean): Outcome {
  if (error.exitCode === exitCodes.notFound) return { outcome: 'missing', detail: error.message };
  if (error.problem?.code === 'already_exists') return { outcome: 'unchanged', detail: 'the id is already taken' };
  if (dryRun && error.problem?.code !== 'invalid_request') throw error;
  return { outcome: 'failed', detail: error.message };
}

/** When the block or grant that a change set expires; undefined if it does not expire. */
function endOf({ action, after }: Change): string | undefined {
  const end = action === 'access.changed' ? after?.until : action === 'role.assigned' ? after?.expiresAt : undefined;
  return typeof end === 'string' ? end : undefined;
}

/** The id of the same change, or of a newer one of the same subject, in the stored history. */
async function findNewer(client: ManagementClient, change: Change): Promise<string | undefined> {
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

/** The history that would contain a newer change, newest first; none if the service refuses to repeat an older change. */
function historyOf(client: ManagementClient, change: Change): ReadHistory | undefined {
  const { userId, appId = '', connectionId, action, at } = change;
  // A revoked key stays revoked, and some ids are never free again.
  if (action === 'key.revoked' || createdOnce.includes(action)) return undefined;
  // Only the global history shows a later erasure; an erased user must not be recreated.
  if (action === 'user.created')
    return (query) => client.call('list-all-changes', { query: { ...query, userId, since: at } });
  if (connectionId !== undefined)
    return (query) => client.call('list-all-changes', { query: { ...query, connectionId, since: at } });
  if (userId !== undefined) return (query) => client.call('list-user-changes', { path: { userId }, query });
  return (query) => client.call('list-application-changes', { path: { appId }, query });
}

/** The last change of each subject; for an application, merged with its earlier updates. */
function lastOfEachSubject(changes: readonly Change[]): Change[] {
  const last = new Map<string, Change>();
  for (const change of changes) {
    const subject = `${isDeleting(change)} ${subjectOf(change)}`;
    const earlier = change.action === 'application.updated' ? last.get(subject)?.after : undefined;
    last.set(subject, earlier ? { ...change, after: { ...earlier, ...change.after } } : change);
  }
  return [...last.values()].sort((one, other) => (one.id < other.id ? -1 : 1));
}

/** A deletion counts even if the same id was created again. */
function isDeleting({ action }: Change): boolean {
  return action === 'user.deleted' || action === 'role.deleted';
}

function isCreating({ action }: Change): boolean {
  return ['user.created', 'role.defined', ...createdOnce].includes(action);
}

/** The subject of a change; of two changes of one subject, the one with the higher id wins. */
function subjectOf({ action, userId, appId, connectionId, webhookId, role, keyId }: Change): string {
  const [kind = ''] = action.split('.');
  const what = parts[action] ?? kind;
  return [what, appId, connectionId, webhookId, userId, role, keyId].filter((part) => part !== undefined).join(' ');
}

/** Parts that change independently: a key that is labelled after its revocation stays revoked. */
const parts: Readonly<Record<string, string>> = {
  'user.status.changed': 'status',
  'user.updated': 'profile',
  'application.updated': 'settings',
  'key.updated': 'label',
  ...Object.assign({}, ...restorings.map((option) => option.parts)),
};

/** Creations of what keeps its id for ever. */
const createdOnce: readonly string[] = ['application.created', ...restorings.flatMap(({ creations }) => creations)];

const columns: readonly Column<AppliedChange>[] = [
  { title: 'OUTCOME', cell: ({ outcome }) => outcome },
  { title: 'ACTION', cell: ({ action }) => action },
  { title: 'SUBJECT', isText: true, cell: ({ subject }) => subject },
  { title: 'CHANGE', isText: true, cell: ({ id }) => id },
  { title: 'DETAIL', isText: true, cell: ({ detail }) => detail || '-' },
];

function summary(outcomes: readonly AppliedChange[], dryRun: boolean): string {
  const counts = new Map<AppliedChange['outcome'], number>();
  for (const { outcome } of outcomes) counts.set(outcome, (counts.get(outcome) ?? 0) + 1);
  const tally = [...counts].map(([outcome, count]) => `${count} ${outcome}`).join(', ');
  return `${dryRun ? 'Dry run, nothing was changed' : 'Done'}: ${tally || 'no changes'}.`;
}
