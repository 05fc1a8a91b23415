import { Argument, type Command, Option } from 'commander';
import { type DeletionOptions, deleteCompletely } from '#cli/commands/delete-completely.ts';
import { type SecretOptions, takeSecret } from '#cli/keys/take-secret.ts';
import type { CommandContext, ContextProvider } from '#cli/service/command-context.ts';
import { addListOptions, type ListOptions, type PageQuery, showPages } from '#cli/service/show-pages.ts';
import {
  appArgument,
  examples,
  keyFileOption,
  overlapOption,
  parserOf,
  pastOption,
  quietOption,
  severalOf,
  webhookArgument,
  yesOption,
} from '#cli/terminal/arguments.ts';
import { recordLines } from '#cli/terminal/print-table.ts';
import { changeIdSchema } from '#shared/contract/fields.ts';
import { stoppedMember } from '../contract/stopped-webhooks.ts';
import type { IssuedWebhookView, WebhookEvent, WebhookView } from '../contract/webhook.ts';
import { webhookEvents } from '../contract/webhook-events.ts';
import { webhookFields } from '../contract/webhook-fields.ts';
import { webhookFormats } from '../contract/webhook-formats.ts';
import { attemptColumns, rowsOfWebhook, webhookColumns } from './webhook-columns.ts';

/** Adds `webhooks`: where the service posts the changes of an application. */
export function addWebhooks(program: Command, { withContext }: ContextProvider): void {
  const webhooks = program.command('webhooks').description('post the changes of an application to a URL');

  addSettings(
    webhooks.command('create').addArgument(appArgument()).addArgument(webhookArgument()).addArgument(urlArgument()),
  )
    .description('create a webhook; its secret is shown only once')
    .addOption(quietOption())
    .addOption(keyFileOption('the webhook'))
    .addHelpText(
      'after',
      examples(
        'webhooks create billing backend https://billing.example.com/hooks/access',
        'webhooks create billing backend https://billing.example.com/hooks/access --event access.changed --event user.status.changed',
      ),
    )
    .action(
      withContext(async (context: CommandContext<CreateOptions>, appId: string, webhookId: string, url: string) => {
        const settings = settingsOf(context.options);
        await takeWebhookSecret(context, appId, 'was created', () =>
          context.client.call('create-webhook', { path: { appId }, body: { webhookId, url, ...settings } }),
        );
      }),
    );

  webhooks
    .command('list')
    .description('list the webhooks of an application')
    .addArgument(appArgument())
    .addHelpText('after', examples('webhooks list billing'))
    .action(
      withContext(async (context: CommandContext<ListOptions>, appId: string) => {
        await showPages(context, () => context.client.call('list-webhooks', { path: { appId } }), webhookColumns);
      }),
    );

  webhooks
    .command('show')
    .description('show a webhook, whether its deliveries succeed, and since when not')
    .addArgument(appArgument())
    .addArgument(webhookArgument())
    .addHelpText('after', examples('webhooks show billing backend'))
    .action(
      withContext(async ({ client, show }, appId: string, webhookId: string) => {
        const webhook = await client.call('get-webhook', { path: { appId, webhookId } });
        show(webhook, ...recordLines(rowsOfWebhook(appId, webhook)));
      }),
    );

  addSettings(webhooks.command('update').addArgument(appArgument()).addArgument(webhookArgument()))
    .addOption(new Option('--target <url>', urlMeaning).argParser(parseUrl))
    .description('change a webhook, or pause or resume it; resumed, it continues where it stopped')
    .addHelpText(
      'after',
      examples('webhooks update billing backend --pause', 'webhooks update billing backend --resume --all-events'),
    )
    .action(
      withContext(
        async ({ client, options, show }: CommandContext<UpdateOptions>, appId: string, webhookId: string) => {
          const body = { url: options.target, ...settingsOf(options) };
          const updated = await client.call('update-webhook', { path: { appId, webhookId }, body });
          show(updated, updated.changed ? `Updated ${nameOf(appId, webhookId)}.` : 'No change.');
        },
      ),
    );

  webhooks
    .command('delete')
    .description('delete a webhook, which sends nothing afterwards')
    .addArgument(appArgument())
    .addArgument(webhookArgument())
    .addOption(yesOption())
    .addHelpText('after', examples('webhooks delete billing backend', 'webhooks delete billing backend --yes'))
    .action(
      withContext(async (context: CommandContext<DeletionOptions>, appId: string, webhookId: string) => {
        const send = () => context.client.call('delete-webhook', { path: { appId, webhookId } });
        await deleteCompletely(context, { id: webhookId, what: nameOf(appId, webhookId), send });
      }),
    );

  webhooks
    .command('rotate')
    .description('replace the secret of a webhook; during the overlap both sign each delivery')
    .addArgument(appArgument())
    .addArgument(webhookArgument())
    .addOption(overlapOption('how long the old secret signs too'))
    .addOption(quietOption())
    .addOption(keyFileOption('the webhook'))
    .addHelpText('after', examples('webhooks rotate billing backend --overlap 2d'))
    .action(
      withContext(async (context: CommandContext<RotateOptions>, appId: string, webhookId: string) => {
        const { overlap } = context.options;
        await takeWebhookSecret(context, appId, 'has a new secret', () =>
          context.client.call('rotate-webhook-secret', { path: { appId, webhookId }, body: { overlap } }),
        );
      }),
    );

  addListOptions(webhooks.command('attempts').addArgument(appArgument()).addArgument(webhookArgument()))
    .description('list the attempts to deliver of the last 30 days, newest first')
    .addHelpText('after', examples('webhooks attempts billing backend --limit 10'))
    .action(
      withContext(async (context: CommandContext<ListOptions>, appId: string, webhookId: string) => {
        const path = { appId, webhookId };
        const fetch = (query: PageQuery) => context.client.call('list-webhook-attempts', { path, query });
        await showPages(context, fetch, attemptColumns);
      }),
    );

  webhooks
    .command('resend')
    .description('resend one change, or all changes since a time in their order')
    .addArgument(appArgument())
    .addArgument(webhookArgument())
    .addOption(new Option('--change <change>', 'change id, as shown in a history').argParser(parserOf(changeIdSchema)))
    .addOption(pastOption('--since <when>', 'all changes from this time on'))
    .addHelpText(
      'after',
      examples(
        'webhooks resend billing backend --change 01KB3ZC4N7Z3QF4V6E5T8S9R2W',
        'webhooks resend billing backend --since 2h',
      ),
    )
    .action(
      withContext(async (context: CommandContext<ResendOptions>, appId: string, webhookId: string) => {
        const { change: changeId, since } = context.options;
        if ((changeId === undefined) === (since === undefined)) {
          throw context.usageError('Either --change or --since is required.');
        }
        const path = { appId, webhookId };
        const body = { changeId, since };
        report(context, { appId, webhookId }, await context.client.call('resend-webhook', { path, body }));
      }),
    );

  webhooks
    .command('test')
    .description('send an event that only tests the receiver')
    .addArgument(appArgument())
    .addArgument(webhookArgument())
    .addHelpText('after', examples('webhooks test billing backend'))
    .action(
      withContext(async (context: CommandContext, appId: string, webhookId: string) => {
        const path = { appId, webhookId };
        report(context, path, await context.client.call('test-webhook', { path }));
      }),
    );
}

