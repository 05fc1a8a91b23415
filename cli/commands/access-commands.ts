import { Argument, type Command, Option } from 'commander';
import * as v from 'valibot';
import { type Access, type AccessStatus, accessStatuses } from '#shared/contract/access.ts';
import type { UserAccessView } from '#shared/contract/access-lists.ts';
import { appIdSchema, maxPageSize, userIdSchema } from '#shared/contract/fields.ts';
import { accessColumns, accessLines } from '../access-lines.ts';
import { appArgument, examples, parserOf, reasonOption, untilOption, userArgument } from '../arguments.ts';
import { bulkSetAccess } from '../bulk-set-access.ts';
import { CliError, exitCodes, notSent } from '../cli-error.ts';
import type { CommandContext, ContextProvider } from '../command-context.ts';
import type { ManageClient } from '../manage-client.ts';
import type { Expiry } from '../parse-time.ts';
import type { Column } from '../print-table.ts';
import { addListOptions, type ListOptions, type PageQuery, pageQuery, showPages } from '../show-pages.ts';

const ofUserColumns: readonly Column<UserAccessView>[] = [
  { title: 'APPLICATION', cell: ({ appId }) => appId },
  ...accessColumns,
];
const ofAppColumns: readonly Column<Access>[] = [{ title: 'USER', cell: ({ userId }) => userId }, ...accessColumns];

/** Adds `access`: the access of users to applications. */
export function addAccess(program: Command, { withContext }: ContextProvider): void {
  const access = program.command('access').description('show and set the access of users to applications');

  addListOptions(access.command('show').addArgument(userArgument()))
    .description('show the access and the roles of a user, in all applications or in one')
    .argument('[app]', 'application id', parserOf(appIdSchema))
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
    .description('list the users with an access setting or a role in an application')
    .addOption(new Option('--status <status>', 'only users with this status').choices(accessStatuses))
    .addHelpText('after', examples('access list billing', 'access list billing --status disabled --all'))
    .action(
      withContext(async (context: CommandContext<ListOptions & { status?: AccessStatus }>, appId: string) => {
        const { status } = context.options;
        const fetchPage = (page: PageQuery) =>
          context.client.call('list-application-users', { path: { appId }, query: { ...page, status } });
        await showPages(context, fetchPage, ofAppColumns);
      }),
    );

  access
    .command('set')
    .description('enable or disable the access of one user, or of all users in a file, to an application')
    .usage(
      '[options] <user> <app> enabled|disabled\n       auth-service access set [options] --users-file <file> <app> enabled|disabled',
    )
    .argument('<user>', 'user id; omit it with --users-file')
    .argument('<app>', 'application id')
    .addArgument(new Argument('[status]', 'access to this application').choices(accessStatuses))
    .addOption(reasonOption())
    .addOption(untilOption())
    .option('--users-file <file>', 'file with one user id per line; # starts a comment; - is standard input')
    .option('--failures-file <file>', 'where to write the ids that failed, in the format of --users-file')
    .addHelpText('after', `${bulkGuide}${examples(...setExamples)}`)
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
          if (status === undefined) throw notSent('Usage: access set <user> <app> enabled|disabled');
          await setForOne(context, [first, second], status);
        },
      ),
    );
}

/** A user's access to one application, found in the list of all: the Management API has no request for a single one. */
async function findAccess(client: ManageClient, userId: string, appId: string): Promise<UserAccessView> {
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

interface SetOptions {
  readonly reason?: string;
  readonly until?: Expiry;
  readonly usersFile?: string;
  readonly failuresFile?: string;
}

async function setForOne(
  { client, options, show }: CommandContext<SetOptions>,
  ids: readonly string[],
  status: AccessStatus,
) {
  const [userId, appId] = [parseId(userIdSchema, 'user', ids[0]), parseId(appIdSchema, 'app', ids[1])];
  if (options.failuresFile !== undefined) throw notSent('--failures-file needs --users-file.');
  const body = { status, reason: options.reason ?? null, until: options.until?.timestamp ?? null };
  const access = await client.call('set-user-access', { path: { userId, appId }, body });
  show(access, access.changed ? 'Access updated.' : 'No change.', ...accessLines(access));
}

/** Without the user argument, the application and the status move one place to the left. */
async function setForMany(
  context: CommandContext<SetOptions>,
  usersFile: string,
  ids: readonly string[],
): Promise<void> {
  const [app, text, extra] = ids;
  const status = accessStatuses.find((one) => one === text);
  if (status === undefined || extra !== undefined) {
    throw notSent('Usage: access set --users-file <file> <app> enabled|disabled');
  }
  const { reason = null, until } = context.options;
  const appId = parseId(appIdSchema, 'app', app);
  const expiry = { until: until?.typed ?? null, untilTimestamp: until?.timestamp ?? null };
  await bulkSetAccess({ ...context, options: { ...context.options, usersFile } }, { appId, status, reason, ...expiry });
}

function parseId<Output>(schema: v.GenericSchema<unknown, Output>, name: string, text: string | undefined): Output {
  const { success, output, issues } = v.safeParse(schema, text);
  if (success) return output;
  throw notSent(`<${name}> ${issues[0].message}, but is ${JSON.stringify(text)}.`);
}

const bulkGuide = `
With --users-file, users are sent 100 at a time. Ctrl-C stops after the current
request. The same command then resumes, within a day: <file>.progress keeps the
outcomes until all users have been sent.
`;
const setExamples = [
  'access set ada billing disabled --reason "card stolen" --until 2h',
  'access set ada billing enabled',
  'access set --users-file ids.txt billing disabled --failures-file failed.txt',
  'users list --prefix temp- --all --json | jq -r .userId | auth-service access set --users-file - billing disabled',
];
