import { Argument, type Command, InvalidArgumentError, Option } from 'commander';
import type { ManagementClient } from '#client/management/management-client.ts';
import type { AccessStatus, DecidedBy } from '#shared/contract/access.ts';
import type { ApplicationUserView, UserAccessView } from '#shared/contract/access-lists.ts';
import { decisions } from '#shared/contract/access-statuses.ts';
import { appIdSchema, maxPageSize, userIdSchema } from '#shared/contract/fields.ts';
import { bulkGuide } from '../bulk/bulk-report.ts';
import { runForFile } from '../bulk/run-bulk.ts';
import { callerName } from '../history/change-columns.ts';
import type { CommandContext, ContextProvider } from '../service/command-context.ts';
import { addListOptions, type ListOptions, type PageQuery, pageQuery, showPages } from '../service/show-pages.ts';
import {
  addReasonOptions,
  appArgument,
  dryRunOption,
  examples,
  failuresFileOption,
  optionalAppArgument,
  parseId,
  type ReasonOptions,
  reasonBody,
  requireUsersFile,
  untilOption,
  userArgument,
  userOfManyArgument,
  usersFileOption,
} from '../terminal/arguments.ts';
import { CliError, exitCodes } from '../terminal/cli-error.ts';
import { formatTime } from '../terminal/format-time.ts';
import type { Expiry } from '../terminal/parse-time.ts';
import type { Column } from '../terminal/print-table.ts';
import { accessColumns, accessLines } from './access-lines.ts';

const ofUserColumns: readonly Column<UserAccessView>[] = [
  { title: 'APPLICATION', cell: ({ appId }) => appId },
  ...accessColumns,
];
const ofAppColumns: readonly Column<ApplicationUserView>[] = [
  { title: 'USER', cell: ({ userId }) => userId },
  { title: 'NAME', isText: true, cell: ({ displayName, email }) => displayName ?? email ?? '-' },
  ...accessColumns,
  { title: 'SINCE', cell: (access) => formatTime(decisiveSetting(access)?.at ?? null) },
  { title: 'SET BY', isText: true, cell: (access) => nameOf(decisiveSetting(access)) },
];

/** Who deactivated the user if that decides, otherwise who set the access. */
function decisiveSetting({ decidedBy, statusSetBy, userStatusSetBy }: ApplicationUserView) {
  return decidedBy === 'user' ? userStatusSetBy : statusSetBy;
}

function nameOf(setting: ApplicationUserView['statusSetBy']): string {
  return setting?.caller ? callerName(setting.caller) : '-';
}

/** Adds `access`: the access of users to applications. */
export function addAccess(program: Command, { withContext }: ContextProvider): void {
  const access = program.command('access').description('show and set the access of users to applications');

  addListOptions(access.command('show').addArgument(userArgument()))
    .description('show the access and the roles of a user, in all applications or in one')
    .addArgument(optionalAppArgument())
    .addHelpText('after', examples('access show ada', 'access show ada billing', 'access show ada billing --json'))
    .action(
      withContext(async (context: CommandContext<ListOptions>, userId: string, appId: string | undefined) => {
        const { client, show } = context;
        if (appId === undefined) {
          const fetchPage = (query: PageQuery) => client.call('list-user-access', { path: { userId }, query });
          return showPages(context, fetchPage, ofUserColumns);
        }
        const found = await findAccess(client, userId, appId);
        show(found, ...accessLines(found));
      }),
    );

  addListOptions(access.command('list').addArgument(appArgument()))
    .description('list the users with an access setting or a role in an application, or all users by effective status')
    .addOption(statusOption('--status <status>', 'only users with this setting'))
    .addOption(statusOption('--effective-status <status>', 'all users with this effective status').conflicts('status'))
    .addOption(
      new Option(
        '--find <text>',
        'all users found by the beginnings of names, an e-mail address or an id, with their effective access',
      ).conflicts('status'),
    )
    .addOption(
      new Option('--why <why>', 'all users whose access is decided this way').choices(decisions).conflicts('status'),
    )
    .addHelpText(
      'after',
      examples(
        'access list billing',
        'access list billing --effective-status blocked --all',
        'access list billing --effective-status blocked --why user',
        'access list billing --find "ada love"',
      ),
    )
    .action(
      withContext(async (context: CommandContext<ListUsersOptions>, appId: string) => {
        const { status, effectiveStatus, why: decidedBy, find: q } = context.options;
        const fetchPage = (page: PageQuery) =>
          context.client.call('list-application-users', {
            path: { appId },
            query: { ...page, status, effectiveStatus, decidedBy, q },
          });
        await showPages(context, fetchPage, ofAppColumns);
      }),
    );

  addReasonOptions(access.command('set'))
    .description('allow or block the access of one user, or of all users in a file, to an application')
    .usage(
      `[options] <user> <app> allowed|blocked\n       ${program.name()} access set [options] --users-file <file> <app> allowed|blocked`,
    )
    .addArgument(userOfManyArgument())
    .argument('<app>', 'application id')
    .addArgument(
      new Argument('[status]', 'access to this application').choices(Object.keys(typedStatuses)).argParser(parseStatus),
    )
    .addOption(untilOption())
    .addOption(usersFileOption())
    .addOption(failuresFileOption())
    .addOption(dryRunOption())
    .addHelpText('after', bulkGuide)
    .addHelpText('after', examples(...setExamples))
    .action(
      withContext(
        async (
          context: CommandContext<SetOptions>,
          first: string,
          second: string,
          status: AccessStatus | undefined,
        ) => {
          const { usersFile } = context.options;
          if (usersFile !== undefined) return setForMany(context, usersFile, [first, second, status ?? []].flat());
          if (status === undefined) throw context.usageError("missing required argument 'status'");
          await setForOne(context, [first, second], status);
        },
      ),
    );
}

