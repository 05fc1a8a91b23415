import { type Command, InvalidArgumentError, Option } from 'commander';
import type { ChangeAction } from '#shared/contract/change.ts';
import { changeActions } from '#shared/contract/change-actions.ts';
import { actionLabels } from '#shared/contract/change-words.ts';
import { appIdSchema, bulkIdSchema } from '#shared/contract/fields.ts';
import { changeTable } from '../history/change-columns.ts';
import type { CommandContext, ContextProvider } from '../service/command-context.ts';
import { addListOptions, filled, type ListOptions, type PageQuery, showPages } from '../service/show-pages.ts';
import {
  addReasonOptions,
  changeArgument,
  examples,
  parserOf,
  pastOption,
  type ReasonOptions,
  reasonBody,
  userArgument,
} from '../terminal/arguments.ts';
import { parseUser } from '../terminal/typed-user.ts';
import { unknownCommand } from '../terminal/usage-error.ts';
import { addAppHistory } from './app-history-command.ts';
import { type ExportTarget, exportOption } from './export-option.ts';

/** Adds `history`: who changed what, when and why. */
export function addHistory(program: Command, provider: ContextProvider): void {
  const { withContext } = provider;
  const history = program.command('history').description('show who changed what, when and why');
  // Options of the group precede a subcommand, which has options with the same names.
  addListOptions(history.enablePositionalOptions().allowExcessArguments())
    .addOption(pastOption('--since <when>', 'only changes from this time on'))
    .addOption(pastOption('--until <when>', 'only changes until this time, or this day', 'end'))
    .option('--by <who>', 'only changes by this operator (e-mail address, the part before its @, id) or API key')
    .addOption(new Option('--action <actions>', 'only these actions, separated by commas').argParser(parseActions))
    .addOption(new Option('--app <app>', 'only changes in this application').argParser(parserOf(appIdSchema)))
    .addOption(new Option('--user <user>', 'only changes of this user (id or e-mail address)').argParser(parseUser))
    .addOption(new Option('--bulk <bulk>', 'only a bulk change and its undo').argParser(parserOf(bulkIdSchema)))
    .addOption(exportOption())
    .addHelpText(
      'after',
      examples(
        'history --since yesterday --by edith --action access.changed',
        'history --since 30d --app billing --export billing.csv',
        'history user ada',
      ),
    )
    .hook('preAction', (group, acting) => {
      const [word] = group.args;
      if (acting === group && word !== undefined) throw unknownCommand(group, word);
    })
    .action(withContext((context: CommandContext<AllHistoryOptions>) => showAll(context)));

  addListOptions(history.command('user').addArgument(userArgument()))
    .description('show the changes of a user, newest first')
    .addHelpText('after', examples('history user ada', 'history user ada --all --json'))
    .action(
      withContext(async (context: CommandContext<ListOptions>, userId: string) => {
        const path = { userId };
        const { columns, prepare } = changeTable(context.client);
        const fetchPage = (query: PageQuery) => context.client.call('list-user-changes', { path, query });
        await showPages(context, fetchPage, [...columns, { title: 'ID', cell: ({ id }) => id }], prepare);
      }),
    );

  addReasonOptions(history.command('undo'))
    .description('undo a change of a status, an access or a role, unless it has changed again since')
    .addArgument(userArgument())
    .addArgument(changeArgument())
    .addHelpText('after', examples('history undo ada 01KB3ZC4N7Z3QF4V6E5T8S9R2W'))
    .action(
      withContext(
        async ({ client, options, show }: CommandContext<ReasonOptions>, userId: string, changeId: string) => {
          const undone = await client.call('undo-change', { path: { userId, changeId }, body: reasonBody(options) });
          show(undone, undoneText(undone));
        },
      ),
    );

  addAppHistory(history, provider);
}

/** What an undo did. */
export function undoneText({ changeId }: { readonly changeId: string | null }): string {
  return changeId === null ? 'No change: already in this state.' : `Undone by the change ${changeId}.`;
}

interface AllHistoryOptions extends ListOptions {
  readonly since?: string;
  readonly until?: string;
  readonly by?: string;
  readonly action?: string;
  readonly app?: string;
  readonly user?: string;
  readonly bulk?: string;
  readonly export?: ExportTarget;
}

async function showAll(context: CommandContext<AllHistoryOptions>): Promise<void> {
  const { since, until, by: actor, action, app: appId, user: userId, bulk: bulkId, export: target } = context.options;
  const filter = { since, until, actor, action, appId, userId, bulkId };
  const fetchPage = (page: PageQuery) => context.client.call('list-all-changes', { query: { ...page, ...filter } });
  if (target !== undefined) {
    const { file, format } = target;
    return format.write(context, { file, selection: filter }, fetchPage);
  }
  const { columns, prepare } = changeTable(context.client);
  await showPages(context, filled(context, fetchPage), columns, prepare);
}

/** An action by its name in the API, or by the words of a history. */
function isAction(name: ChangeAction, typed: string): boolean {
  return [name, actionLabels[name].toLowerCase()].includes(typed.toLowerCase());
}

function parseActions(text: string): string {
  const names = text.split(',').map((typed) => changeActions.find((name) => isAction(name, typed.trim())));
  if (names.every((name) => name !== undefined)) return names.join(',');
  throw new InvalidArgumentError(`Allowed values: ${changeActions.join(', ')}.`);
}
