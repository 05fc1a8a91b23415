import type { Command } from 'commander';
import type { ApplicationView } from '#shared/contract/application.ts';
import type { ReasonDemand } from '#shared/contract/change-reason.ts';
import { isReviewOverdue } from '#shared/contract/review-due.ts';
import { countOf } from '#shared/contract/wording.ts';
import { createApplications } from '../bulk/create-applications.ts';
import { type FindOptions, findApps } from '../bulk/find-apps.ts';
import { type RolloutOptions, rollOut } from '../bulk/roll-out.ts';
import type { CommandContext, ContextProvider } from '../service/command-context.ts';
import { addListOptions, type ListOptions, showPages } from '../service/show-pages.ts';
import {
  addReasonOptions,
  appArgument,
  changeArgument,
  examples,
  forceOption,
  percentArgument,
  type ReasonOptions,
  reasonBody,
  requestsPerSecondOption,
  requireReasonOption,
  reviewEveryOption,
  rolloutOption,
  yesOption,
} from '../terminal/arguments.ts';
import { formatExpiry, formatTime } from '../terminal/format-time.ts';
import { type Column, recordLines } from '../terminal/print-table.ts';
import { type DeletionOptions, deleteCompletely } from './delete-completely.ts';
import { undoneText } from './history-commands.ts';

const columns: readonly Column<ApplicationView>[] = [
  { title: 'APPLICATION', cell: ({ appId }) => appId },
  { title: 'NAME', isText: true, cell: ({ name }) => name },
  { title: 'ROLLOUT', cell: ({ rolloutPercent }) => `${rolloutPercent} %` },
  {
    title: 'REVIEW DUE',
    isText: true,
    cell: ({ reviewDueAt }) => formatTime(reviewDueAt),
    tone: (app) => (isReviewOverdue(app, new Date()) ? 'red' : undefined),
  },
  { title: 'CREATED', cell: ({ createdAt }) => formatTime(createdAt) },
];

