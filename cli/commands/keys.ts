import type { Command } from 'commander';
import type { IssuedKeyView, KeyView } from '#shared/contract/management.ts';
import type { Scope } from '#shared/contract/routes.ts';
import { appArgument, expiresOption, keyArgument, overlapOption, quietOption, scopeOption } from '../arguments.ts';
import { examples } from '../examples.ts';
import { formatEnd, formatMoment } from '../format-moment.ts';
import type { Kit, Work } from '../kit.ts';
import { type Column, recordLines } from '../print-table.ts';
import { readDuration } from '../read-duration.ts';
import { addListOptions, type ListOptions, showPages } from '../show-pages.ts';

const columns: readonly Column<KeyView>[] = [
  { title: 'KEY', cell: ({ keyId }) => keyId },
  { title: 'STATE', cell: stateOf, tone: (key) => (stateOf(key) === 'active' ? undefined : 'dim') },
  { title: 'SCOPES', cell: ({ scopes }) => scopes.join(' ') },
  { title: 'CREATED', cell: ({ createdAt }) => formatMoment(createdAt) },
  { title: 'EXPIRES', cell: ({ expiresAt }) => formatEnd(expiresAt) },
  { title: 'LAST USED', cell: ({ lastUsedOn }) => lastUsedOn ?? 'never' },
];

/** `keys`: with which an application signs its requests. */
export function addKeys(program: Command, { perform }: Kit): void {
  const keys = program.command('keys').description('issue, list, rotate and revoke API keys');

  keys
    .command('issue')
    .description('issue an API key; its secret is shown this once')
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
      perform(async (work: Work<IssueOptions>, appId: string) => {
        const { scope, expires } = work.options;
        const body = { ...(scope && { scopes: scope }), ...(expires && { expiresAt: expires }) };
        showSecret(work, await work.client.call('issue-key', { path: { appId }, body }));
      }),
    );

  addListOptions(keys.command('list').addArgument(appArgument()))
    .description('list the keys of an application, without their secrets')
    .addHelpText('after', examples('keys list billing'))
    .action(
      perform(async (work: Work<ListOptions>, appId: string) => {
        await showPages(work, (query) => work.client.call('list-keys', { path: { appId }, query }), columns);
      }),
    );

  keys
    .command('rotate')
    .description('issue a key with the scopes of another, which goes on for a while and no longer')
    .addArgument(appArgument())
    .addArgument(keyArgument())
    .addOption(overlapOption())
    .addOption(quietOption())
    .addHelpText('after', examples('keys rotate billing svk_k1_billing_01JD… --overlap 24h'))
    .action(
      perform(async (work: Work<RotateOptions>, appId: string, keyId: string) => {
        const { overlap } = work.options;
        const key = await work.client.call('rotate-key', { path: { appId, keyId }, body: { overlap } });
        showSecret(work, key);
        work.terminal.note(`The old key ends at ${formatEnd(overlapEnd(key, overlap))}, or before if it was to.`);
      }),
    );

  keys
    .command('revoke')
    .description('end a key at once, for ever')
    .addArgument(appArgument())
    .addArgument(keyArgument())
    .addHelpText('after', examples('keys revoke billing svk_k1_billing_01JD…'))
    .action(
      perform(async ({ client, show }, appId: string, keyId: string) => {
        const key = await client.call('revoke-key', { path: { appId, keyId } });
        show(key, key.changed ? `Revoked the key ${keyId}.` : `The key ${keyId} was revoked before.`);
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
  readonly overlap: string;
}

/** The secret goes to stdout alone; that it is shown this once is said beside it. */
function showSecret({ options, terminal, show }: Work<SecretOptions>, key: IssuedKeyView): void {
  const { keyId, secret, scopes, expiresAt } = key;
  const rows = [
    ['key', keyId],
    ['secret', secret],
    ['scopes', scopes.join(' ')],
    ['expires', formatEnd(expiresAt)],
  ] as const;
  if (options.quiet) terminal.print(secret);
  else show(key, ...recordLines(rows));
  terminal.note(`Keep the secret of ${keyId} now: it is shown this once, and nobody can read it again.`);
}

function overlapEnd({ createdAt }: KeyView, overlap: string): string {
  return new Date(Date.parse(createdAt) + (readDuration(overlap) ?? 0) * 1000).toISOString();
}

function stateOf({ revokedAt, expiresAt }: KeyView): string {
  if (revokedAt !== null) return 'revoked';
  return expiresAt !== null && Date.parse(expiresAt) <= Date.now() ? 'expired' : 'active';
}
