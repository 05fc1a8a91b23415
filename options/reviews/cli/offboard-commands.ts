import type { Command } from 'commander';
import type { CommandContext, ContextProvider } from '#cli/service/command-context.ts';
import { pageQuery } from '#cli/service/show-pages.ts';
import {
  addReasonOptions,
  examples,
  parserOf,
  type ReasonOptions,
  reasonBody,
  userArgument,
} from '#cli/terminal/arguments.ts';
import { CliError, exitCodes, notSent } from '#cli/terminal/cli-error.ts';
import { formatExpiry } from '#cli/terminal/format-time.ts';
import { type Column, createTable, recordLines } from '#cli/terminal/print-table.ts';
import type { UndoOutcome } from '#options/bulk/contract/bulk-undo.ts';
import type { UserAccessView } from '#shared/contract/access-lists.ts';
import { newBulkId } from '#shared/contract/bulk-calls.ts';
import type { Change } from '#shared/contract/change.ts';
import { bulkIdSchema, maxPageSize } from '#shared/contract/fields.ts';
import { readAll } from '#shared/contract/read-all.ts';
import { countOf } from '#shared/contract/wording.ts';
import {
  type OffboardingReceipt,
  offboard,
  offboardingIn,
  reinstate,
  rolesRequireReason,
  type TakenRole,
} from '../offboarding.ts';

interface OffboardOptions extends ReasonOptions {
  readonly keepRoles?: boolean;
  readonly dryRun?: boolean;
}

/** Adds `users offboard` and `users reinstate`, which undoes it. */
export function addOffboarding(users: Command, { withContext }: ContextProvider): void {
  addReasonOptions(users.command('offboard'))
    .description('deactivate a user and remove the roles in all applications, and print what was taken')
    .addArgument(userArgument())
    .option('--keep-roles', 'only deactivate the user; the roles apply again once the user is activated')
    .option('--dry-run', 'show what would be taken, without changing anything')
    .addHelpText(
      'after',
      examples('users offboard ada --reason "left the company" --ticket HR-77', 'users offboard ada --dry-run'),
    )
    .action(withContext((context: CommandContext<OffboardOptions>, userId: string) => offboardUser(context, userId)));

  addReasonOptions(users.command('reinstate'))
    .description('undo an offboarding: activate the user and give back the roles that it removed')
    .addArgument(userArgument())
    .argument('<bulk>', 'id of the offboarding, printed by "users offboard"', parserOf(bulkIdSchema))
    .addHelpText('after', examples('users reinstate ada 01KB3ZC4N7Z3QF4V6E5T8S9R2W --reason "came back"'))
    .action(
      withContext((context: CommandContext<ReasonOptions>, userId: string, bulkId: string) =>
        reinstateUser(context, userId, bulkId),
      ),
    );
}

async function offboardUser(context: CommandContext<OffboardOptions>, userId: string): Promise<void> {
  const { client, options, terminal, announce, show, commandLine } = context;
  const { keepRoles: keepsRoles = false, dryRun = false } = options;
  const accesses = await readAll<UserAccessView>((cursor) =>
    client.call('list-user-access', { path: { userId }, query: pageQuery(maxPageSize, cursor) }),
  );
  if (options.reason === undefined && !keepsRoles && rolesRequireReason(accesses)) {
    throw notSent('An application in which the user has roles requires a reason: add --reason.');
  }
  announce();
  const bulkId = newBulkId(Date.now());
  const body = { userIds: [userId], bulkId, dryRun, ...reasonBody(options) };
  const receipt = await offboard(
    { userId, bulkId, accesses, keepsRoles },
    {
      deactivate: async () =>
        (await client.call('set-user-status-in-bulk', { body: { ...body, status: 'inactive' } })).items,
      revoke: async (path) => (await client.call('revoke-role-in-bulk', { path, body })).items,
    },
  );
  show(receipt, ...receiptLines(receipt, dryRun), ...createTable(roleColumns, terminal)(receipt.roles));
  requireComplete(receipt);
  if (!dryRun) terminal.note(`Undo with: ${commandLine('users', 'reinstate', userId, bulkId)}`);
}

const roleColumns: readonly Column<TakenRole>[] = [
  { title: 'APPLICATION', cell: ({ appId }) => appId },
  { title: 'ROLE', cell: ({ role }) => role },
  { title: 'UNTIL', isText: true, cell: ({ expiresAt }) => formatExpiry(expiresAt) },
  { title: 'OUTCOME', cell: ({ outcome, problem }) => (problem ? `${outcome}: ${problem.detail}` : outcome) },
];

function receiptLines(
  { userId, bulkId, status, roles, lostAccess, blocks }: OffboardingReceipt,
  dryRun: boolean,
): string[] {
  const outcome = status.outcome === 'changed' ? (dryRun ? 'would be inactive' : 'inactive') : 'was inactive already';
  const removed = roles.filter((role) => role.outcome === 'removed').length;
  return recordLines([
    ['user', userId],
    ['status', status.outcome === 'failed' ? `failed: ${status.problem?.detail}` : outcome],
    ['lost access', lostAccess.join(', ') || '-'],
    ['roles', `${dryRun ? 'would remove' : 'removed'} ${removed} of ${countOf(roles.length, 'role')}`],
    [
      'blocks kept',
      blocks.map(({ appId, until }) => (until === null ? appId : `${appId} until ${formatExpiry(until)}`)).join(', ') ||
        '-',
    ],
    ...(dryRun ? [] : ([['bulk', bulkId]] as const)),
  ]);
}

function requireComplete({ status, roles }: OffboardingReceipt): void {
  const failed = roles.filter(({ outcome }) => outcome === 'failed').length;
  if (status.outcome !== 'failed' && failed === 0) return;
  const { code, detail } = status.problem ?? {};
  throw new CliError(detail ?? `${failed} of ${countOf(roles.length, 'role')} could not be removed.`, {
    ...(code === 'user_not_found' && { exitCode: exitCodes.notFound }),
    notes: ['Run the command again to do what is missing.'],
  });
}

async function reinstateUser(context: CommandContext<ReasonOptions>, userId: string, bulkId: string): Promise<void> {
  const { client, options, terminal, announce, show } = context;
  const changes = await readAll<Change>((cursor) =>
    client.call('list-user-changes', { path: { userId }, query: pageQuery(maxPageSize, cursor) }),
  );
  const found = offboardingIn(changes, bulkId);
  if (found === undefined) {
    throw new CliError(`The history of ${userId} has no offboarding with this id.`, { exitCode: exitCodes.notFound });
  }
  announce();
  const body = reasonBody(options);
  const outcomes = await reinstate(found, {
    activate: () => client.call('set-user-status', { path: { userId }, body: { status: 'active', ...body } }),
    giveBack: (appId) =>
      readAll<UndoOutcome>((cursor) =>
        client.call('undo-bulk', { path: { appId, bulkId }, query: pageQuery(maxPageSize, cursor), body }),
      ),
  });
  const failed = outcomes.filter(({ outcome }) => outcome === 'failed');
  const back = outcomes.length - failed.length;
  show(
    { userId, bulkId, items: outcomes },
    `The user ${userId} is active again, with ${back} of ${countOf(found.removed.length, 'role')} that had been removed.`,
  );
  if (back === found.removed.length) return;
  terminal.note(...failed.map(({ changeId, problem }) => `${changeId}: ${problem?.detail}`));
  throw new CliError(`${countOf(found.removed.length - back, 'role')} did not come back.`, {
    notes: ['Assign them with "grants assign" if they are still needed.'],
  });
}
