import { Argument, type Command, Option } from 'commander';
import { type UserStatus, userStatuses } from '#shared/contract/access.ts';
import { reasonOption, userArgument, yesOption } from '../arguments.ts';
import { notSent } from '../cli-error.ts';
import { type DeletionOptions, deleteCompletely } from '../delete-completely.ts';
import { examples } from '../examples.ts';
import type { Kit, Work } from '../kit.ts';
import { addListOptions, type ListOptions, showPages } from '../show-pages.ts';
import { userColumns, userLines } from '../user-lines.ts';

/** `users`: who may enter applications. */
export function addUsers(program: Command, { perform }: Kit): void {
  const users = program.command('users').description('create, list, change and delete users');

  users
    .command('create')
    .description('create a user, who may then enter every application')
    .addArgument(userArgument())
    .option('--name <name>', 'name for people')
    .option('--email <address>', 'e-mail address')
    .addHelpText(
      'after',
      examples('users create ada', 'users create ada --name "Ada Lovelace" --email ada@example.com'),
    )
    .action(
      perform(async ({ client, options, show }: Work<{ name?: string; email?: string }>, userId: string) => {
        const body = { displayName: options.name ?? null, email: options.email ?? null };
        const user = await client.call('create-user', { path: { userId }, body });
        show(user, `Created the user ${user.userId}.`);
      }),
    );

  addListOptions(users.command('list'))
    .description('list users by id')
    .option('--prefix <text>', 'only ids that begin so')
    .addOption(new Option('--status <status>', 'only these').choices(userStatuses))
    .addHelpText('after', examples('users list --prefix a', 'users list --status inactive --all --json'))
    .action(
      perform(async (work: Work<ListOptions & { prefix?: string; status?: UserStatus }>) => {
        const { prefix, status } = work.options;
        const fetchPage = (page: object) =>
          work.client.call('list-users', { path: {}, query: { ...page, prefix, status } });
        await showPages(work, fetchPage, userColumns);
      }),
    );

  users
    .command('show')
    .description('show a user; "access show" says where the user may enter')
    .addArgument(userArgument())
    .addHelpText('after', examples('users show ada'))
    .action(
      perform(async ({ client, show }, userId: string) => {
        const user = await client.call('get-user', { path: { userId } });
        show(user, ...userLines(user));
      }),
    );

  users
    .command('update')
    .description('change what is known of a user; what is not named stays')
    .addArgument(userArgument())
    .option('--name <name>', 'name for people')
    .option('--no-name', 'take the name away')
    .option('--email <address>', 'e-mail address')
    .option('--no-email', 'take the e-mail address away')
    .addHelpText('after', examples('users update ada --name "Ada King"', 'users update ada --no-email'))
    .action(
      perform(async ({ client, options, show }: Work<UpdateOptions>, userId: string) => {
        const user = await client.call('update-user', { path: { userId }, body: updateOf(options) });
        show(user, user.changed ? `Changed the user ${userId}.` : 'It is so already.');
      }),
    );

  users
    .command('set-status')
    .description('let a user in again, or out of every application')
    .addArgument(userArgument())
    .addArgument(new Argument('<status>', 'everywhere').choices(userStatuses))
    .addOption(reasonOption())
    .addHelpText(
      'after',
      examples('users set-status ada inactive --reason "left the company"', 'users set-status ada active'),
    )
    .action(
      perform(async ({ client, options, show }: Work<{ reason?: string }>, userId: string, status: UserStatus) => {
        const body = { status, reason: options.reason ?? null };
        const user = await client.call('set-user-status', { path: { userId }, body });
        show(user, user.changed ? `The user ${userId} is ${status} now.` : `The user ${userId} was ${status} already.`);
      }),
    );

  users
    .command('delete')
    .description('erase a user with all access, roles and history')
    .addArgument(userArgument())
    .addOption(yesOption())
    .addHelpText('after', examples('users delete ada', 'users delete ada --yes'))
    .action(
      perform(async (work: Work<DeletionOptions>, userId: string) => {
        const send = () => work.client.call('delete-user', { path: { userId } });
        await deleteCompletely(work, { id: userId, what: `the user ${userId}`, send });
      }),
    );
}

/** False is what commander makes of `--no-…`. */
interface UpdateOptions {
  readonly name?: string | false;
  readonly email?: string | false;
}

function updateOf({ name, email }: UpdateOptions): { displayName?: string | null; email?: string | null } {
  if (name === undefined && email === undefined)
    throw notSent('Say what to change: --name, --no-name, --email, --no-email.');
  return {
    ...(name === undefined ? {} : { displayName: name === false ? null : name }),
    ...(email === undefined ? {} : { email: email === false ? null : email }),
  };
}
