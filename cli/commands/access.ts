import { Argument, type Command, Option } from 'commander';
import * as v from 'valibot';
import { type Access, type AccessStatus, accessStatuses } from '#shared/contract/access.ts';
import { appIdSchema, userIdSchema } from '#shared/contract/ids.ts';
import type { UserAccessView } from '#shared/contract/management.ts';
import { accessColumns, accessLines } from '../access-lines.ts';
import { appArgument, fitting, reasonOption, untilOption, userArgument } from '../arguments.ts';
import { bulkSetAccess } from '../bulk-set-access.ts';
import { notSent } from '../cli-error.ts';
import { examples } from '../examples.ts';
import { findAccess } from '../find-access.ts';
import type { Kit, Work } from '../kit.ts';
import type { Column } from '../print-table.ts';
import type { Until } from '../read-until.ts';
import { addListOptions, type ListOptions, showPages } from '../show-pages.ts';

const ofUserColumns: readonly Column<UserAccessView>[] = [
  { title: 'APPLICATION', cell: ({ appId }) => appId },
  ...accessColumns,
];
const ofAppColumns: readonly Column<Access>[] = [{ title: 'USER', cell: ({ userId }) => userId }, ...accessColumns];

/** `access`: who may enter which application. */
export function addAccess(program: Command, { perform }: Kit): void {
  const access = program.command('access').description('show and set who may enter which application');

  addListOptions(access.command('show').addArgument(userArgument()))
    .description('show where a user may enter and with which roles, everywhere or in one application')
    .argument('[app]', 'application id', fitting(appIdSchema))
    .addHelpText('after', examples('access show ada', 'access show ada billing', 'access show ada billing --json'))
    .action(
      perform(async (work: Work<ListOptions>, userId: string, appId: string | undefined) => {
        const { client, show } = work;
        if (appId === undefined) {
          const fetchPage = (query: object) =>
            client.call('list-user-access', { path: { userId }, query: { ...query } });
          return showPages(work, fetchPage, ofUserColumns);
        }
        const found = await findAccess(client, userId, appId);
        show(found, ...accessLines(found));
      }),
    );

  addListOptions(access.command('list').addArgument(appArgument()))
    .description('list the users of an application who have a setting or a role there')
    .addOption(new Option('--status <status>', 'only these').choices(accessStatuses))
    .addHelpText('after', examples('access list billing', 'access list billing --status disabled --all'))
    .action(
      perform(async (work: Work<ListOptions & { status?: AccessStatus }>, appId: string) => {
        const { status } = work.options;
        const fetchPage = (page: object) =>
          work.client.call('list-application-users', { path: { appId }, query: { ...page, status } });
        await showPages(work, fetchPage, ofAppColumns);
      }),
    );

  access
    .command('set')
    .description('let a user, or all users of a file, into an application or keep them out')
    .usage(
      '[options] <user> <app> enabled|disabled\n       auth-service access set [options] --users-file <file> <app> enabled|disabled',
    )
    .argument('<user>', 'user id; left out with --users-file')
    .argument('<app>', 'application id')
    .addArgument(new Argument('[status]', 'what shall hold in this application').choices(accessStatuses))
    .addOption(reasonOption())
    .addOption(untilOption())
    .option('--users-file <file>', 'the ids of the users, one to a line; # begins a comment; - is standard input')
    .option('--failures-file <file>', 'where to write the ids that failed, as a file of ids again')
    .addHelpText('after', `${bulkGuide}${examples(...setExamples)}`)
    .action(
      perform(async (work: Work<SetOptions>, first: string, second: string, status: AccessStatus | undefined) => {
        const { usersFile } = work.options;
        if (usersFile !== undefined) return setForMany(work, usersFile, [first, second, status ?? []].flat());
        if (status === undefined) throw notSent('It is: access set <user> <app> enabled|disabled');
        await setForOne(work, [first, second], status);
      }),
    );
}

interface SetOptions {
  readonly reason?: string;
  readonly until?: Until;
  readonly usersFile?: string;
  readonly failuresFile?: string;
}

async function setForOne({ client, options, show }: Work<SetOptions>, ids: readonly string[], status: AccessStatus) {
  const [userId, appId] = [checked(userIdSchema, 'user', ids[0]), checked(appIdSchema, 'app', ids[1])];
  if (options.failuresFile !== undefined) throw notSent('--failures-file goes only with --users-file.');
  const body = { status, reason: options.reason ?? null, until: options.until?.moment ?? null };
  const access = await client.call('set-user-access', { path: { userId, appId }, body });
  show(access, access.changed ? 'Set.' : 'It is so already.', ...accessLines(access));
}

/** Without a user, the application and the status stand one place further ahead. */
async function setForMany(work: Work<SetOptions>, usersFile: string, ids: readonly string[]): Promise<void> {
  const [app, text, tooMuch] = ids;
  const status = accessStatuses.find((one) => one === text);
  if (status === undefined || tooMuch !== undefined) {
    throw notSent('With --users-file it is: access set --users-file <file> <app> enabled|disabled');
  }
  const { reason = null, until } = work.options;
  const appId = checked(appIdSchema, 'app', app);
  const ends = { until: until?.typed ?? null, untilMoment: until?.moment ?? null };
  await bulkSetAccess({ ...work, options: { ...work.options, usersFile } }, { appId, status, reason, ...ends });
}

function checked<Output>(schema: v.GenericSchema<unknown, Output>, name: string, text: string | undefined): Output {
  const { success, output, issues } = v.safeParse(schema, text);
  if (success) return output;
  throw notSent(`<${name}> ${issues[0].message}; this is ${JSON.stringify(text)}.`);
}

const bulkGuide = `
With --users-file the users are sent 100 at a time. Ctrl-C stops after the request under way; the same command then
goes on from there, for a day: <file>.progress keeps what was done until everything has been sent.
`;
const setExamples = [
  'access set ada billing disabled --reason "card stolen" --until 2h',
  'access set ada billing enabled',
  'access set --users-file ids.txt billing disabled --failures-file failed.txt',
  'users list --prefix temp- --all --json | jq -r .userId | auth-service access set --users-file - billing disabled',
];
