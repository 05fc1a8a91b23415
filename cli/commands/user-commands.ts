import { Argument, type Command, Option } from 'commander';
import type { UserStatus } from '#shared/contract/access.ts';
import { userStatuses } from '#shared/contract/access-statuses.ts';
import { roleNameSchema, userIdSchema } from '#shared/contract/fields.ts';
import type { ListedUserView, ReadUserView, UserView } from '#shared/contract/user.ts';
import { userStatusLabels } from '#shared/contract/wording.ts';
import { bulkGuide } from '../bulk/bulk-report.ts';
import { type ExportOptions, exportUsers } from '../bulk/export-users.ts';
import { runForFile } from '../bulk/run-bulk.ts';
import { showHolders } from '../bulk/show-holders.ts';
import type { CommandContext, ContextProvider } from '../service/command-context.ts';
import { addListOptions, filled, type ListOptions, type PageQuery, showPages } from '../service/show-pages.ts';
import {
  addReasonOptions,
  dryRunOption,
  examples,
  failuresFileOption,
  newUserArgument,
  parseId,
  parserOf,
  type ReasonOptions,
  reasonBody,
  requireUsersFile,
  userArgument,
  userOfManyArgument,
  usersFileOption,
  yesOption,
} from '../terminal/arguments.ts';
import { notSent } from '../terminal/cli-error.ts';
import { formatTime } from '../terminal/format-time.ts';
import { type Column, recordLines } from '../terminal/print-table.ts';
import { type DeletionOptions, deleteCompletely } from './delete-completely.ts';

