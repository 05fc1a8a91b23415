import type { Command } from 'commander';
import type { IssuedKeyView, KeyView } from '#shared/contract/api-key.ts';
import type { Scope } from '#shared/contract/operation.ts';
import {
  appArgument,
  examples,
  expiresOption,
  keyArgument,
  overlapOption,
  quietOption,
  scopeOption,
} from '../arguments.ts';
import type { CommandContext, ContextProvider } from '../command-context.ts';
import { formatExpiry, formatTime } from '../format-time.ts';
import { parseDuration } from '../parse-time.ts';
import { type Column, recordLines } from '../print-table.ts';
import { addListOptions, type ListOptions, showPages } from '../show-pages.ts';

const columns: readonly Column<KeyView>[] = [
  { title: 'KEY', cell: ({ keyId }) => keyId },
  { title: 'STATE', cell: stateOf, tone: (key) => (stateOf(key) === 'active' ? undefined : 'dim') },
  { title: 'SCOPES', cell: ({ scopes }) => scopes.join(' ') },
  { title: 'CREATED', cell: ({ createdAt }) => formatTime(createdAt) },
  { title: 'EXPIRES', cell: ({ expiresAt }) => formatExpiry(expiresAt) },
  { title: 'LAST USED', cell: ({ lastUsedOn }) => lastUsedOn ?? 'never' },
];

/** Adds `keys`: the API keys of applications. */
export function addKeys(program: Command, { withContext }: ContextProvider): void {
  const keys = program.command('keys').description('issue, list, rotate and revoke API keys');

  keys
    .command('issue')
    .description('issue an API key; its secret is shown only once')
    .addArgument(appArgument())
    .addOption(scopeOption())
    .addOption(expiresOption())
    .addOption(quietOption())
    .addHelpText(
      'after',
      examples(
        'keys issue billing',
        'keys issue billing --scope access:read --scope access:write --expires 90d',
        'keys issue billing --quiet > secret.txt',
      ),
    )
    .action(
      withContext(async (context: CommandContext<IssueOptions>, appId: string) => {
        const { scope, expires } = context.options;
        const body = { ...(scope && { scopes: scope }), ...(expires && { expiresAt: expires }) };
        showSecret(context, await context.client.call('issue-key', { path: { appId }, body }));
      }),
    );

  addListOptions(keys.command('list').addArgument(appArgument()))
    .description('list the keys of an application, without their secrets')
    .addHelpText('after', examples('keys list billing'))
    .action(
      withContext(async (context: CommandContext<ListOptions>, appId: string) => {
        await showPages(context, (query) => context.client.call('list-keys', { path: { appId }, query }), columns);
      }),
    );

  keys
    .command('rotate')
    .description('issue a new key with the same scopes and lifetime; the old key expires after the overlap')
    .addArgument(appArgument())
    .addArgument(keyArgument())
    .addOption(overlapOption())
    .addOption(expiresOption())
    .addOption(quietOption())
    .addHelpText(
      'after',
      examples(
        'keys rotate billing svk_k1_billing_01JD… --overlap 24h',
        'keys rotate billing svk_k1_billing_01JD… --overlap 0s --expires 90d',
      ),
    )
    .action(
      withContext(async (context: CommandContext<RotateOptions>, appId: string, keyId: string) => {
        const { overlap, expires } = context.options;
        const body = { overlap, ...(expires && { expiresAt: expires }) };
        const key = await context.client.call('rotate-key', { path: { appId, keyId }, body });
        showSecret(context, key);
        context.terminal.note(
          `The old key expires at ${formatExpiry(overlapEnd(key, overlap))}, or at its own expiry if that is earlier.`,
        );
      }),
    );

  keys
    .command('revoke')
    .description('revoke a key immediately and permanently')
    .addArgument(appArgument())
    .addArgument(keyArgument())
    .addHelpText('after', examples('keys revoke billing svk_k1_billing_01JD…'))
    .action(
      withContext(async ({ client, show }, appId: string, keyId: string) => {
        const key = await client.call('revoke-key', { path: { appId, keyId } });
        show(key, key.changed ? `Revoked the key ${keyId}.` : `The key ${keyId} was already revoked.`);
      }),
    );
}

interface SecretOptions {
  readonly quiet?: boolean;
}
interface IssueOptions extends SecretOptions {
  readonly scope?: readonly Scope[];
  readonly expires?: string;
}
interface RotateOptions extends SecretOptions {
  readonly expires?: string;
  readonly overlap: string;
}

/** Prints the key on stdout, with `--quiet` only its secret, and the warning on stderr. */
function showSecret({ options, terminal, show }: CommandContext<SecretOptions>, key: IssuedKeyView): void {
  const { keyId, secret, scopes, expiresAt } = key;
  const rows = [
    ['key', keyId],
    ['secret', secret],
    ['scopes', scopes.join(' ')],
    ['expires', formatExpiry(expiresAt)],
  ] as const;
  if (options.quiet) terminal.print(secret);
  else show(key, ...recordLines(rows));
  terminal.note(`Save the secret of ${keyId} now: it is shown only once and cannot be read again.`);
}

function overlapEnd({ createdAt }: KeyView, overlap: string): string {
  return new Date(Date.parse(createdAt) + (parseDuration(overlap) ?? 0) * 1000).toISOString();
}

function stateOf({ revokedAt, expiresAt }: KeyView): string {
  if (revokedAt !== null) return 'revoked';
  return expiresAt !== null && Date.parse(expiresAt) <= Date.now() ? 'expired' : 'active';
}
