import type { Command } from 'commander';
import type { RoleView } from '#shared/contract/role.ts';
import type { MemberView } from '#shared/contract/role-members.ts';
import type { CommandContext, ContextProvider } from '../service/command-context.ts';
import { addListOptions, type ListOptions, showPages } from '../service/show-pages.ts';
import { appArgument, examples, forceOption, roleArgument, yesOption } from '../terminal/arguments.ts';
import { formatExpiry, formatTime } from '../terminal/format-time.ts';
import { type Column, recordLines } from '../terminal/print-table.ts';
import { type DeletionOptions, deleteCompletely } from './delete-completely.ts';

const columns: readonly Column<RoleView>[] = [
  { title: 'ROLE', cell: ({ role }) => role },
  { title: 'CREATED', cell: ({ createdAt }) => formatTime(createdAt) },
  { title: 'DESCRIPTION', isText: true, cell: ({ description }) => description ?? '-' },
];
const memberColumns: readonly Column<MemberView>[] = [
  { title: 'USER', cell: ({ userId }) => userId },
  { title: 'UNTIL', isText: true, cell: ({ expiresAt }) => formatExpiry(expiresAt) },
];

/** Adds `roles`: the roles that applications define. */
export function addRoles(program: Command, { withContext }: ContextProvider): void {
  const roles = program.command('roles').description('define, list and delete the roles of an application');

  roles
    .command('define')
    .description('define a role, or change its description')
    .addArgument(appArgument())
    .addArgument(roleArgument())
    .option('--description <text>', 'what the role allows (default: none)')
    .addHelpText('after', examples('roles define billing editor --description "may change invoices"'))
    .action(
      withContext(
        async ({ client, options, show }: CommandContext<{ description?: string }>, appId: string, role: string) => {
          const body = { description: options.description ?? null };
          const view = await client.call('define-role', { path: { appId, role }, body });
          show(view, view.changed ? `Defined the role ${role} of ${appId}.` : 'No change.');
        },
      ),
    );

  addListOptions(roles.command('list').addArgument(appArgument()))
    .description('list the roles of an application')
    .addHelpText('after', examples('roles list billing'))
    .action(
      withContext(async (context: CommandContext<ListOptions>, appId: string) => {
        await showPages(context, (query) => context.client.call('list-roles', { path: { appId }, query }), columns);
      }),
    );

  roles
    .command('show')
    .description('show a role')
    .addArgument(appArgument())
    .addArgument(roleArgument())
    .addHelpText('after', examples('roles show billing editor'))
    .action(
      withContext(async ({ client, show }, appId: string, role: string) => {
        const view = await client.call('get-role', { path: { appId, role } });
        show(view, ...roleLines(view));
      }),
    );

  addListOptions(roles.command('members').addArgument(appArgument()).addArgument(roleArgument()))
    .description('list the users with a role')
    .addHelpText('after', examples('roles members billing editor --all'))
    .action(
      withContext(async (context: CommandContext<ListOptions>, appId: string, role: string) => {
        const path = { appId, role };
        await showPages(context, (query) => context.client.call('list-members', { path, query }), memberColumns);
      }),
    );

  roles
    .command('delete')
    .description('delete a role, and revoke it from all its users')
    .addArgument(appArgument())
    .addArgument(roleArgument())
    .addOption(forceOption('users have it'))
    .addOption(yesOption())
    .addHelpText('after', examples('roles delete billing editor', 'roles delete billing editor --force --yes'))
    .action(
      withContext(async (context: CommandContext<DeletionOptions>, appId: string, role: string) => {
        const query = { force: context.options.force };
        const send = () => context.client.call('delete-role', { path: { appId, role }, query });
        await deleteCompletely(context, { id: role, what: `the role ${role} of ${appId}`, send });
      }),
    );
}

function roleLines({ appId, role, description, createdAt, updatedAt }: RoleView): string[] {
  return recordLines([
    ['role', role],
    ['application', appId],
    ['description', description ?? '-'],
    ['created', formatTime(createdAt)],
    ['updated', formatTime(updatedAt)],
  ]);
}
