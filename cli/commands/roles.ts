import type { Command } from 'commander';
import type { MemberView, RoleView } from '#shared/contract/management.ts';
import { appArgument, forceOption, roleArgument, yesOption } from '../arguments.ts';
import { type DeletionOptions, deleteCompletely } from '../delete-completely.ts';
import { examples } from '../examples.ts';
import { formatEnd, formatMoment } from '../format-moment.ts';
import type { Kit, Work } from '../kit.ts';
import { type Column, recordLines } from '../print-table.ts';
import { addListOptions, type ListOptions, showPages } from '../show-pages.ts';

const columns: readonly Column<RoleView>[] = [
  { title: 'ROLE', cell: ({ role }) => role },
  { title: 'CREATED', cell: ({ createdAt }) => formatMoment(createdAt) },
  { title: 'DESCRIPTION', cell: ({ description }) => description ?? '-' },
];
const memberColumns: readonly Column<MemberView>[] = [
  { title: 'USER', cell: ({ userId }) => userId },
  { title: 'UNTIL', cell: ({ expiresAt }) => formatEnd(expiresAt) },
];

/** `roles`: names that an application gives a meaning. */
export function addRoles(program: Command, { perform }: Kit): void {
  const roles = program.command('roles').description('define, list and delete the roles of an application');

  roles
    .command('define')
    .description('define a role, or change its description')
    .addArgument(appArgument())
    .addArgument(roleArgument())
    .option('--description <text>', 'what the role allows (default: none)')
    .addHelpText('after', examples('roles define billing editor --description "may change invoices"'))
    .action(
      perform(async ({ client, options, show }: Work<{ description?: string }>, appId: string, role: string) => {
        const body = { description: options.description ?? null };
        const view = await client.call('define-role', { path: { appId, role }, body });
        show(view, view.changed ? `Defined the role ${role} of ${appId}.` : 'It is defined so already.');
      }),
    );

  addListOptions(roles.command('list').addArgument(appArgument()))
    .description('list the roles of an application')
    .addHelpText('after', examples('roles list billing'))
    .action(
      perform(async (work: Work<ListOptions>, appId: string) => {
        await showPages(work, (query) => work.client.call('list-roles', { path: { appId }, query }), columns);
      }),
    );

  roles
    .command('show')
    .description('show a role')
    .addArgument(appArgument())
    .addArgument(roleArgument())
    .addHelpText('after', examples('roles show billing editor'))
    .action(
      perform(async ({ client, show }, appId: string, role: string) => {
        const view = await client.call('get-role', { path: { appId, role } });
        show(view, ...roleLines(view));
      }),
    );

  addListOptions(roles.command('members').addArgument(appArgument()).addArgument(roleArgument()))
    .description('list the users who hold a role')
    .addHelpText('after', examples('roles members billing editor --all'))
    .action(
      perform(async (work: Work<ListOptions>, appId: string, role: string) => {
        const path = { appId, role };
        await showPages(work, (query) => work.client.call('list-members', { path, query }), memberColumns);
      }),
    );

  roles
    .command('delete')
    .description('delete a role; whoever holds it loses it')
    .addArgument(appArgument())
    .addArgument(roleArgument())
    .addOption(forceOption('users hold it'))
    .addOption(yesOption())
    .addHelpText('after', examples('roles delete billing editor', 'roles delete billing editor --force --yes'))
    .action(
      perform(async (work: Work<DeletionOptions>, appId: string, role: string) => {
        const query = { force: work.options.force };
        const send = () => work.client.call('delete-role', { path: { appId, role }, query });
        await deleteCompletely(work, { id: role, what: `the role ${role} of ${appId}`, send });
      }),
    );
}

function roleLines({ appId, role, description, createdAt, updatedAt }: RoleView): string[] {
  return recordLines([
    ['role', role],
    ['application', appId],
    ['description', description ?? '-'],
    ['created', formatMoment(createdAt)],
    ['updated', formatMoment(updatedAt)],
  ]);
}