/** Adds `users`: the users of all applications. */
export function addUsers(program: Command, provider: ContextProvider): void {
  const { withContext } = provider;
  const users = program.command('users').description('create, list, find, change and delete users');

  users
    .command('create')
    .description('create a user, with access to every application whose rollout does not exclude the user')
    .addArgument(newUserArgument())
    .option('--name <name>', 'display name')
    .option('--email <address>', 'e-mail address')
    .addHelpText(
      'after',
      examples('users create ada', 'users create ada --name "Ada Lovelace" --email ada@example.com'),
    )
    .action(
      withContext(
        async ({ client, options, show }: CommandContext<{ name?: string; email?: string }>, userId: string) => {
          const body = { displayName: options.name ?? null, email: options.email ?? null };
          const user = await client.call('create-user', { path: { userId }, body });
          show(user, `Created the user ${user.userId}.`);
        },
      ),
    );

  addListOptions(users.command('list'))
    .description('list users by id')
    .option('--prefix <text>', 'only ids with this prefix')
    .addOption(new Option('--status <status>', 'only users with this status').choices(userStatuses))
    .option('--has-role', 'only users who hold a role in some application')
    .addOption(
      new Option('--role <role>', 'who has the role of this name in any application, each with the application')
        .argParser(parserOf(roleNameSchema))
        .conflicts(['prefix', 'status', 'hasRole', 'limit', 'cursor', 'all']),
    )
    .option('--csv <file>', 'with --role: write the list to a file for a spreadsheet')
    .addHelpText('after', roleGuide)
    .addHelpText(
      'after',
      examples(
        'users list --prefix a',
        'users list --status inactive --all --json',
        'users list --status inactive --has-role --all',
        'users list --role admin',
        'users list --role admin --csv admins.csv',
      ),
    )
    .action(
      withContext(async (context: CommandContext<UserListOptions>) => {
        const { prefix, status, hasRole, role, csv } = context.options;
        if (role !== undefined) return showHolders(context, role);
        if (csv !== undefined) throw context.usageError('--csv requires --role. "users export" writes all users.');
        const fetchPage = (page: PageQuery) =>
          context.client.call('list-users', { query: { ...page, prefix, status, hasRole } });
        if (hasRole) return showPages(context, filled(context, fetchPage), [...userColumns, rolesColumn]);
        await showPages(context, fetchPage, userColumns);
      }),
    );

  addListOptions(users.command('find'))
    .description('find users by the beginning of a name, an e-mail address or an id')
    .argument('<text...>', 'the beginning of each word; an exact id or e-mail address comes first')
    .addOption(new Option('--status <status>', 'only users with this status').choices(userStatuses))
    .addHelpText('after', examples('users find ada', 'users find love ada', 'users find ada@example.com --json'))
    .action(
      withContext(async (context: CommandContext<ListOptions & { status?: UserStatus }>, words: readonly string[]) => {
        const q = words.join(' ').trim();
        if (q === '')
          throw context.usageError('Name what to find: the beginning of a name, an e-mail address or an id.');
        const query = { q, status: context.options.status };
        const fetchPage = (page: PageQuery) => context.client.call('list-users', { query: { ...page, ...query } });
        await showPages(context, filled(context, fetchPage), userColumns);
      }),
    );

  users
    .command('show')
    .description('show a user; "access show" shows the access to applications')
    .addArgument(userArgument())
    .addHelpText('after', examples('users show ada', 'users show ada@example.com'))
    .action(
      withContext(async ({ client, show }, userId: string) => {
        const user = await client.call('get-user', { path: { userId } });
        show(user, ...userLines(user));
      }),
    );

  users
    .command('update')
    .description('change the name or the e-mail address of a user')
    .addArgument(userArgument())
    .option('--name <name>', 'display name')
    .option('--no-name', 'remove the name')
    .option('--email <address>', 'e-mail address')
    .option('--no-email', 'remove the e-mail address')
    .addHelpText('after', examples('users update ada --name "Ada King"', 'users update ada --no-email'))
    .action(
      withContext(async ({ client, options, show }: CommandContext<UpdateOptions>, userId: string) => {
        const user = await client.call('update-user', { path: { userId }, body: updateOf(options) });
        show(user, user.changed ? `Changed the user ${userId}.` : 'No change.');
      }),
    );

  addReasonOptions(users.command('set-status'))
    .description('deactivate or activate a user, or all users in a file, in every application')
    .usage(
      `[options] <user> active|inactive\n       ${program.name()} users set-status [options] --users-file <file> active|inactive`,
    )
    .addArgument(userOfManyArgument())
    .addArgument(new Argument('[status]', 'inactive denies access to every application').choices(userStatuses))
    .addOption(usersFileOption())
    .addOption(failuresFileOption())
    .addOption(dryRunOption())
    .addHelpText('after', bulkGuide)
    .addHelpText('after', examples(...statusExamples))
    .action(
      withContext(async (context: CommandContext<StatusOptions>, first: string, status: UserStatus | undefined) => {
        const { client, options, show } = context;
        const { usersFile } = options;
        if (usersFile !== undefined) return setStatusOfMany(context, usersFile, [first, status]);
        if (status === undefined) throw context.usageError("missing required argument 'status'");
        requireUsersFile(options);
        const userId = parseId(userIdSchema, 'user', first);
        const body = { status, ...reasonBody(options) };
        const user = await client.call('set-user-status', { path: { userId }, body });
        show(
          user,
          user.changed ? `The user ${userId} is now ${status}.` : `The user ${userId} was already ${status}.`,
          ...(user.changeId ? recordLines([['change', user.changeId]]) : []),
        );
      }),
    );

  users
    .command('export')
    .description('write all users as CSV, in the format of "users import"')
    .option('--out <file>', 'file to write; default: standard output')
    .option('--cursor <cursor>', 'continue an export that failed, and append to its file')
    .addOption(new Option('--status <status>', 'only users with this status').choices(userStatuses))
    .addHelpText('after', examples('users export --out people.csv', 'users export --status inactive'))
    .action(withContext((context: CommandContext<ExportOptions>) => exportUsers(context)));

  users
    .command('delete')
    .description('delete a user with all access, roles and history')
    .addArgument(userArgument())
    .addOption(yesOption())
    .addHelpText('after', examples('users delete ada', 'users delete ada --yes'))
    .action(
      withContext(async (context: CommandContext<DeletionOptions>, userId: string) => {
        const send = () => context.client.call('delete-user', { path: { userId } });
        await deleteCompletely(context, { id: userId, what: `the user ${userId}`, send });
      }),
    );
}

