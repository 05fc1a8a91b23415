import type { Command } from 'commander';
import { appIdSchema, roleNameSchema, userIdSchema } from '#shared/contract/fields.ts';
import { bulkGuide } from '../bulk/bulk-report.ts';
import { runForFile } from '../bulk/run-bulk.ts';
import type { CommandContext, ContextProvider } from '../service/command-context.ts';
import {
  addReasonOptions,
  dryRunOption,
  examples,
  failuresFileOption,
  grantExpiryOption,
  parseId,
  type ReasonOptions,
  reasonBody,
  requireUsersFile,
  userOfManyArgument,
  usersFileOption,
} from '../terminal/arguments.ts';
import type { Expiry } from '../terminal/parse-time.ts';
import { accessLines } from './access-lines.ts';

interface GrantOptions extends ReasonOptions {
  readonly expires?: Expiry;
  readonly usersFile?: string;
  readonly failuresFile?: string;
  readonly dryRun?: boolean;
}
type GrantContext = CommandContext<GrantOptions>;

/** Adds `grants`: the roles of users. */
export function addGrants(program: Command, { withContext }: ContextProvider): void {
  const grants = program.command('grants').description('assign roles to users and revoke them');

  addPositionals(grants.command('assign').addOption(grantExpiryOption()), `${program.name()} grants assign`)
    .description('assign a role to one user, or to all users in a file, or change its expiry')
    .addHelpText('after', bulkGuide)
    .addHelpText('after', examples(...assignExamples))
    .action(
      withContext(async (context: GrantContext, ...positionals: [string, string, string | undefined]) => {
        const { usersFile } = context.options;
        if (usersFile !== undefined) return assignToMany(context, usersFile, parseRole(context, positionals));
        await assignToOne(context, parseUserRole(context, positionals));
      }),
    );

  addPositionals(grants.command('revoke'), `${program.name()} grants revoke`)
    .description('revoke a role from one user, or from all users in a file')
    .addHelpText('after', bulkGuide)
    .addHelpText('after', examples(...revokeExamples))
    .action(
      withContext(async (context: GrantContext, ...positionals: [string, string, string | undefined]) => {
        const { usersFile } = context.options;
        if (usersFile !== undefined) return revokeFromMany(context, usersFile, parseRole(context, positionals));
        await revokeFromOne(context, parseUserRole(context, positionals));
      }),
    );
}

function addPositionals(command: Command, words: string): Command {
  return addReasonOptions(command)
    .usage(`[options] <user> <app> <role>\n       ${words} [options] --users-file <file> <app> <role>`)
    .addArgument(userOfManyArgument())
    .argument('<app>', 'application id')
    .argument('[role]', 'role name')
    .addOption(usersFileOption())
    .addOption(failuresFileOption())
    .addOption(dryRunOption());
}

type Positionals = readonly [string, string, string | undefined, ...unknown[]];

function parseUserRole(context: GrantContext, [user, app, role]: Positionals) {
  if (role === undefined) throw context.usageError("missing required argument 'role'");
  return {
    userId: parseId(userIdSchema, 'user', user),
    appId: parseId(appIdSchema, 'app', app),
    role: parseId(roleNameSchema, 'role', role),
  };
}

/** Without the user argument, the application and the role shift one position to the left. */
function parseRole(context: GrantContext, [app, role, extra]: Positionals) {
  if (extra !== undefined) throw context.usageError('With --users-file, the arguments are <app> and <role>.');
  return { appId: parseId(appIdSchema, 'app', app), role: parseId(roleNameSchema, 'role', role) };
}

async function assignToOne(
  { client, options, show }: GrantContext,
  path: ReturnType<typeof parseUserRole>,
): Promise<void> {
  requireUsersFile(options);
  const body = { expiresAt: options.expires?.timestamp ?? null, ...reasonBody(options) };
  const access = await client.call('assign-user-role', { path, body });
  const { userId, role } = path;
  const message = access.changed ? `Assigned ${role} to ${userId}.` : `${userId} already has ${role}.`;
  show(access, message, ...accessLines(access));
}

async function revokeFromOne(
  { client, options, announce, show }: GrantContext,
  path: ReturnType<typeof parseUserRole>,
): Promise<void> {
  requireUsersFile(options);
  announce();
  const access = await client.call('revoke-user-role', { path, body: reasonBody(options) });
  const { userId, role } = path;
  const message = access.changed ? `Revoked ${role} from ${userId}.` : `${userId} does not have ${role}.`;
  show(access, message, ...accessLines(access));
}

async function assignToMany(
  context: GrantContext,
  usersFile: string,
  path: ReturnType<typeof parseRole>,
): Promise<void> {
  const { client, options } = context;
  const { typed = null, timestamp = null } = options.expires ?? {};
  const why = reasonBody(options);
  await runForFile(
    { ...context, options: { ...options, usersFile } },
    {
      command: { ...path, status: 'assigned', until: typed, ...why },
      end: timestamp,
      send: (batch, { end: expiresAt, idempotencyKey }) =>
        client.call('assign-role-in-bulk', { path, body: { ...batch, expiresAt, ...why } }, { idempotencyKey }),
      undo: (bulkId) => ['bulk', 'undo', bulkId, '--app', path.appId],
    },
  );
}

async function revokeFromMany(
  context: GrantContext,
  usersFile: string,
  path: ReturnType<typeof parseRole>,
): Promise<void> {
  const { client, options } = context;
  const why = reasonBody(options);
  await runForFile(
    { ...context, options: { ...options, usersFile } },
    {
      command: { ...path, status: 'revoked', ...why },
      send: (batch, { idempotencyKey }) =>
        client.call('revoke-role-in-bulk', { path, body: { ...batch, ...why } }, { idempotencyKey }),
      undo: (bulkId) => ['bulk', 'undo', bulkId, '--app', path.appId],
    },
  );
}

const assignExamples = [
  'grants assign ada billing editor',
  'grants assign ada billing editor --expires 30d --reason "covers for Grace" --ticket INC-1234',
  'grants assign --users-file ids.txt billing editor --dry-run',
];
const revokeExamples = ['grants revoke ada billing editor', 'grants revoke --users-file ids.txt billing editor'];
