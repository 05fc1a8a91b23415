import { type Command, Option } from 'commander';
import { type DeletionOptions, deleteCompletely } from '#cli/commands/delete-completely.ts';
import { keyColumns, keyLabelOption, labelArgument, labelOutcome } from '#cli/commands/key-columns.ts';
import { takeKey } from '#cli/keys/issued-key.ts';
import type { SecretOptions } from '#cli/keys/take-secret.ts';
import type { CommandContext, ContextProvider } from '#cli/service/command-context.ts';
import { addListOptions, type ListOptions, showPages } from '#cli/service/show-pages.ts';
import {
  appsOption,
  defaultKeyLifetime,
  examples,
  expiresOption,
  keyExpiryOption,
  keyFileOption,
  never,
  overlapOption,
  quietOption,
  yesOption,
} from '#cli/terminal/arguments.ts';
import { formatTime } from '#cli/terminal/format-time.ts';
import { parseExpiry } from '#cli/terminal/parse-time.ts';
import { type Column, createTable, recordLines } from '#cli/terminal/print-table.ts';
import { type ConnectionKind, type ConnectionScope, connectionKinds } from '#shared/contract/operation.ts';
import type { ConnectionView } from '../contract/connection.ts';
import type { ConnectionKeyView } from '../contract/connection-key.ts';
import { tokenMember } from '../contract/token-member.ts';
import { connectionArgument, connectionKeyArgument, connectionScopeOption } from './connection-arguments.ts';
import {
  activityLines,
  addDirectory,
  applicationsOf,
  type DirectoryOptions,
  directoryLines,
  directorySettings,
  refusalColumns,
  userIdOption,
} from './directory-options.ts';

const columns: readonly Column<ConnectionView>[] = [
  { title: 'CONNECTION', cell: ({ connectionId }) => connectionId },
  { title: 'KIND', cell: ({ kind }) => kind },
  { title: 'NAME', isText: true, cell: ({ name }) => name },
  { title: 'APPLICATIONS', isText: true, cell: ({ applications }) => applications.join(' ') },
  { title: 'KEYS', cell: ({ keys }) => String(keys.length) },
  { title: 'CREATED', cell: ({ createdAt }) => formatTime(createdAt) },
];