/** The webhooks that have stopped, among the numbers. */
addWebhooks.overview = stoppedMember;

interface SettingsOptions {
  readonly format?: WebhookView['format'];
  readonly event?: readonly WebhookEvent[];
  readonly allEvents?: boolean;
  readonly pause?: boolean;
  readonly resume?: boolean;
}
interface CreateOptions extends SettingsOptions, SecretOptions {}
interface UpdateOptions extends SettingsOptions {
  readonly target?: string;
}
interface RotateOptions extends SecretOptions {
  readonly overlap: string;
}
interface ResendOptions {
  readonly change?: string;
  readonly since?: string;
}

function addSettings(command: Command): Command {
  const eventsMeaning = 'kind of changes to deliver; repeat the option for several (default: all)';
  return command
    .addOption(severalOf('--event <event>', webhookEvents, eventsMeaning).conflicts('allEvents'))
    .option('--all-events', 'deliver all kinds of changes')
    .addOption(new Option('--format <format>', 'format of the deliveries').choices(webhookFormats))
    .option('--pause', 'deliver nothing until it is resumed; the changes wait while the feed is kept')
    .addOption(new Option('--resume', 'deliver again, from where it stopped').conflicts('pause'));
}

const parseUrl = parserOf(webhookFields.url.input);
const urlMeaning = 'where the changes are posted: https and a public host';

/** Not an option: `--url` is that of the Management API. */
function urlArgument(): Argument {
  return new Argument('<url>', urlMeaning).argParser(parseUrl);
}

function settingsOf({ format, event, allEvents, pause, resume }: SettingsOptions) {
  const events = allEvents === true ? null : event && [...event];
  const enabled = pause === true ? false : resume;
  return { format, events, enabled };
}

async function takeWebhookSecret(
  context: CommandContext<SecretOptions>,
  appId: string,
  done: string,
  request: () => Promise<IssuedWebhookView>,
): Promise<void> {
  await takeSecret(context, async () => {
    const { secret, ...answer } = await request();
    const { webhookId } = answer;
    const owner = nameOf(appId, webhookId);
    const rows = [...rowsOfWebhook(appId, answer), ['secret', secret] as const];
    const otherwise = ['Rotate it:', ['webhooks', 'rotate', appId, webhookId]] as const;
    return { member: 'secret', secret, answer, rows, owner, done: `T${owner.slice(1)} ${done}`, otherwise };
  });
}

function nameOf(appId: string, webhookId: string): string {
  return `the webhook ${webhookId} of ${appId}`;
}

/** What was asked is sent later, or never if the deployment does not deliver in this format. */
function report(
  { show, commandLine, terminal }: CommandContext,
  { appId, webhookId }: { readonly appId: string; readonly webhookId: string },
  answer: { readonly queued: boolean },
): void {
  show(
    answer,
    answer.queued ? 'Sent within seconds.' : 'Not sent: the deployment does not deliver in the format of this webhook.',
  );
  if (answer.queued) terminal.note(`See the result: ${commandLine('webhooks', 'attempts', appId, webhookId)}`);
}