/** Adds `apps`: the applications that use the service. */
export function addApps(program: Command, { withContext }: ContextProvider): void {
  const apps = program.command('apps').description('create, list, change, roll out and delete applications');

  apps
    .command('create')
    .description('create an application')
    .addArgument(appArgument())
    .argument('[name]', 'display name (default: the id)')
    .addOption(rolloutOption())
    .addHelpText('after', examples('apps create billing', 'apps create crm "Customers" --rollout 0'))
    .action(
      withContext(
        async ({ client, options, show }: CommandContext<CreateOptions>, appId: string, name: string | undefined) => {
          const body = { appId, name: name ?? appId, rolloutPercent: options.rollout };
          const app = await client.call('create-application', { body });
          show(app, `Created the application ${app.appId}.`);
        },
      ),
    );

  apps
    .command('create-many')
    .description('create applications from a file; applications that already match the file are not changed')
    .argument(
      '<file>',
      'CSV or JSON Lines: appId, and optionally name, rolloutPercent, requireReason; - is standard input',
    )
    .option('--dry-run', 'check the file, without creating anything')
    .addHelpText('after', examples('apps create-many apps.csv --dry-run', 'apps create-many apps.csv'))
    .action(
      withContext((context: CommandContext<{ readonly dryRun?: boolean }>, file: string) =>
        createApplications(context, file),
      ),
    );

  addListOptions(apps.command('list'))
    .description('list applications by id')
    .option('--search <words>', 'only applications whose id or name contains these words')
    .option('--csv <file>', 'write all of them to a file for a spreadsheet')
    .addHelpText('after', examples('apps list', 'apps list --search "pay roll"', 'apps list --csv apps.csv'))
    .action(
      withContext(async (context: CommandContext<ListOptions & FindOptions>) => {
        const { search, csv } = context.options;
        if (search !== undefined || csv !== undefined) return findApps(context, columns);
        await showPages(context, (query) => context.client.call('list-applications', { query }), columns);
      }),
    );

  apps
    .command('show')
    .description('show an application')
    .addArgument(appArgument())
    .addHelpText('after', examples('apps show billing'))
    .action(
      withContext(async ({ client, show }, appId: string) => {
        const app = await client.call('get-application', { path: { appId } });
        show(app, ...appLines(app));
      }),
    );

  apps
    .command('rename')
    .description('change the display name of an application')
    .addArgument(appArgument())
    .argument('<name>', 'the new name')
    .addHelpText('after', examples('apps rename billing "Billing and dunning"'))
    .action(
      withContext(async ({ client, show }, appId: string, name: string) => {
        const app = await client.call('update-application', { path: { appId }, body: { name } });
        show(app, app.changed ? `Renamed the application ${appId}.` : 'No change.');
      }),
    );

  apps
    .command('update')
    .description('change the name of an application, limit its requests, require reasons, or expect reviews')
    .addArgument(appArgument())
    .option('--name <name>', 'the new name')
    .addOption(requestsPerSecondOption())
    .addOption(requireReasonOption())
    .addOption(reviewEveryOption())
    .addHelpText(
      'after',
      examples(
        'apps update crm --requests-per-second 200',
        'apps update crm --requests-per-second none',
        'apps update crm --require-reason operators',
        'apps update crm --review-every 90',
      ),
    )
    .action(
      withContext(async ({ client, options, show }: CommandContext<UpdateOptions>, appId: string) => {
        const { name, requestsPerSecond, requireReason, reviewEvery } = options;
        const body = {
          name,
          requestsPerSecond: requestsPerSecond === 'none' ? null : requestsPerSecond,
          requireReason: requireReason === 'none' ? null : requireReason,
          reviewEveryDays: reviewEvery === 'none' ? null : reviewEvery,
        };
        const app = await client.call('update-application', { path: { appId }, body });
        show(app, app.changed ? `Updated the application ${appId}.` : 'No change.');
      }),
    );

  addReasonOptions(apps.command('rollout'))
    .description('set the rollout percentage of an application, and count the users it admits')
    .addArgument(appArgument())
    .addArgument(percentArgument())
    .addOption(yesOption())
    .addHelpText('after', rolloutGuide)
    .addHelpText('after', examples('apps rollout crm 25', 'apps rollout crm 0.5 --reason "pilot failed" --yes'))
    .action(
      withContext(async (context: CommandContext<RolloutOptions>, appId: string, percent: number) => {
        await rollOut(context, appId, percent);
      }),
    );

  addReasonOptions(apps.command('undo'))
    .description("undo a change of an application's settings, such as its rollout, unless it has changed again since")
    .addArgument(appArgument())
    .addArgument(changeArgument())
    .addHelpText('after', examples('apps undo crm 01KB3ZC4N7Z3QF4V6E5T8S9R2W'))
    .action(
      withContext(async ({ client, options, show }: CommandContext<ReasonOptions>, appId: string, changeId: string) => {
        const path = { appId, changeId };
        const undone = await client.call('undo-application-change', { path, body: reasonBody(options) });
        show(undone, undoneText(undone));
      }),
    );

  apps
    .command('delete')
    .description('delete an application with its keys and roles; its id cannot be used again')
    .addArgument(appArgument())
    .addOption(forceOption('users have access settings or roles in it'))
    .addOption(yesOption())
    .addHelpText('after', examples('apps delete billing', 'apps delete billing --force --yes'))
    .action(
      withContext(async (context: CommandContext<DeletionOptions>, appId: string) => {
        const query = { force: context.options.force };
        const send = () => context.client.call('delete-application', { path: { appId }, query });
        await deleteCompletely(context, { id: appId, what: `the application ${appId}`, send });
      }),
    );
}

interface UpdateOptions {
  readonly name?: string;
  readonly requestsPerSecond?: number | 'none';
  readonly requireReason?: ReasonDemand | 'none';
  readonly reviewEvery?: number | 'none';
}

interface CreateOptions {
  readonly rollout?: number;
}

const rolloutGuide = `
A higher percentage only adds users. Users with an explicit status are not
affected: enabled admits them, disabled excludes them. Excluding users needs a
confirmation or --yes.`;

function appLines(application: ApplicationView): string[] {
  const { appId, name, rolloutPercent, requestsPerSecond, requireReason, createdAt, updatedAt } = application;
  const { reviewEveryDays, reviewedAt, reviewDueAt } = application;
  return recordLines([
    ['application', appId],
    ['name', name],
    ['rollout', `${rolloutPercent} %`],
    ['limit', requestsPerSecond === null ? 'none' : `${countOf(requestsPerSecond, 'request')} per second`],
    [
      'reasons',
      requireReason === null ? 'optional' : `required of ${requireReason === 'all' ? 'everyone' : 'operators'}`,
    ],
    ['reviews', reviewEveryDays === null ? 'none expected' : `every ${countOf(reviewEveryDays, 'day')}`],
    ['reviewed', formatTime(reviewedAt)],
    ['review due', `${formatExpiry(reviewDueAt)}${isReviewOverdue(application, new Date()) ? ', overdue' : ''}`],
    ['created', formatTime(createdAt)],
    ['updated', formatTime(updatedAt)],
  ]);
}