/** Adds `connections`: what calls the service with a bearer token, such as a gateway. */
export function addConnections(program: Command, { withContext }: ContextProvider): void {
  const connections = program
    .command('connections')
    .description('connect gateways, directories and other software that call with a bearer token');

  addDirectory(
    addLogins(
      addIdentity(connections.command('create').addArgument(connectionArgument()).argument('[name]', 'display name')),
    ),
  )
    .addOption(new Option('--kind <kind>', 'evaluate to ask, scim for a directory').choices(kinds).default('evaluate'))
    .addOption(userIdOption())
    .description('create a connection, which has no token yet')
    .addOption(appsOption())
    .addHelpText(
      'after',
      examples(
        'connections create gateway --app billing --app wiki --trust-user-header',
        'connections create gateway "API gateway" --app billing --issuer https://login.example.com --audience gateway',
        'connections create okta --app billing --app wiki --client 0oa1gjh63g214q0Hq0g4=wiki --user-id-claim login',
        'connections create okta Okta --kind scim --user-id externalId --group-role Editors=billing:editor',
      ),
    )
    .action(
      withContext(
        async (
          { client, options, show, commandLine }: CommandContext<CreateOptions>,
          connectionId: string,
          name?: string,
        ) => {
          const { kind, userId: userIdAttribute, app: applications = applicationsOf(options) } = options;
          const named = { connectionId, kind, name: name ?? connectionId, applications };
          const ofKind = { userIdAttribute, ...identity(options), ...ofLogins(options), ...directorySettings(options) };
          const body = { ...named, ...ofKind };
          const created = await client.call('create-connection', { body });
          show(
            created,
            `Created the connection ${connectionId}. Issue its token: ${commandLine('connections', 'issue', connectionId)}`,
          );
        },
      ),
    );

  addListOptions(connections.command('list'))
    .description('list connections by id')
    .addHelpText('after', examples('connections list'))
    .action(
      withContext(async (context: CommandContext<ListOptions>) => {
        await showPages(context, (query) => context.client.call('list-connections', { query }), columns);
      }),
    );

  connections
    .command('show')
    .description('show a connection with its keys, without their tokens')
    .addArgument(connectionArgument())
    .addHelpText('after', examples('connections show gateway'))
    .action(
      withContext(async ({ client, show, terminal }, connectionId: string) => {
        const connection = await client.call('get-connection', { path: { connectionId } });
        show(connection, ...linesOf(connection), ...createTable(keyColumns, terminal)(connection.keys));
      }),
    );

  addDirectory(addLogins(addIdentity(connections.command('update').addArgument(connectionArgument()))))
    .description('change the name, the applications, how users and clients are identified, or what groups give')
    .option('--name <name>', 'the new name')
    .addOption(
      appsOption(
        'application that it may ask about or change; repeat the option for several; they replace all earlier ones',
      ),
    )
    .addHelpText(
      'after',
      examples(
        'connections update gateway --app billing --app wiki --app crm',
        'connections update gateway --issuer https://login.example.com --audience gateway',
        'connections update okta --client none --user-id-claim none',
        'connections update okta --group-role Editors=billing:editor --group-role Readers=billing:viewer',
      ),
    )
    .action(
      withContext(async ({ client, options, show }: CommandContext<UpdateOptions>, connectionId: string) => {
        const { name, app: applications } = options;
        const ofKind = { ...identity(options), ...ofLogins(options), ...directorySettings(options) };
        const body = { name, applications, ...ofKind };
        const updated = await client.call('update-connection', { path: { connectionId }, body });
        show(updated, updated.changed ? `Updated the connection ${connectionId}.` : 'No change.');
      }),
    );

  connections
    .command('activity')
    .description('show the requests of a directory in the last 24 hours, and the latest that were refused')
    .addArgument(connectionArgument())
    .addHelpText('after', examples('connections activity okta'))
    .action(
      withContext(async ({ client, show, terminal }, connectionId: string) => {
        const activity = await client.call('get-connection-activity', { path: { connectionId } });
        const refusals = createTable(refusalColumns, terminal)(activity.refusals);
        show(activity, ...activityLines(activity), ...(activity.refusals.length === 0 ? [] : refusals));
      }),
    );

  connections
    .command('delete')
    .description('delete a connection with its keys; its id cannot be used again')
    .addArgument(connectionArgument())
    .addOption(yesOption())
    .addHelpText('after', examples('connections delete gateway', 'connections delete gateway --yes'))
    .action(
      withContext(async (context: CommandContext<DeletionOptions>, connectionId: string) => {
        const send = () => context.client.call('delete-connection', { path: { connectionId } });
        await deleteCompletely(context, { id: connectionId, what: `the connection ${connectionId}`, send });
      }),
    );

  connections
    .command('issue')
    .description('issue a key of a connection, for 90 days by default; its token is shown only once')
    .addArgument(connectionArgument())
    .addOption(keyLabelOption())
    .addOption(connectionScopeOption())
    .addOption(keyExpiryOption())
    .addOption(quietOption())
    .addOption(keyFileOption())
    .addHelpText('after', examples('connections issue gateway --label nginx', 'connections issue gateway --quiet'))
    .action(
      withContext(async (context: CommandContext<IssueOptions>, connectionId: string) => {
        const { label, scope: scopes, expires = parseExpiry(defaultKeyLifetime) } = context.options;
        const body = { ...(label && { label }), scopes, expiresAt: expires === never ? null : expires };
        await takeToken(context, connectionId, () =>
          context.client.call('issue-connection-key', { path: { connectionId }, body }),
        );
      }),
    );

  connections
    .command('label')
    .description('set the label of a key, which says what it is for; an empty label removes it')
    .addArgument(connectionArgument())
    .addArgument(connectionKeyArgument())
    .addArgument(labelArgument())
    .addHelpText('after', examples('connections label gateway svc_c1_gateway_01JD… "nginx in Frankfurt"'))
    .action(
      withContext(async ({ client, show }, connectionId: string, keyId: string, label: string) => {
        const path = { connectionId, keyId };
        const key = await client.call('update-connection-key', { path, body: { label: label || null } });
        show(key, labelOutcome(key));
      }),
    );

  connections
    .command('rotate')
    .description('issue a new key with the same scopes, label and lifetime; the old token expires after the overlap')
    .addArgument(connectionArgument())
    .addArgument(connectionKeyArgument())
    .addOption(overlapOption())
    .addOption(expiresOption())
    .addOption(quietOption())
    .addOption(keyFileOption())
    .addHelpText('after', examples('connections rotate gateway svc_c1_gateway_01JD… --overlap 24h'))
    .action(
      withContext(async (context: CommandContext<RotateOptions>, connectionId: string, keyId: string) => {
        const { overlap, expires } = context.options;
        const body = { overlap, ...(expires && { expiresAt: expires }) };
        await takeToken(context, connectionId, () =>
          context.client.call('rotate-connection-key', { path: { connectionId, keyId }, body }),
        );
      }),
    );

  connections
    .command('revoke')
    .description('revoke a key of a connection immediately and permanently')
    .addArgument(connectionArgument())
    .addArgument(connectionKeyArgument())
    .addHelpText('after', examples('connections revoke gateway svc_c1_gateway_01JD…'))
    .action(
      withContext(async ({ client, announce, show }, connectionId: string, keyId: string) => {
        announce();
        const key = await client.call('revoke-connection-key', { path: { connectionId, keyId } });
        show(key, key.changed ? `Revoked the key ${keyId}.` : `The key ${keyId} was already revoked.`);
      }),
    );
}

