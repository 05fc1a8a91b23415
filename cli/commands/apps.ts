import type { Command } from 'commander';
import type { ApplicationView } from '#shared/contract/management.ts';
import { appArgument, forceOption, yesOption } from '../arguments.ts';
import { type DeletionOptions, deleteCompletely } from '../delete-completely.ts';
import { examples } from '../examples.ts';
import { formatMoment } from '../format-moment.ts';
import type { Kit, Work } from '../kit.ts';
import { type Column, recordLines } from '../print-table.ts';
import { addListOptions, type ListOptions, showPages } from '../show-pages.ts';

const columns: readonly Column<ApplicationView>[] = [
  { title: 'APPLICATION', cell: ({ appId }) => appId },
  { title: 'NAME', cell: ({ name }) => name },
  { title: 'CREATED', cell: ({ createdAt }) => formatMoment(createdAt) },
];

/** `apps`: the applications that ask this service. */
export function addApps(program: Command, { perform }: Kit): void {
  const apps = program.command('apps').description('create, list, rename and delete applications');

  apps
    .command('create')
    .description('create an application')
    .addArgument(appArgument())
    .argument('[name]', 'name for people (default: the id)')
    .addHelpText('after', examples('apps create billing', 'apps create billing "Billing, all countries"'))
    .action(
      perform(async ({ client, show }, appId: string, name: string | undefined) => {
        const app = await client.call('create-application', { path: {}, body: { appId, name: name ?? appId } });
        show(app, `Created the application ${app.appId}.`);
      }),
    );

  addListOptions(apps.command('list'))
    .description('list applications by id')
    .addHelpText('after', examples('apps list', 'apps list --all --json'))
    .action(
      perform(async (work: Work<ListOptions>) => {
        await showPages(work, (query) => work.client.call('list-applications', { path: {}, query }), columns);
      }),
    );

  apps
    .command('show')
    .description('show an application')
    .addArgument(appArgument())
    .addHelpText('after', examples('apps show billing'))
    .action(
      perform(async ({ client, show }, appId: string) => {
        const app = await client.call('get-application', { path: { appId } });
        show(app, ...appLines(app));
      }),
    );

  apps
    .command('rename')
    .description('change the name for people')
    .addArgument(appArgument())
    .argument('<name>', 'the new name')
    .addHelpText('after', examples('apps rename billing "Billing and dunning"'))
    .action(
      perform(async ({ client, show }, appId: string, name: string) => {
        const app = await client.call('update-application', { path: { appId }, body: { name } });
        show(app, app.changed ? `Renamed the application ${appId}.` : 'It has this name already.');
      }),
    );

  apps
    .command('delete')
    .description('delete an application for ever, with its keys and roles; its id stays taken')
    .addArgument(appArgument())
    .addOption(forceOption('users have access settings or roles in it'))
    .addOption(yesOption())
    .addHelpText('after', examples('apps delete billing', 'apps delete billing --force --yes'))
    .action(
      perform(async (work: Work<DeletionOptions>, appId: string) => {
        const query = { force: work.options.force };
        const send = () => work.client.call('delete-application', { path: { appId }, query });
        await deleteCompletely(work, { id: appId, what: `the application ${appId}`, send });
      }),
    );
}

function appLines({ appId, name, createdAt, updatedAt }: ApplicationView): string[] {
  return recordLines([
    ['application', appId],
    ['name', name],
    ['created', formatMoment(createdAt)],
    ['updated', formatMoment(updatedAt)],
  ]);
}