interface ListUsersOptions extends ListOptions {
  readonly status?: AccessStatus;
  readonly effectiveStatus?: AccessStatus;
  readonly why?: DecidedBy;
  readonly find?: string;
}

/** The words of the dashboard, and the names in the API. */
const typedStatuses: Readonly<Record<string, AccessStatus | undefined>> = {
  allowed: 'enabled',
  blocked: 'disabled',
  enabled: 'enabled',
  disabled: 'disabled',
};

function parseStatus(text: string): AccessStatus {
  const status = Object.hasOwn(typedStatuses, text) ? typedStatuses[text] : undefined;
  if (status !== undefined) return status;
  throw new InvalidArgumentError(`Allowed values: ${Object.keys(typedStatuses).join(', ')}.`);
}

function statusOption(flags: string, description: string): Option {
  return new Option(flags, description).choices(Object.keys(typedStatuses)).argParser(parseStatus);
}

/** A user's access to one application, found in the user's list: the Management API has no request for a single access. */
async function findAccess(client: ManagementClient, userId: string, appId: string): Promise<UserAccessView> {
  let cursor: string | null | undefined;
  while (cursor !== null) {
    const query = pageQuery(maxPageSize, cursor);
    const page = await client.call('list-user-access', { path: { userId }, query });
    const found = page.items.find((access) => access.appId === appId);
    if (found !== undefined) return found;
    cursor = page.cursor;
  }
  throw new CliError(`There is no application ${appId}.`, { exitCode: exitCodes.notFound });
}

interface SetOptions extends ReasonOptions {
  readonly until?: Expiry;
  readonly usersFile?: string;
  readonly failuresFile?: string;
  readonly dryRun?: boolean;
}

async function setForOne(
  { client, options, show }: CommandContext<SetOptions>,
  ids: readonly string[],
  status: AccessStatus,
) {
  const [userId, appId] = [parseId(userIdSchema, 'user', ids[0]), parseId(appIdSchema, 'app', ids[1])];
  requireUsersFile(options);
  const body = { status, ...reasonBody(options), until: options.until?.timestamp };
  const access = await client.call('set-user-access', { path: { userId, appId }, body });
  show(access, access.changed ? 'Access updated.' : 'No change.', ...accessLines(access));
}

/** Without the user argument, the application and the status shift one position to the left. */
async function setForMany(
  context: CommandContext<SetOptions>,
  usersFile: string,
  ids: readonly string[],
): Promise<void> {
  const [app, text, extra] = ids;
  const status = text === undefined ? undefined : typedStatuses[text];
  if (status === undefined || extra !== undefined) {
    throw context.usageError('With --users-file, the arguments are <app> and allowed or blocked.');
  }
  const { until } = context.options;
  const why = reasonBody(context.options);
  const appId = parseId(appIdSchema, 'app', app);
  const command = { appId, status, ...why, until: until?.typed ?? null };
  await runForFile(
    { ...context, options: { ...context.options, usersFile } },
    {
      command,
      end: until?.timestamp ?? null,
      send: (batch, { end, idempotencyKey }) => {
        const body = { ...batch, status, ...why, until: end };
        return context.client.call('set-access-in-bulk', { path: { appId }, body }, { idempotencyKey });
      },
      undo: (bulkId) => ['bulk', 'undo', bulkId, '--app', appId],
    },
  );
}

const setExamples = [
  'access set ada billing blocked --reason "card stolen" --until 2h',
  'access set ada@example.com billing blocked --reason "on leave" --until friday',
  'access set ada billing allowed',
  'access set --users-file ids.txt billing blocked --failures-file failed.txt',
  'users list --prefix temp- --all --json | jq -r .userId | auth-service access set --users-file - billing blocked',
];