/** The tokens of connections, among the numbers. */
addConnections.overview = tokenMember;

const kinds = Object.keys(connectionKinds) as ConnectionKind[];

interface IdentityOptions {
  readonly issuer?: string;
  readonly audience?: string;
  readonly trustUserHeader?: boolean;
}
interface LoginOptions {
  readonly client?: readonly string[];
  readonly userIdClaim?: string;
}
interface SettingOptions extends IdentityOptions, LoginOptions, DirectoryOptions {
  readonly app?: readonly string[];
}
interface CreateOptions extends SettingOptions {
  readonly kind: ConnectionKind;
}
interface UpdateOptions extends SettingOptions {
  readonly name?: string;
}
interface IssueOptions extends SecretOptions {
  readonly label?: string;
  readonly scope?: readonly ConnectionScope[];
  readonly expires?: string;
}
interface RotateOptions extends SecretOptions {
  readonly expires?: string;
  readonly overlap: string;
}

/** Adds the options that say how a proxy's user is identified; needed only for `/access/v1/authorize`. */
function addIdentity(command: Command): Command {
  return command
    .option('--issuer <url>', 'issuer of the tokens by which a proxy identifies users; "none" for no tokens')
    .option('--audience <text>', 'audience that those tokens must name')
    .option('--trust-user-header', 'the proxy sets X-Original-User in every request, whatever its caller sent')
    .option('--no-trust-user-header', 'do not trust X-Original-User (default)');
}

function identity({ issuer, audience, trustUserHeader: trustsUserHeader }: IdentityOptions) {
  if (issuer === 'none') return { issuer: null, audience: null, trustsUserHeader };
  return { issuer, audience, trustsUserHeader };
}

/** Adds the options that say who logs in where; needed only for the login hooks of an identity provider. */
function addLogins(command: Command): Command {
  const collect = (client: string, earlier: readonly string[] = []) => [...earlier, client];
  return command
    .option(
      '--client <id=app>',
      'application of a client of the identity provider, if its id differs; repeat the option for several; "none" for no client',
      collect,
    )
    .option(
      '--user-id-claim <name>',
      'claim with the user id; "none" for the id that the identity provider itself uses (default)',
    );
}

function ofLogins({ client, userIdClaim }: LoginOptions) {
  const clients = client?.join(' ');
  return {
    clients: clients === 'none' ? null : clients,
    userIdClaim: userIdClaim === 'none' ? null : userIdClaim,
  };
}

function takeToken(
  context: CommandContext<SecretOptions>,
  connectionId: string,
  request: () => Promise<ConnectionKeyView & { readonly token: string }>,
) {
  const words = { member: 'token', revoke: ['connections', 'revoke', connectionId] } as const;
  return takeKey(context, words, async () => {
    const { token: secret, ...key } = await request();
    return { ...key, secret };
  });
}

function linesOf(connection: ConnectionView): string[] {
  const { connectionId, kind, name, applications } = connection;
  return recordLines([
    ['connection', connectionId],
    ['kind', kind],
    ['name', name],
    ['applications', applications.join(' ')],
    ...(kind === 'scim' ? directoryLines(connection) : identityLines(connection)),
    ['created', formatTime(connection.createdAt)],
    ['updated', formatTime(connection.updatedAt)],
  ]);
}

function identityLines(connection: ConnectionView): [string, string][] {
  const { issuer, audience, trustsUserHeader, clients, userIdClaim } = connection;
  const users = issuer === null ? (trustsUserHeader ? 'X-Original-User' : 'not identified') : `tokens of ${issuer}`;
  const optional: [string, string | null][] = [
    ['audience', audience],
    ['clients', clients],
    ['user id', userIdClaim && `claim ${userIdClaim}`],
  ];
  return [
    ['users', users],
    ...optional.flatMap(([name, value]): [string, string][] => (value === null ? [] : [[name, value]])),
  ];
}