interface UserListOptions extends ListOptions {
  readonly prefix?: string;
  readonly status?: UserStatus;
  readonly hasRole?: boolean;
  readonly role?: string;
  readonly csv?: string;
}

const roleGuide = `
There is no index of roles over applications: --role asks each application for its
roles, four at once, and those that have the role for its members.`;

interface StatusOptions extends ReasonOptions {
  readonly usersFile?: string;
  readonly failuresFile?: string;
  readonly dryRun?: boolean;
}

/** Without the user argument, the status takes its position. */
async function setStatusOfMany(
  context: CommandContext<StatusOptions>,
  usersFile: string,
  [text, extra]: readonly (string | undefined)[],
): Promise<void> {
  const status = userStatuses.find((one) => one === text);
  if (status === undefined || extra !== undefined) {
    throw context.usageError('With --users-file, the only argument is active or inactive.');
  }
  const { client, options } = context;
  const setting = { status, ...reasonBody(options) };
  await runForFile(
    { ...context, options: { ...options, usersFile } },
    {
      command: setting,
      send: (batch, { idempotencyKey }) =>
        client.call('set-user-status-in-bulk', { body: { ...batch, ...setting } }, { idempotencyKey }),
      undo: (bulkId) => ['bulk', 'undo', bulkId],
    },
  );
}

const statusExamples = [
  'users set-status ada inactive --reason "left the company"',
  'users set-status ada active',
  'users set-status --users-file ids.txt inactive --reason "contract ended" --dry-run',
];

/** `false` stands for `--no-name` and `--no-email`. */
interface UpdateOptions {
  readonly name?: string | false;
  readonly email?: string | false;
}

function updateOf({ name, email }: UpdateOptions): { displayName?: string | null; email?: string | null } {
  if (name === undefined && email === undefined)
    throw notSent('Nothing to change: add --name, --no-name, --email or --no-email.');
  return {
    ...(name === undefined ? {} : { displayName: name === false ? null : name }),
    ...(email === undefined ? {} : { email: email === false ? null : email }),
  };
}

const userColumns: readonly Column<UserView>[] = [
  { title: 'USER', cell: ({ userId }) => userId },
  {
    title: 'STATUS',
    cell: ({ status }) => userStatusLabels[status],
    tone: ({ status }) => (status === 'inactive' ? 'red' : undefined),
  },
  { title: 'NAME', isText: true, cell: ({ displayName }) => displayName ?? '-' },
  { title: 'EMAIL', isText: true, cell: ({ email }) => email ?? '-' },
  { title: 'CREATED', cell: ({ createdAt }) => formatTime(createdAt) },
];

/** Which roles, in a list of users who hold one. */
const rolesColumn: Column<ListedUserView> = {
  title: 'ROLES',
  isText: true,
  rank: 2,
  cell: ({ roles = [] }) => roles.map(({ appId, name }) => `${name} in ${appId}`).join(', ') || '-',
};

/** Also the directory that owns the user, if one does: no other can create the user. */
function userLines({ directory = null, ...user }: UserView & Partial<ReadUserView>): string[] {
  const { userId, status, displayName, email, createdAt, updatedAt } = user;
  return recordLines([
    ['user', userId],
    ['status', userStatusLabels[status]],
    ['name', displayName ?? '-'],
    ['email', email ?? '-'],
    ...(directory === null ? [] : [['directory', directory] as const]),
    ['created', formatTime(createdAt)],
    ['updated', formatTime(updatedAt)],
  ]);
}
